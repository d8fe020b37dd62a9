/** Tests of the reporter's count, with runs that fail in every way. */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';

const runner = fileURLToPath(new URL('../../../../node_modules/vitest/vitest.mjs', import.meta.url));
const reporter = fileURLToPath(new URL('../../../../scripts/reporter.ts', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-reporter-'));
  const config = { test: { globals: true, pool: 'forks', isolate: false, maxWorkers: 1, reporters: [reporter] } };
  await writeFile(join(folder, 'vitest.config.mjs'), `export default ${JSON.stringify(config)};`);
  const files = {
    good: `test('a', () => {}); test('b', () => {});`,
    bad: `test('a', () => { throw new Error('no'); }); test('b', () => {});`,
    skipped: `test.skip('a', () => {}); test.todo('b'); test('c', () => {});`,
    none: `test.skip('a', () => {});`,
    unloadable: `import './nowhere.js'; test('a', () => {});`,
    syntax: `test('a', () => {`,
    empty: ``,
    hook: `describe('d', () => { beforeAll(() => { throw new Error('no'); }); test('a', () => {}); }); test('b', () => {});`,
    unhandled: `test('a', async () => { Promise.reject(new Error('nobody looks')); await new Promise((r) => setImmediate(r)); });`,
    ends: `test('a', () => {}); test('b', () => { process.kill(process.pid, 'SIGKILL'); return new Promise(() => {}); });`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, `${name}.test.js`), text);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs some of the files and receives the count as `npm test` does. */
async function run(...names: string[]): Promise<{ status: number | null; count: unknown }> {
  const files = names.map((name) => join(folder, `${name}.test.js`));
  const child = spawn(process.execPath, [runner, 'run', '--root', folder, ...files], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let count: unknown = null;
  child.on('message', (message) => {
    count = message;
  });
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { status, count };
}

test('the count includes a good run and skipped tests', async () => {
  expect(await run('good', 'skipped')).toEqual({ status: 0, count: { passed: 3, failed: 0, skipped: 2 } });
});

const SAD_RUNS = [
  { what: 'a failed test', files: ['bad'], count: { passed: 1, failed: 1, skipped: 0 } },
  {
    what: 'each file that is unloadable, broken or empty',
    files: ['good', 'unloadable', 'syntax', 'empty'],
    count: { passed: 2, failed: 3, skipped: 0 },
  },
  // Its tests count only as skipped.
  { what: 'a failed hook', files: ['hook'], count: { passed: 1, failed: 1, skipped: 1 } },
  { what: 'an unhandled error', files: ['unhandled'], count: { passed: 1, failed: 1, skipped: 0 } },
  { what: 'a run without a test', files: ['none'], count: { passed: 0, failed: 0, skipped: 1 } },
  { what: 'a run without a file', files: ['nowhere'], count: { passed: 0, failed: 0, skipped: 0 } },
];

test.each(drawn(SAD_RUNS, ONE_IN.ends))(seeded('$what fails the run'), async ({ files, count }) => {
  expect(await run(...files)).toEqual({ status: 1, count });
});

test('a worker that dies is a failure', async () => {
  const { status, count } = await run('good', 'ends');
  expect(status).toBe(1);
  expect(count).toMatchObject({ skipped: 0 });
  expect((count as { failed: number }).failed).toBeGreaterThan(0);
});
