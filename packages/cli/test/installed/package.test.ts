/** The package `reelay` in an empty folder, as somebody uses it who has neither a clone nor root. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRunning, top } from '../../../server/test/house/npm-start.ts';
import { makeVideo } from '../../../server/test/media/fixtures.ts';
import { give, type Installation, install, type Running } from './installation.ts';

const run = promisify(execFile);
const EMAIL = 'me@example.org';

let installation: Installation;
beforeAll(async () => {
  installation = await install();
});
afterAll(() => installation.close());

const expectEnd = ({ pids }: Running) => expect.poll(() => pids.filter(isRunning)).toEqual([]);

/** The service as `npx` runs it, from a package that is not installed. */
const viaNpx = async () => {
  const folder = await installation.createFolder();
  const running = await installation.start(folder, [
    'npx',
    '--yes',
    '--package',
    installation.tarball,
    'reelay',
    'start',
  ]);
  return { folder, running };
};

test('the installed package has at most 300 MB', async () => {
  const { stdout } = await run('du', ['-sm', installation.prefix]);
  expect(Number.parseInt(stdout, 10)).toBeLessThanOrEqual(300);
});

test('a video is posted from an empty folder', async () => {
  const { folder, running } = await viaNpx();
  expect(await readdir(folder)).toEqual(['data']);
  for (const path of ['/app/', '/docs/', '/health/ready'])
    expect((await fetch(running.url + path)).status, path).toBe(200);
  const reelay = (...args: string[]) => installation.reelay(folder, args, { PORT: new URL(running.url).port });
  await reelay('users', 'create', '--email', EMAIL);
  const key = await reelay('keys', 'create', '--user', EMAIL);
  const to = await reelay('sandbox', 'connect', '--user', EMAIL, '--platform', 'mastodon', '--username', 'nora');
  const video = await give(await makeVideo({ seconds: 3, width: 360, height: 640, fps: 24 }), folder, 'video.mp4');
  const post = ['post', video, '--to', to, '--description', 'From the package', '--wait'];
  const service = { REELAY_URL: running.url, REELAY_API_KEY: key };
  expect(await installation.reelay(folder, post, service)).toMatch(/^SUCCESS mastodon @nora/);
  const feed = (await (await fetch(`${running.url}/sandbox/feed.json`)).json()) as { text: string }[];
  expect(feed.map(({ text }) => text)).toEqual(['From the package']);
});

describe('nothing runs on', () => {
  test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('after npm gets %s', async (signal) => {
    const { running } = await viaNpx();
    running.process.kill(signal);
    await expectEnd(running);
  });

  test.each(['SIGTERM', 'SIGHUP', 'SIGINT'] as const)('after the service gets %s', async (signal) => {
    const folder = await installation.createFolder();
    const running = await installation.start(folder, [join(installation.prefix, 'bin/reelay'), 'start']);
    running.process.kill(signal);
    await expectEnd(running);
    await expect.poll(() => running.process.exitCode).toBe(0);
  });
});

test('source maps lead to the sources', async () => {
  const folder = join(installation.prefix, 'lib/node_modules/reelay/packages/server/dist');
  const said = 'Reelay is at ';
  const before = (await readFile(join(folder, 'main.js'), 'utf8')).split(said)[0]?.split('\n') ?? [];
  const map = new SourceMap(JSON.parse(await readFile(join(folder, 'main.js.map'), 'utf8')));
  const found = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
  const { originalSource = '', originalLine = 0 } = 'originalSource' in found ? found : {};
  expect(join(folder, originalSource)).toBe(join(folder, '../src/main.ts'));
  const source = await readFile(join(top, 'packages/server/src/main.ts'), 'utf8');
  expect(source.split('\n')[originalLine]).toContain(said);
});
