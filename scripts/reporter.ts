/**
 * A Vitest reporter that counts results more strictly than Vitest's summary. Uncaught errors, files that fail to load
 * and failed hooks are failures too. It sends the count to the parent process (`scripts/test.mjs`) if there is one,
 * else prints it.
 */
import { appendFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

export interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

/** Counts the results of a run. An unfinished test counts as failed. */
export function countRun(modules: readonly TestModule[], unhandled: readonly unknown[], interrupted: boolean): Count {
  const count: Count = { passed: 0, failed: unhandled.length + (interrupted ? 1 : 0), skipped: 0 };
  for (const module of modules) {
    const groups: (TestModule | TestSuite)[] = [module, ...module.children.allSuites()];
    count.failed += groups.filter((group) => group.errors().length > 0).length;
    for (const test of module.children.allTests()) count[outcomeOf(test)]++;
  }
  return count;
}

function outcomeOf(test: TestCase): keyof Count {
  const { state } = test.result();
  return state === 'pending' ? 'failed' : state;
}

/** Names of the tests that ran, one a line. */
function namesIn(modules: readonly TestModule[]): string {
  const ran = modules.flatMap((module) =>
    [...module.children.allTests()].filter((test) => outcomeOf(test) !== 'skipped'),
  );
  return ran.map((test) => `${test.module.relativeModuleId} > ${test.fullName}\n`).join('');
}

/** The last line of every run. */
export function lineOf({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Vitest calls it with `new`, which returns the object that a plain function returns. */
export default function createReporter(): Reporter {
  return {
    onTestRunEnd(modules, unhandled, reason) {
      const count = countRun(modules, unhandled, reason === 'interrupted');
      // Set by `npm run campaign -- --cases FILE`.
      if (process.env.REELAY_TEST_CASES) appendFileSync(process.env.REELAY_TEST_CASES, namesIn(modules));
      if (process.send) process.send(count);
      else console.log(lineOf(count));
      // Vitest treats some of these cases as success.
      if (count.failed > 0 || count.passed === 0) process.exitCode = 1;
    },
  };
}
