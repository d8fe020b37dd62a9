import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';

const original = fileURLToPath(new URL('../../../../scripts/build-web.mjs', import.meta.url));
let folder: string;
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the script in a repository whose build ends with this error. */
async function buildFailing(error: { code: string; message: string }) {
  folder = await mkdtemp(join(tmpdir(), 'reelay-build-'));
  for (const path of ['scripts', 'apps', 'packages/sdk/src', 'node_modules/vite'])
    await mkdir(join(folder, path), { recursive: true });
  await writeFile(join(folder, 'package-lock.json'), '{}');
  await writeFile(join(folder, 'node_modules/vite/package.json'), '{"type":"module","exports":"./index.js"}');
  const thrown = `Object.assign(new Error(${JSON.stringify(error.message)}), { code: '${error.code}' })`;
  await writeFile(join(folder, 'node_modules/vite/index.js'), `export const build = async () => { throw ${thrown}; };`);
  await cp(original, join(folder, 'scripts/build-web.mjs'));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/build-web.mjs')], {
    encoding: 'utf8',
  });
  return { status, out: stdout + stderr };
}

test('a build without write access names who can build', async () => {
  const { status, out } = await buildFailing({ code: 'EACCES', message: "EACCES: permission denied, open '/x'" });
  expect(status).toBe(1);
  expect(out.trimEnd().split('\n')).toEqual([
    'Building the dashboard (some seconds after a change) ...',
    `The dashboard cannot be built: EACCES: permission denied, open '/x'. Run "npm run build:web" as a user who may write ${folder}.`,
  ]);
});

test('another failure of the build is shown in full', async () => {
  const { status, out } = await buildFailing({ code: 'PARSE_ERROR', message: 'Unexpected token' });
  expect(status).toBe(1);
  expect(out).toContain('Unexpected token');
  expect(out).not.toContain('as a user who may write');
});
