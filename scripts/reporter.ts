/**
 * Counts what a test run came to, more strictly than the runner's own summary: errors that nobody caught, files that
 * did not load and hooks that failed are failures too. The count goes to `scripts/test.mjs` where that is above us, else
 * it is printed.
 */
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

export interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

/** What a run came to. A test that never came to an end has failed. */
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

/** The last line of every run. */
export function lineOf({ passed, failed, skipped }: Count): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** vitest calls it with `new`, which takes what a plain function returns. */
export default function createReporter(): Reporter {
  return {
    onTestRunEnd(modules, unhandled, reason) {
      const count = countRun(modules, unhandled, reason === 'interrupted');
      if (process.send) process.send(count);
      else console.log(lineOf(count));
      // The runner believes some of this to be success.
      if (count.failed > 0 || count.passed === 0) process.exitCode = 1;
    },
  };
}
