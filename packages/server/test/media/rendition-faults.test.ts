import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSemaphore } from '../../src/lib/semaphore.ts';
import { createMediaChecker } from '../../src/media/check.ts';
import type { RenditionSpec } from '../../src/media/rendition/plan.ts';
import { type RenderOptions, RenditionFailed, renderLimits, renderVideo } from '../../src/media/rendition/render.ts';
import type { VideoFacts } from '../../src/media/types.ts';
import { provided } from '../harness/provided.ts';
import { editFile, makeVideo } from './fixtures.ts';
import type { Given } from './render-child.ts';

const tools = provided('tools');
const checker = createMediaChecker({ tools });
const ENCODED: RenditionSpec = {
  container: 'mp4',
  video: { width: 180, height: 320, fps: 10, maxRate: 16e6 },
  audio: 'aac',
};
/** Takes long enough to be interrupted. */
const LARGE: RenditionSpec = { ...ENCODED, video: { width: 540, height: 960, fps: 30, maxRate: 16e6 } };
const COPIED: RenditionSpec = { container: 'mp4', video: 'copy', audio: 'copy' };
const video = () => makeVideo({ seconds: 4 });
let folder = '';
let facts: VideoFacts;
beforeAll(async () => {
  facts = await checker.check(await video());
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-render-faults-'));
});
afterEach(() => rm(folder, { recursive: true }));

const defaults = { tools, checker, slots: createSemaphore(1) };
/** Makes `out.mp4` from a video with the facts of {@link video}. */
function render(path: string, spec: RenditionSpec = ENCODED, options: Partial<RenderOptions> = {}) {
  return renderVideo(path, facts, spec, join(folder, 'out.mp4'), { ...defaults, ...options });
}
/** The same video with part of its data overwritten; from and to are between 0 and 1. */
const damaged = async (from: number, to: number) =>
  editFile(await video(), (bytes) => {
    const start = bytes.indexOf('mdat') + 4;
    const at = (part: number) => start + Math.floor((bytes.length - start) * part);
    return bytes.fill(7, at(from), at(to));
  });
/** A script that replaces ffmpeg. */
async function standIn(script: string): Promise<Partial<RenderOptions>> {
  const path = join(folder, 'ffmpeg');
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o700);
  return { tools: { ...tools, ffmpeg: path } };
}
const remains = async () => (await readdir(folder)).filter((name) => name !== 'ffmpeg');

describe('a failed rendition leaves no file', () => {
  test.each([
    ['in the middle', 0.4, 0.6],
    ['from the middle on', 0.5, 1],
  ])('of a video that cannot be decoded %s', async (_, from, to) => {
    await expect(render(await damaged(from, to))).rejects.toMatchObject({
      code: 'video_unreadable',
      message: 'The video cannot be decoded to its end.',
    });
    expect(await remains()).toEqual([]);
  });

  test('of a video shorter than its facts', async () => {
    const said = { ...facts, durationMs: 9_000, lastFrameMs: 8_900 };
    for (const spec of [ENCODED, COPIED])
      await expect(renderVideo(await video(), said, spec, join(folder, 'x.mp4'), defaults)).rejects.toMatchObject({
        code: 'video_unreadable',
      });
    expect(await remains()).toEqual([]);
  });

  test('when ffmpeg is killed', async () => {
    const killed = render(await video(), ENCODED, await standIn('kill -9 $$'));
    await expect(killed).rejects.toThrow(new RenditionFailed('Converting the video was interrupted.'));
    expect(await remains()).toEqual([]);
  });

  test('when it times out', async () => {
    const slow = render(await video(), ENCODED, { limits: { ...renderLimits(facts), wallMs: 20 } });
    await expect(slow).rejects.toThrow(new RenditionFailed('Converting the video takes too long.'));
    expect(await remains()).toEqual([]);
  });

  test('when memory is insufficient', async () => {
    const limits = { ...renderLimits(facts), addressBytes: 500 * 1024 * 1024 };
    const large: RenditionSpec = { ...ENCODED, video: { width: 2160, height: 3840, fps: 30, maxRate: 16e6 } };
    const starved = render(await video(), large, { limits });
    await expect(starved).rejects.toThrow(new RenditionFailed('Converting the video takes too much memory.'));
    expect(await remains()).toEqual([]);
  });

  test('when aborted, before or during the run', async () => {
    const stop = new AbortController();
    const meanwhile = render(await video(), LARGE, {
      signal: stop.signal,
      onProgress: () => stop.abort(new Error('off')),
    });
    await expect(meanwhile).rejects.toThrow('off');
    await expect(render(await video(), ENCODED, { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
    expect(await remains()).toEqual([]);
  });

  test('when the folder is missing', async () => {
    const lost = renderVideo(await video(), facts, ENCODED, join(folder, 'nowhere', 'out.mp4'), defaults);
    await expect(lost).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});

test('a video with little damage is converted', async () => {
  const path = await damaged(0.5, 0.51);
  expect(await checker.check(path)).toEqual(facts);
  expect(await render(path)).toMatchObject({ width: 180, height: 320 });
});

test('a failed stream copy is encoded instead', async () => {
  // MP4 does not support VP8, and no plan would propose this.
  const path = await makeVideo({ seconds: 3, extension: 'webm' });
  const made = await renderVideo(path, await checker.check(path), COPIED, join(folder, 'out.mp4'), defaults);
  expect(made).toMatchObject({ videoCodec: 'h264', audioCodec: 'aac', width: 180, fps: 24 });
  expect(await remains()).toEqual(['out.mp4']);
});

/** A mount namespace with a small disk over the folder. */
const INSIDE = ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs "$0" && exec "$@"'];
const possible = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt']).status === 0;
const reason = possible ? '' : ' (not possible here: user name spaces with mounts are forbidden)';
const child = new URL('render-child.ts', import.meta.url).pathname;
const childCommand = (source: string, given: Omit<Given, 'tools'>) => [
  ...[process.execPath, child, source, folder],
  JSON.stringify({ tools, ...given }),
];

describe.runIf(possible)(`a disk that fills up${reason}`, () => {
  test('while encoding or copying is reported, without leftovers', async () => {
    const program = childCommand(await video(), { facts, specs: [LARGE, COPIED] });
    const run = spawn('unshare', [...INSIDE, folder, ...program], { stdio: ['ignore', 'pipe', 'inherit'] });
    expect(await text(run.stdout)).toBe('storage_full, 0 left\nstorage_full, 0 left\n');
  });
});

const canFollow = tools.limiter.kind === 'prlimit' && tools.limiter.setpriv !== undefined;
const whyNot = canFollow ? '' : ' (not possible here: setpriv of util-linux is missing)';

describe.runIf(canFollow)(`a process that is killed${whyNot}`, () => {
  /** Child processes that run this program. */
  async function childrenOf({ pid }: ChildProcess, program: string): Promise<number[]> {
    const listed = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ').map(Number);
    const names = await Promise.all(listed.map((each) => readFile(`/proc/${each}/comm`, 'utf8').catch(() => '')));
    return listed.filter((_, at) => names[at]?.trim() === program);
  }
  const isGone = async (pid: number) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'State:\tX');
    return /^State:\t[XZ]/m.test(status);
  };

  test('takes its ffmpeg with it', async () => {
    const long = await makeVideo({ seconds: 30, fps: 30 });
    const [program = '', ...args] = childCommand(long, { facts: await checker.check(long), specs: [LARGE] });
    const parent = spawn(program, args, { stdio: 'ignore' });
    const bounds = { timeout: 30_000, interval: 10 };
    const part = await vi.waitFor(async () => {
      const [name] = await remains();
      if (name === undefined || (await stat(join(folder, name))).size === 0) throw new Error('it has not begun');
      return join(folder, name);
    }, bounds);
    const [pid = 0] = await childrenOf(parent, 'ffmpeg');
    expect(pid).toBeGreaterThan(0);
    parent.kill('SIGKILL');
    await vi.waitFor(async () => expect(await isGone(pid)).toBe(true), bounds);
    // A completed run would have written the index.
    expect((await readFile(part)).includes('moov')).toBe(false);
  });
});
