/** Prints the table of the common suite when all of it has run; see `conformance.mjs`. */
import { styleText } from 'node:util';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { type Outcome, tableOf } from './conformance-table.ts';
import { countRun, lineOf } from './reporter.ts';

/** The first line of what a test or a file failed with. */
function wordsOf(errors: readonly { message?: string }[] | undefined): string | undefined {
  return errors?.[0]?.message?.split('\n')[0]?.slice(0, 500);
}

function outcomeOf(test: TestCase): Outcome[] {
  const told = test.meta().conformance;
  const { state, errors } = test.result();
  return told ? [{ told, name: test.fullName, state, error: wordsOf(errors) }] : [];
}

/** Files of which nothing could be counted, because they did not load. */
function unloaded(module: TestModule): string[] {
  const words = wordsOf(module.errors());
  return words === undefined ? [] : [`${module.project.name}, ${module.relativeModuleId}: ${words}`];
}

/** vitest calls it with `new`, which takes what a plain function returns. */
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
