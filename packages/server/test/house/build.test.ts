import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const scripts = join(root, 'scripts');
const dist = join(root, 'packages/server/dist');
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-build-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs the script in a repository whose build ends with this error. */
async function buildFailing(error: { code: string; message: string }) {
  for (const path of ['scripts', 'apps', 'packages/sdk/src', 'node_modules/vite'])
    await mkdir(join(folder, path), { recursive: true });
  await writeFile(join(folder, 'package-lock.json'), '{}');
  await writeFile(join(folder, 'node_modules/vite/package.json'), '{"type":"module","exports":"./index.js"}');
  const thrown = `Object.assign(new Error(${JSON.stringify(error.message)}), { code: '${error.code}' })`;
  await writeFile(join(folder, 'node_modules/vite/index.js'), `export const build = async () => { throw ${thrown}; };`);
  for (const path of ['build.mjs', 'build/stamps.mjs', 'build/web.mjs'])
    await cp(join(scripts, path), join(folder, 'scripts', path));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'scripts/build.mjs'), 'web'], {
    encoding: 'utf8',
  });
  return { status, out: stdout + stderr };
}

/** Builds the service if its sources have changed. */
function buildServer(): void {
  const { status, stderr } = spawnSync(process.execPath, [join(scripts, 'build.mjs'), 'server'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
}

test('the built service can load each of its parts', async () => {
  buildServer();
  const parts = (await readdir(dist)).filter((name) => name.endsWith('.js') && !/^(?:main|hash-worker)\./.test(name));
  expect(parts.length).toBeGreaterThan(30);
  const program = `for (const part of ${JSON.stringify(parts)}) await import('${pathToFileURL(dist)}/' + part); console.log('loaded');`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect([stdout, stderr]).toEqual(['loaded\n', '']);
});

test('the built service hashes uploads', async () => {
  buildServer();
  const path = join(folder, 'video');
  await writeFile(path, 'bytes');
  const worker = new Worker(join(dist, 'hash-worker.js'));
  try {
    worker.postMessage({ file: 1, path, upTo: 5 });
    worker.postMessage({ file: 1, path, upTo: 'end' });
    const [answer] = await once(worker, 'message');
    expect(answer).toEqual({ file: 1, sha256: createHash('sha256').update('bytes').digest('hex') });
  } finally {
    await worker.terminate();
  }
});

test('a build without write access names who can build', async () => {
  const { status, out } = await buildFailing({ code: 'EACCES', message: "EACCES: permission denied, open '/x'" });
  expect(status).toBe(1);
  expect(out.trimEnd().split('\n')).toEqual([
    'Building the dashboard (some seconds after a change) ...',
    `The dashboard cannot be built: EACCES: permission denied, open '/x'. Run "npm run build" as a user who may write ${folder}.`,
  ]);
});

test('another failure of the build is shown in full', async () => {
  const { status, out } = await buildFailing({ code: 'PARSE_ERROR', message: 'Unexpected token' });
  expect(status).toBe(1);
  expect(out).toContain('Unexpected token');
  expect(out).not.toContain('as a user who may write');
});
