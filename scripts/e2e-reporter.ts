/**
 * A Playwright reporter that sends the count to the parent process (`scripts/test-e2e.mjs`) if there is one, else prints it. A
 * test that passed only when it was repeated counts as passed. Its title is printed, and why it failed first.
 */
import { readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { FullResult, Reporter, Suite, TestCase } from '@playwright/test/reporter';
import { type Count, lineOf } from './reporter.ts';

/** Lines that are printed for a flaky test. */
const MAX_LINES = 120;
/** Playwright writes the error and the page in words between these headings. */
const [BEGIN, END] = ['# Error details\n', '# Test source\n'];

/** The error of the first run and the page at that time, indented. */
function firstFailure({ results: [first] }: TestCase): string {
  const context = first?.attachments.find(({ name }) => name === 'error-context')?.path;
  const written = context ? readFileSync(context, 'utf8').split(BEGIN)[1]?.split(END)[0] : undefined;
  const details = written ?? stripVTControlCharacters(first?.error?.message ?? '');
  const lines = details.split('\n').filter((line) => line.trim() !== '');
  return lines
    .slice(0, MAX_LINES)
    .map((line) => `  ${line}`)
    .join('\n');
}

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
      for (const test of flaky)
        console.log(`flaky: ${test.titlePath().filter(Boolean).join(' > ')}\n${firstFailure(test)}`);
      if (process.send) process.send(count);
      else console.log(lineOf(count));
    },
  };
}
