/** The package as npm packs it, outside of this repository: what it ships is JavaScript and declares what it imports. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  installPacked,
  type PackedPackage,
  packingProblems,
  readmeExamples,
  typeErrors,
} from '../../../test-support/packed-package.ts';
import { sendRaw } from './harness/raw-http.ts';

const run = promisify(execFile);

let packed: PackedPackage;
let program: string;
beforeAll(async () => {
  packed = await installPacked('sandbox');
  program = join(packed.folder, 'src/cli/main.js');
});
afterAll(() => packed.remove());

/** Resolves with the address of the feed once it is printed. */
async function feedOf(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('No output.');
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /^Feed: +(\S+)$/.exec(line) ?? [];
    if (url) return url;
  }
  throw new Error('The program ended.');
}

test('publint and attw find no problem', async () => {
  expect(await packingProblems(packed)).toBe('');
});

test('the packed program takes a post, shows it and stops', async () => {
  const child = spawn(process.execPath, [program, '--port', '0', '--platform', 'telegram', '--processing', '0'], {
    cwd: packed.project,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await feedOf(child);
    const account = await sendRaw(`${url}/accounts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ platform: 'telegram', username: 'nora' }),
    });
    const { remoteId, credentials } = JSON.parse(account.text);
    const form = new FormData();
    form.set('chat_id', remoteId);
    form.set('caption', 'packed');
    form.set('video', new Blob(['a video'], { type: 'video/mp4' }), 'video.mp4');
    const sent = await fetch(`${url}/telegram/bot${credentials.secret}/sendVideo`, { method: 'POST', body: form });
    expect(sent.status).toBe(200);
    expect(JSON.parse((await sendRaw(`${url}/feed.json`)).text)).toMatchObject([{ text: 'packed', bytes: 7 }]);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});

test('the packed program explains itself', async () => {
  const { stdout } = await run(process.execPath, [program, '--help']);
  expect(stdout).toContain('Usage: reelay-sandbox [options]');
  expect(stdout).toContain('-p, --port <number>');
  await expect(run(process.execPath, [program, '--fault', 'all:other'])).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The fault must be one of'),
  });
});

test('the packed declarations type a project that uses them', async () => {
  const source = `import { type FeedItem, startSandbox } from '@reelay/sandbox';
const sandbox = await startSandbox({ platforms: ['tiktok'], faults: [{ kind: 'server-error', share: 0.1 }] });
const handle = sandbox.platform('tiktok').faults.add({ when: ({ nth }) => nth === 1, fault: { kind: 'reset-after' } });
const hits: number = handle.hits();
const feed: FeedItem[] = await sandbox.feed();
export const wrong: number = feed[0]?.text ?? hits;
`;
  await writeFile(join(packed.project, 'use.ts'), source);
  const errors = await typeErrors(packed.project, ['use.ts'], 'node');
  expect(errors).toMatch(/^use\.ts\(6,14\): error TS2322[^\n]*\n$/);
});

test('the example of the README passes', async () => {
  const [example = ''] = await readmeExamples('sandbox');
  const path = join(packed.project, 'example.test.js');
  await writeFile(path, example);
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', path]);
  expect(stdout).toContain('ok 1 - a lost response does not post twice');
});
