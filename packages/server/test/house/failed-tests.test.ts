/** What the CI prints of a failed part. */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { withFolder } from '../harness/folder.ts';

const pathOf = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

/** What the CI prints of a part with this log. */
function printedOf(path: string): string[] {
  const { stdout } = spawnSync(process.execPath, [pathOf('scripts/failed-tests.mjs'), path], { encoding: 'utf8' });
  return stdout.trimEnd().split('\n');
}

const printedOfLog = (log: string) =>
  withFolder(async (folder) => {
    const path = join(folder, 'log');
    writeFileSync(path, log);
    return printedOf(path);
  });

/** Runs a test file of this text with a test runner, as the CI does. @returns what the CI prints of its log */
const printedOfRun = (runner: string, args: string[], text: string) =>
  withFolder(async (folder) => {
    writeFileSync(join(folder, 'a.test.mjs'), text);
    writeFileSync(join(folder, 'playwright.config.mjs'), PLAYWRIGHT);
    const path = join(folder, 'log');
    const log = openSync(path, 'w');
    const env = { ...process.env, NO_COLOR: '1' };
    spawnSync(process.execPath, [pathOf(runner), ...args], { cwd: folder, stdio: ['ignore', log, log], env });
    closeSync(log);
    return printedOf(path).join('\n');
  });

const numbered = (text: string, count: number) => Array.from({ length: count }, (_, at) => `${text} ${at + 1}`);

/** A log of Playwright with failed tests, each with an error of a given number of lines. */
const logOf = (failed: number, lines: number) =>
  Array.from({ length: failed }, (_, at) => [
    `  ${at + 1}) [desktop] › a.e2e.ts:1:1 › title`,
    ...numbered('    line', lines),
  ])
    .flat()
    .join('\n');

const PLAYWRIGHT = `export default { reporter: 'list', workers: 1, projects: [{ name: 'desktop' }] };`;
const TESTS = `
  test('good', () => {});
  test('one', () => { throw new Error('the first error'); });
  test('two', () => { throw new Error('the second error'); });`;

describe('a failed part', () => {
  test('of browser tests prints each failed test with its error', async () => {
    const playwright = JSON.stringify(pathOf('node_modules/@playwright/test/index.mjs'));
    const text = `import { test } from ${playwright}; ${TESTS}`;
    const printed = await printedOfRun('node_modules/@playwright/test/cli.js', ['test'], text);
    expect(printed).toMatch(/^ {2}1\) \[desktop\] › a\.test\.mjs:3:3 › one .*\n\n +Error: the first error\n/);
    expect(printed).toMatch(/\n {2}2\) \[desktop\] › a\.test\.mjs:4:3 › two .*\n\n +Error: the second error\n/);
    expect(printed).not.toContain('› good');
  });

  test('of other tests prints each failed test with its error', async () => {
    const printed = await printedOfRun('node_modules/vitest/vitest.mjs', ['run', '--globals'], TESTS);
    expect(printed).toMatch(/^ FAIL {2}a\.test\.mjs > one\nError: the first error\n/);
    expect(printed).toMatch(/\n FAIL {2}a\.test\.mjs > two\nError: the second error\n/);
  });

  test('without a failed test prints its last lines', async () => {
    expect(await printedOfLog(numbered('line', 100).join('\n'))).toEqual(numbered('line', 100).slice(60));
  });

  test.each([
    { failed: 1, lines: 100, of: 40 },
    { failed: 8, lines: 100, of: 25 },
    { failed: 8, lines: 3, of: 4 },
    { failed: 150, lines: 100, of: 1 },
  ])('prints $of lines for each of $failed failed tests', async ({ failed, lines, of }) => {
    const printed = await printedOfLog(logOf(failed, lines));
    expect(printed).toHaveLength(failed * of);
    expect(printed.filter((line) => line.includes('title'))).toHaveLength(failed);
  });

  test('prints at most 200 titles', async () => {
    expect(await printedOfLog(logOf(300, 2))).toHaveLength(200);
  });
});
