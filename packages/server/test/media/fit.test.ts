import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createMediaChecker } from '../../src/media/check.ts';
import { FIT_LIMITS, fitVideo } from '../../src/media/fit.ts';
import { createMedia } from '../../src/media/media.ts';
import { createSemaphore } from '../../src/media/semaphore.ts';
import { editFile, hdrVideo, makeVideo } from './fixtures.ts';
import { turnQuarter } from './hostile.ts';
import { colourAt } from './pictures.ts';

const tools = inject('tools');
const media = createMedia(tools);
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-fit-'));
});
afterAll(() => rm(folder, { recursive: true }));
const out = () => join(folder, 'out.mp4');

async function fit(path: string, how: 'pad' | 'crop') {
  return media.fit(path, how, out(), await media.check(path, { fit: how }));
}
/** A landscape video in one colour that is not black. */
const landscape = () =>
  makeVideo({ seconds: 3, width: 320, height: 180, picture: 'plain', seed: 0xd0_00_00 - 0x20_40_60 });

describe('a video that is fitted', () => {
  test('gets bars when padded, and passes the check as 9:16', async () => {
    expect(media.needsFit(await media.check(await landscape(), { fit: 'pad' }))).toBe(true);
    const facts = await fit(await landscape(), 'pad');
    expect(media.needsFit(facts)).toBe(false);
    expect(facts).toMatchObject({ width: 1080, height: 1920, container: 'mp4', videoCodec: 'h264', audioCodec: 'aac' });
    expect(Math.abs(facts.durationMs - 3000)).toBeLessThan(100);
    expect(await colourAt(out(), 0.05)).toBe('black');
    expect(await colourAt(out(), 0.5)).toBe('red');
    expect(await media.check(out())).toEqual(facts);
  });

  test('fills the frame when cropped', async () => {
    await fit(await landscape(), 'crop');
    expect([await colourAt(out(), 0), await colourAt(out(), 1)]).toEqual(['red', 'red']);
  });

  test('has its index before its data', async () => {
    await fit(await landscape(), 'pad');
    const bytes = await readFile(out());
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  test('is turned upright and keeps being silent', async () => {
    const silent = await makeVideo({ seconds: 3, width: 180, height: 240, audio: false });
    const turned = await editFile(silent, turnQuarter);
    expect(await fit(turned, 'pad')).toMatchObject({ width: 1080, height: 1920, rotation: 0, hasAudio: false });
  });

  test('from HDR is ordinary afterwards', async () => {
    expect(await fit(await hdrVideo(), 'pad')).toMatchObject({ hdr: false, pixelFormat: 'yuv420p' });
  });
});

describe('a fit that fails leaves nothing', () => {
  const leftovers = async () => (await readdir(folder)).filter((name) => name !== 'out.mp4');
  const facts = async () => media.check(await landscape(), { fit: 'pad' });

  test('when it takes too long', async () => {
    const checker = createMediaChecker({ tools });
    const limits = { ...FIT_LIMITS, wallMs: 30 };
    const fitting = fitVideo(await landscape(), 'pad', join(folder, 'slow.mp4'), await facts(), {
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

  test('when it is called off', async () => {
    const stop = new AbortController();
    const fitting = media.fit(await landscape(), 'pad', join(folder, 'off.mp4'), await facts(), stop.signal);
    stop.abort(new Error('called off'));
    await expect(fitting).rejects.toThrow('called off');
    expect(await leftovers()).toEqual([]);
  });

  test('when the video does not decode', async () => {
    const noise = await editFile(await landscape(), (bytes) => bytes.fill(7, bytes.indexOf('mdat') + 4));
    const fitting = media.fit(noise, 'pad', join(folder, 'noise.mp4'), await facts());
    await expect(fitting).rejects.toMatchObject({ code: 'video_unreadable' });
    expect(await leftovers()).toEqual([]);
  });

  test('when what comes out is shorter than what went in', async () => {
    const fitting = media.fit(await landscape(), 'pad', join(folder, 'short.mp4'), {
      ...(await facts()),
      durationMs: 9000,
    });
    await expect(fitting).rejects.toMatchObject({ code: 'video_unreadable', message: expect.stringContaining('end') });
    expect(await leftovers()).toEqual([]);
  });

  test('when the folder is not there', async () => {
    const fitting = media.fit(await landscape(), 'pad', join(folder, 'nowhere', 'out.mp4'), await facts());
    await expect(fitting).rejects.toMatchObject({ code: 'storage_unavailable' });
  });
});
