import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSemaphore } from '../../src/lib/semaphore.ts';
import { createMediaChecker } from '../../src/media/check.ts';
import { FIT_LIMITS, fitVideo } from '../../src/media/fit.ts';
import { createMedia } from '../../src/media/media.ts';
import { type Fit, NO_ADJUSTMENTS, type VideoFacts } from '../../src/media/types.ts';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';
import { withFolder } from '../harness/folder.ts';
import { provided } from '../harness/provided.ts';
import { editFile, hdrVideo, makeVideo } from './fixtures.ts';
import { turnQuarter } from './hostile.ts';
import { coloursAt } from './pictures.ts';

const tools = provided('tools');
const media = createMedia(tools).of('user');
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-fit-'));
});
afterAll(() => rm(folder, { recursive: true }));
const out = () => join(folder, 'out.mp4');

const by = (fit: Fit) => ({ ...NO_ADJUSTMENTS, fit });
async function fit(path: string, how: Fit) {
  return media.fit(path, by(how), out(), await media.check(path, { fit: how }));
}
/** A landscape video in one color other than black. It has few frames, because each is enlarged. */
const landscape = () =>
  makeVideo({ seconds: 3, width: 320, height: 180, fps: 2, picture: 'plain', seed: 0xd0_00_00 - 0x20_40_60 });

describe('a fitted video', () => {
  test('has bars when padded and passes the check', async () => {
    const before = await media.check(await landscape(), { fit: 'pad' });
    expect(media.needsFit(before)).toBe(true);
    const facts = await media.fit(await landscape(), by('pad'), out(), before);
    expect(media.needsFit(facts)).toBe(false);
    expect(facts).toMatchObject({ width: 1080, height: 1920, container: 'mp4', videoCodec: 'h264', audioCodec: 'aac' });
    expect(Math.abs(facts.durationMs - 3000)).toBeLessThan(100);
    const places = [0.05, 0.5].map((part) => [out(), part] as const);
    expect(await coloursAt(places)).toEqual(['black', 'red']);
    expect(await media.check(out())).toEqual(facts);
    const bytes = await readFile(out());
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  test('fills the frame when cropped', async () => {
    await fit(await landscape(), 'crop');
    expect(await coloursAt([0, 1].map((part) => [out(), part] as const))).toEqual(['red', 'red']);
  });

  test.each(drawn(['pad', 'crop'] as const, ONE_IN.media))(
    seeded('gets its thumbnail from the same start of ffmpeg: %s'),
    async (how) => {
      await withFolder(async (own) => {
        const log = join(own, 'starts');
        const counted = join(own, 'ffmpeg');
        // Starts that only compare frames write no file.
        const count = `case "$*" in *" -y "*) echo x >> ${log} ;; esac`;
        await writeFile(counted, `#!/bin/sh\n${count}\nexec ${tools.ffmpeg} "$@"\n`, { mode: 0o755 });
        const path = await landscape();
        const facts = await media.check(path, { fit: how });
        const taken = { atSeconds: 99, outPath: join(own, 'taken.jpg') };
        const [fitted, apart] = [join(own, 'fitted.mp4'), join(own, 'apart.jpg')];
        await createMedia({ ...tools, ffmpeg: counted })
          .of('user')
          .fit(path, by(how), fitted, facts, { picture: taken });
        expect(await readFile(log, 'utf8')).toBe('x\n');
        for (const file of [fitted, taken.outPath]) expect((await stat(file)).mode & 0o777).toBe(0o600);
        await media.thumbnail(fitted, 99, apart, await media.check(fitted));
        const places = [taken.outPath, apart].flatMap((file) => [0.05, 0.5].map((part) => [file, part] as const));
        const [top, middle, ...rest] = await coloursAt(places);
        expect(rest).toEqual([top, middle]);
        expect([top, middle]).toEqual(how === 'pad' ? ['black', 'red'] : ['red', 'red']);
      });
    },
  );

  test('is rotated upright and stays silent', async () => {
    const silent = await makeVideo({ seconds: 3, width: 180, height: 240, fps: 2, audio: false });
    const turned = await editFile(silent, turnQuarter);
    expect(await fit(turned, 'pad')).toMatchObject({ width: 1080, height: 1920, rotation: 0, hasAudio: false });
  });

  test('from HDR is SDR afterwards', async () => {
    expect(await fit(await hdrVideo(2), 'pad')).toMatchObject({ hdr: false, pixelFormat: 'yuv420p' });
  });
});

describe('a failed fit leaves no file', () => {
  const leftovers = async () => (await readdir(folder)).filter((name) => name !== 'out.mp4');
  let facts: VideoFacts;
  beforeAll(async () => {
    facts = await media.check(await landscape(), { fit: 'pad' });
  });

  test('when it times out', async () => {
    const checker = createMediaChecker({ tools });
    const limits = { ...FIT_LIMITS, wallMs: 30 };
    const fitting = fitVideo(await landscape(), by('pad'), join(folder, 'slow.mp4'), facts, {
      tools,
      checker,
      limits,
      slots: createSemaphore(1),
    });
    await expect(fitting).rejects.toMatchObject({
      code: 'video_unreadable',
      message: expect.stringContaining('too long'),
    });
    expect(await leftovers()).toEqual([]);
  });

  test('when it is aborted', async () => {
    const stop = new AbortController();
    const fitting = media.fit(await landscape(), by('pad'), join(folder, 'off.mp4'), facts, {
      signal: stop.signal,
    });
    stop.abort(new Error('called off'));
    await expect(fitting).rejects.toThrow('called off');
    expect(await leftovers()).toEqual([]);
  });

  test('when the video cannot be decoded', async () => {
    const noise = await editFile(await landscape(), (bytes) => bytes.fill(7, bytes.indexOf('mdat') + 4));
    const fitting = media.fit(noise, by('pad'), join(folder, 'noise.mp4'), facts);
    await expect(fitting).rejects.toMatchObject({ code: 'video_unreadable' });
    expect(await leftovers()).toEqual([]);
  });

  test('when the output is shorter than the input', async () => {
    const fitting = media.fit(await landscape(), by('pad'), join(folder, 'short.mp4'), { ...facts, durationMs: 9000 });
    await expect(fitting).rejects.toMatchObject({ code: 'video_unreadable', message: expect.stringContaining('end') });
    expect(await leftovers()).toEqual([]);
  });

  test('when the folder is missing', async () => {
    const fitting = media.fit(await landscape(), by('pad'), join(folder, 'nowhere', 'out.mp4'), facts);
    await expect(fitting).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});
