/**
 * A Playwright reporter that sends the count to the parent process (`scripts/test-e2e.mjs`) if there is one, else prints it. A
 * test that passed only when it was repeated counts as passed, and its title is printed.
 */
import type { FullResult, Reporter, Suite } from '@playwright/test/reporter';
import { type Count, lineOf } from './reporter.ts';

/** Playwright calls it with `new`, which returns the object that a plain function returns. */
export default function createReporter(): Reporter {
  let root: Suite | null = null;
  let errors = 0;
  return {
    onBegin(_config, suite) {
      root = suite;
    },
    onError() {
      errors += 1;
    },
    onEnd({ status }: FullResult) {
      const tests = root?.allTests() ?? [];
      const numberOf = (outcome: string) => tests.filter((test) => test.outcome() === outcome).length;
      const flaky = tests.filter((test) => test.outcome() === 'flaky');
      const count: Count = {
        passed: numberOf('expected') + flaky.length,
        failed: numberOf('unexpected') + errors + (status === 'interrupted' || status === 'timedout' ? 1 : 0),
        skipped: numberOf('skipped'),
      };
      for (const test of flaky) console.log(`flaky: ${test.titlePath().filter(Boolean).join(' > ')}`);
      if (process.send) process.send(count);
      else console.log(lineOf(count));
    },
  };
}
