/**
 * Prints the failed tests of a log of Vitest or Playwright with their errors, or the last lines of any other log. The fewer
 * tests failed, the more is printed of each.
 *   node scripts/failed-tests.mjs LOG
 */
import { readFileSync } from 'node:fs';

/** Vitest prints " FAIL  file > title", and Playwright "  1) [project] › file:line:column › title". */
const TITLE = /^(?: FAIL | {2}\d+\) \[)/;
/** In lines. */
const MAX_PRINTED = 200;
const MAX_OF_ONE = 40;

const lines = readFileSync(process.argv[2], 'utf8').trimEnd().split('\n');
const begins = lines.flatMap((line, at) => (TITLE.test(line) ? [at] : [])).slice(0, MAX_PRINTED);
const most = Math.min(MAX_OF_ONE, Math.floor(MAX_PRINTED / begins.length));
const printed =
  begins.length === 0
    ? lines.slice(-MAX_OF_ONE)
    : begins.flatMap((begin, index) => lines.slice(begin, Math.min(begin + most, begins[index + 1] ?? lines.length)));
console.log(printed.join('\n'));
