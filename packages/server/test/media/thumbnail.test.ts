import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMedia } from '../../src/media/media.ts';
import { clampToPicture } from '../../src/media/thumbnail.ts';
import type { VideoFacts } from '../../src/media/types.ts';
import { drawn, ONE_IN, sampled, seeded } from '../harness/draw.ts';
import { provided } from '../harness/provided.ts';
import { editFile, hdrVideo, makeVideo, noiseVideo, redThenBlue } from './fixtures.ts';
import { turnQuarter } from './hostile.ts';
import { coloursAt, coloursOf, sizeOf } from './pictures.ts';

const tools = provided('tools');
const media = createMedia(tools).of('user');
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-thumbnail-'));
});
afterAll(() => rm(folder, { recursive: true }));

const known = new Map<string, VideoFacts>();
/** Facts of a video of any shape; checked once. */
async function factsOf(path: string): Promise<VideoFacts> {
  const facts = known.get(path) ?? (await media.check(path, { fit: 'pad' }));
  known.set(path, facts);
  return facts;
}

async function thumbnail(path: string, atSeconds: number): Promise<string> {
  const out = join(folder, `${randomUUID()}.jpg`);
  await media.thumbnail(path, atSeconds, out, await factsOf(path));
  return out;
}

describe('a thumbnail', () => {
  test.each(drawn([0, 0.01, 2, 1000], ONE_IN.media, 'at'))(seeded('of a 4 s video exists at %d s'), async (at) => {
    expect(await sizeOf(await thumbnail(await makeVideo(), at))).toBe('720x1280');
  });

  test('past the last frame shows the last frame', async () => {
    const facts = await factsOf(await makeVideo());
    expect([3.9, 3.99, 4, 1000].map((at) => clampToPicture(at, facts))).toEqual([3.8, 3.8, 3.8, 3.8]);
  });

  test.each(drawn(['mp4', 'mkv', 'webm', 'ts', 'flv'] as const, ONE_IN.media, 'containers'))(
    seeded('shows the moment that was asked for (%s)'),
    async (extension) => {
      const path = await redThenBlue(12, 4, extension);
      const edges = sampled([0, 0.05, 16], 3, extension);
      const shown: [string, number][] = [];
      const moments = [...edges, 11.5, 12.5];
      for (const at of moments) shown.push([await thumbnail(path, at), 0.5]);
      expect(await coloursAt(shown)).toEqual(moments.map((at) => (at < 12 ? 'red' : 'blue')));
    },
  );

  test.each(
    sampled(['mov', '3gp', 'avi', 'ts', 'flv'] as const, ONE_IN.media, 'end').flatMap((extension) =>
      drawn([2, 60], 2, extension).map((fps) => ({ extension, fps })),
    ),
  )(seeded('exists for the end ($extension, $fps frames a second)'), async (options) => {
    expect(await sizeOf(await thumbnail(await makeVideo(options), 4))).toBe('720x1280');
  });

  test('is rotated like the video', async () => {
    const turned = await editFile(await makeVideo({ width: 320, height: 180 }), turnQuarter);
    expect(await sizeOf(await thumbnail(turned, 1))).toBe('720x1280');
  });

  test('of another shape has bars', async () => {
    const out = await thumbnail(await makeVideo({ width: 320, height: 180, picture: 'plain', seed: 0x20_00_00 }), 1);
    expect(await sizeOf(out)).toBe('720x1280');
    const [bar, picture] = await coloursAt([
      [out, 0.05],
      [out, 0.5],
    ]);
    expect(bar).toBe('black');
    expect(picture).not.toBe('black');
  });

  test('of an HDR video is mapped to normal brightness', async () => {
    const path = await hdrVideo();
    const mapped = await thumbnail(path, 1);
    expect(await sizeOf(mapped)).toBe('720x1280');
    const flat = join(folder, 'flat.jpg');
    const unmapped = createMedia({ ...tools, missing: ['zscale'] }).of('user');
    await unmapped.thumbnail(path, 1, flat, await factsOf(path));
    const luma = await coloursOf([mapped, flat].map((picture) => [picture, 'scale=1:1,format=gray'] as const));
    expect(luma[0]?.[0]).not.toBeCloseTo(luma[1]?.[0] ?? Number.NaN, 0);
  });

  test('does not interpret a name as a pattern', async () => {
    const path = await makeVideo();
    await media.thumbnail(path, 0, join(folder, 'a%03d.jpg'), await factsOf(path));
    expect(await readdir(folder)).toContain('a%03d.jpg');
  });
});

describe('a video that demuxes but does not decode', () => {
  test('has no thumbnail and leaves no file', async () => {
    const noise = await noiseVideo();
    // Depending on the noise, the probe may detect it too. The error is the same.
    const before = await readdir(folder);
    await expect(thumbnail(noise, 1)).rejects.toMatchObject({ code: 'video_unreadable' });
    expect(await readdir(folder)).toEqual(before);
  });

  test('with huge frame sizes is rejected without decoding', async () => {
    const sync = Buffer.from([0x9d, 0x01, 0x2a]);
    const huge = await editFile(await makeVideo({ extension: 'webm' }), (bytes) => {
      for (let at = bytes.indexOf(sync); at > 0; at = bytes.indexOf(sync, at + 1)) {
        bytes.writeUInt16LE(16_383, at + 3);
        bytes.writeUInt16LE(16_383, at + 5);
      }
      return bytes;
    });
    const before = await readdir(folder);
    const facts = await media.check(huge);
    const made = media.thumbnail(huge, 1, join(folder, 'huge.jpg'), facts);
    await expect(made).rejects.toMatchObject({ code: 'video_unreadable' });
    expect(await readdir(folder)).toEqual(before);
  });
});

describe('a thumbnail that fails for another reason', () => {
  test('a missing folder is a storage error', async () => {
    const path = await makeVideo();
    const out = join(folder, 'nowhere', 'out.jpg');
    await expect(media.thumbnail(path, 0, out, await factsOf(path))).rejects.toMatchObject({
      code: 'storage_unavailable',
    });
  });

  test('an abort throws its reason and leaves no file', async () => {
    const path = await makeVideo();
    const facts = await factsOf(path);
    const stop = new AbortController();
    const making = media.thumbnail(path, 0, join(folder, 'aborted.jpg'), facts, stop.signal);
    stop.abort(new Error('called off'));
    await expect(making).rejects.toThrow('called off');
    expect(await readdir(folder)).not.toContain('aborted.jpg');
  });
});
