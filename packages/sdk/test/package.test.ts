/** The package as npm packs it: on Node 20, in the bundle of a browser, and by its types. */
import { execFile } from 'node:child_process';
import { openAsBlob } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  installPacked,
  type PackedPackage,
  packingProblems,
  readmeExamples,
  typeErrors,
} from '../../../test-support/packed-package.ts';
import { startService, type TestService, type TestUser } from '../../server/test/harness/service.ts';
import { makeVideo } from '../../server/test/media/fixtures.ts';
import type * as sdk from '../src/index.ts';

const run = promisify(execFile);

/** Fits every platform, so that nothing is converted. */
const CLIP = { width: 360, height: 640, fps: 24, seed: 83 };

let packed: PackedPackage;
let service: TestService;
let user: TestUser;
let video: string;
let account: string;
beforeAll(async () => {
  [packed, service, video] = await Promise.all([installPacked('sdk'), startService(), makeVideo(CLIP)]);
  user = await service.newUser();
  const request = { userId: user.userId, platform: 'tiktok', username: 'sdk', privacy: 'public', actor: 'test' };
  account = (await service.context.accounts.connectSandbox(request))[0]?.id ?? '';
  const examples = await readmeExamples('sdk');
  await Promise.all(examples.map((text, index) => writeFile(join(packed.project, `example-${index}.js`), text)));
  await copyFile(video, join(packed.project, 'clip.mp4'));
});
afterAll(async () => {
  await service.close();
  await packed.remove();
});

/** The first Node 20 on PATH; null if Node 20 is not installed. */
async function findNode20(): Promise<string | null> {
  const paths = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  for (const path of paths) {
    const { stdout } = await run(path, ['--version']).catch(() => ({ stdout: '' }));
    if (stdout.startsWith('v20.')) return path;
  }
  return null;
}

test('publint and attw find no problem', async () => {
  expect(await packingProblems(packed)).toBe('');
});

test('the examples of the README run on Node 20', async () => {
  const node = await findNode20();
  if (node === null) console.warn(`PATH has no Node 20: the examples run on Node ${process.versions.node} only.`);
  const env = { REELAY_URL: service.url, REELAY_API_KEY: user.key };
  const outputOf = async (example: string) =>
    (await run(node ?? process.execPath, [example], { cwd: packed.project, env })).stdout;
  const outputs = await Promise.all(['example-0.js', 'example-1.js', 'example-2.js'].map(outputOf));
  expect(outputs).toEqual([
    expect.stringMatching(/^tiktok sdk: SUCCESS http\S+\n$/),
    'unknown_post: Post not found.\n',
    expect.stringMatching(/^(?:\d+ %\n)+fits\n$/),
  ]);
});

/** A package entry as one script for browsers, with the modules that it imports. */
async function bundle(entry: string): Promise<{ code: string; imports: string[] }> {
  const input = join(packed.project, 'bundled.js');
  await writeFile(input, `export * from '${entry}';`);
  const made = await rolldown({ input, platform: 'browser', logLevel: 'silent' });
  try {
    const { output } = await made.generate({ format: 'iife', name: 'sdk' });
    return output[0];
  } finally {
    await made.close();
  }
}

test('the browser bundle can post', async () => {
  expect((await bundle('@reelay/sdk/node')).imports).toContain('node:fs');
  const { code, imports } = await bundle('@reelay/sdk');
  expect(imports).toEqual([]);
  const web = {
    AbortSignal,
    Blob,
    ReadableStream,
    TextEncoder,
    URL,
    btoa,
    clearTimeout,
    crypto,
    fetch,
    performance,
    setTimeout,
  };
  const page: typeof web & { sdk?: typeof sdk } = { ...web };
  runInContext(code, createContext(page));
  const client = page.sdk?.createClient({ baseUrl: service.url, apiKey: user.key });
  const file = await openAsBlob(video);
  const post = { video: file, platforms: [account], scheduled: Date.now() + 3_600_000 };
  const created = await client?.posts.create(post);
  expect(created).toMatchObject({ scheduled: true, result: [{ platformId: account, status: 'PENDING' }] });
  const uploadId = await client?.uploads.send(file);
  expect(await client?.posts.check({ ...post, video: undefined, uploadId })).toMatchObject({
    result: [{ outcome: 'fits' }],
  });
  await expect(client?.posts.waitFor(created?.historyId ?? '', { timeoutMs: 0 })).rejects.toMatchObject({
    name: 'ReelayApiError',
    code: 'still_pending',
  });
});

test('the types fit Node programs and browser pages', async () => {
  const wrong = `const post = await client.posts.get('1');\nexport const wrong: number = post.id;\n`;
  const client = (entry: string) =>
    `import { createClient } from '${entry}';\nconst client = createClient({ baseUrl: '' });`;
  await writeFile(join(packed.project, 'node.ts'), `${client('@reelay/sdk/node')}\n${wrong}`);
  await writeFile(join(packed.project, 'page.ts'), `${client('@reelay/sdk')}\n${wrong}`);
  const [onNode, inPage] = await Promise.all([
    typeErrors(packed.project, ['node.ts', 'example-0.js', 'example-1.js', 'example-2.js'], 'node'),
    typeErrors(packed.project, ['page.ts', 'example-3.js'], 'dom'),
  ]);
  expect(onNode).toMatch(/^node\.ts\(4,14\): error TS2322[^\n]*\n$/);
  expect(inPage).toMatch(/^page\.ts\(4,14\): error TS2322[^\n]*\n$/);
});
