/** A Vitest reporter that prints the conformance table at the end of the run; see `conformance.mjs`. */
import { styleText } from 'node:util';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { type Outcome, tableOf } from './conformance-table.ts';
import { countRun, lineOf } from './reporter.ts';

/** The first line of a test's or file's error. */
function firstLineOf(errors: readonly { message?: string }[] | undefined): string | undefined {
  return errors?.[0]?.message?.split('\n')[0]?.slice(0, 500);
}

function outcomeOf(test: TestCase): Outcome[] {
  const meta = test.meta().conformance;
  const { state, errors } = test.result();
  return meta ? [{ meta, name: test.fullName, state, error: firstLineOf(errors) }] : [];
}

/** Files that failed to load, so that their cases were not counted. */
function unloaded(module: TestModule): string[] {
  const error = firstLineOf(module.errors());
  return error === undefined ? [] : [`${module.project.name}, ${module.relativeModuleId}: ${error}`];
}

/** Vitest calls it with `new`, which returns the object that a plain function returns. */
export default function createReporter(): Reporter {
  return {
    onTestRunEnd(modules, unhandled, reason) {
      const outcomes = modules.flatMap((module) => [...module.children.allTests()].flatMap(outcomeOf));
      const paint = (color: 'green' | 'red' | 'dim', text: string) =>
        styleText(color, text, { stream: process.stdout });
      console.log(`\n${tableOf(outcomes, paint).join('\n')}`);
      for (const line of modules.flatMap(unloaded)) console.log(paint('red', `Not counted: ${line}`));
      const count = countRun(modules, unhandled, reason === 'interrupted');
      console.log(`\n${lineOf(count)}`);
      if (count.failed > 0 || count.passed === 0) process.exitCode = 1;
    },
  };
}
