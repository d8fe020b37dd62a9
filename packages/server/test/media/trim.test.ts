import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMedia } from '../../src/media/media.ts';
import { partOf } from '../../src/media/part.ts';
import { type Adjustments, NO_ADJUSTMENTS, type VideoFacts } from '../../src/media/types.ts';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';
import { provided } from '../harness/provided.ts';
import { hdrVideo, makeVideo, runFfmpeg } from './fixtures.ts';
import { colourAt, sizeOf } from './pictures.ts';

const run = promisify(execFile);
const media = createMedia(provided('tools')).of('user');
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-trim-'));
});
afterAll(() => rm(folder, { recursive: true }));

const EXTENSIONS = ['mp4', 'mkv', 'webm', 'ts', 'flv', 'avi'] as const;
type Extension = (typeof EXTENSIONS)[number];

const CODECS: Record<Extension, readonly string[]> = {
  mp4: ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
  mkv: ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
  webm: ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'],
  ts: ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
  flv: ['-c:v', 'flv', '-c:a', 'aac', '-ar', '44100'],
  avi: ['-c:v', 'mpeg4', '-c:a', 'mp2'],
};

interface Signal {
  extension?: Extension;
  /** When the picture turns from red to blue, and the tone begins, in seconds. */
  at: number;
  seconds: number;
  size?: string;
  /** Options of the output. */
  extra?: readonly string[];
}

/** A video whose picture and sound change at the same moment. */
function signal({ extension = 'mp4', at, seconds, size = '180x320', extra = [] }: Signal): Promise<string> {
  const color = (name: string, length: number) => `color=c=${name}:size=${size}:rate=25:duration=${length}`;
  const graph = `${color('red', at)}[a];${color('blue', seconds - at)}[b];[a][b]concat`;
  const tone = `aevalsrc='if(gte(t,${at}),0.5*sin(880*2*PI*t),0)':s=44100:d=${seconds}`;
  const input = ['-f', 'lavfi', '-i', graph, '-f', 'lavfi', '-i', tone];
  return runFfmpeg(extension, [...input, ...CODECS[extension], '-pix_fmt', 'yuv420p', '-g', '120', ...extra]);
}

/** When the picture turns blue, and when the sound begins, in seconds. */
async function changesOf(path: string): Promise<{ picture: number; sound: number }> {
  const raw = { encoding: 'buffer', maxBuffer: 32 * 1024 * 1024 } as const;
  const decode = ['-v', 'error', '-i', path];
  const film = ['-vf', 'fps=100:start_time=0,scale=1:1,format=rgb24', '-an', '-f', 'rawvideo', '-'];
  const tone = ['-vn', '-ac', '1', '-ar', '8000', '-af', 'aresample=first_pts=0', '-f', 's16le', '-'];
  const [{ stdout: pixels }, { stdout: samples }] = await Promise.all([
    run('ffmpeg', [...decode, ...film], raw),
    run('ffmpeg', [...decode, ...tone], raw),
  ]);
  let picture = 0;
  while (picture * 3 < pixels.length && (pixels[picture * 3] ?? 0) > (pixels[picture * 3 + 2] ?? 0)) picture += 1;
  let sound = 0;
  while (sound * 2 < samples.length && Math.abs(samples.readInt16LE(sound * 2)) < 2_000) sound += 1;
  return { picture: picture / 100, sound: sound / 8_000 };
}

async function cut(path: string, startMs: number, endMs: number | null, adjustments: Partial<Adjustments> = {}) {
  const wanted = { ...NO_ADJUSTMENTS, ...adjustments, trim: { startMs, endMs } };
  const facts = await media.check(path, { fit: wanted.fit, isTrimmed: true });
  const out = join(folder, 'out.mp4');
  return { out, made: await media.fit(path, wanted, out, facts) };
}

describe('a part of a video', () => {
  test.each(drawn(EXTENSIONS, ONE_IN.media))(seeded('starts and ends on time: %s'), async (extension) => {
    const path = await signal({ extension, at: 17.52, seconds: 24 });
    const { out, made } = await cut(path, 14_300, 20_900);
    expect(made).toMatchObject({ width: 180, height: 320, videoCodec: 'h264', audioCodec: 'aac', hasAudio: true });
    expect(Math.abs(made.durationMs - 6_600)).toBeLessThanOrEqual(60);
    const { picture, sound } = await changesOf(out);
    expect(Math.abs(picture - 3.22)).toBeLessThanOrEqual(0.06);
    // A viewer notices sound that is 45 ms early or 125 ms late (ITU-R BT.1359).
    expect(sound - picture).toBeGreaterThan(-0.045);
    expect(sound - picture).toBeLessThan(0.09);
  });

  test('starts with the picture that a still video shows then', async () => {
    const still = ['-vf', "select='eq(n,0)+gte(n,250)'", '-fps_mode', 'vfr'];
    const path = await signal({ at: 10, seconds: 16, extra: still });
    const { out, made } = await cut(path, 5_000, 13_000);
    expect(Math.abs(made.durationMs - 8_000)).toBeLessThanOrEqual(60);
    const { picture, sound } = await changesOf(out);
    expect(Math.abs(picture - 5)).toBeLessThanOrEqual(0.06);
    expect(Math.abs(sound - 5)).toBeLessThanOrEqual(0.06);
  });

  test('is found without an index', async () => {
    // Matroska without cues: a seek has no list of key frames.
    const path = await signal({ extension: 'mkv', at: 12, seconds: 18, extra: ['-live', '1'] });
    const { out } = await cut(path, 9_000, 16_000);
    const { picture } = await changesOf(out);
    expect(Math.abs(picture - 3)).toBeLessThanOrEqual(0.06);
  });

  test('may be as long as the limits of posts', async () => {
    const path = await makeVideo({ seconds: 130, fps: 2, picture: 'plain', width: 90, height: 160 });
    for (const [startMs, endMs] of [
      [30_000, 120_000],
      [127_000, null],
    ] as const) {
      const { out, made } = await cut(path, startMs, endMs);
      expect(Math.abs(made.durationMs - ((endMs ?? 130_000) - startMs))).toBeLessThanOrEqual(50);
      expect(await media.check(out)).toEqual(made);
    }
  });

  test('of a large video is reduced to 1080 × 1920', async () => {
    const path = await makeVideo({ seconds: 4, fps: 2, picture: 'plain', width: 1440, height: 2560 });
    expect((await cut(path, 500, 3_500)).made).toMatchObject({ width: 1080, height: 1920 });
  });

  test('has its thumbnail from the part, in the wanted shape', async () => {
    const path = await signal({ at: 6, seconds: 12, size: '320x180' });
    const facts = await media.check(path, { fit: 'blur' });
    const wanted = { ...NO_ADJUSTMENTS, fit: 'blur' as const, trim: { startMs: 4_000, endMs: 7_000 } };
    const picture = { atSeconds: 2.5, outPath: join(folder, 'part.jpg') };
    await media.fit(path, wanted, join(folder, 'shaped.mp4'), facts, { picture });
    expect(await sizeOf(picture.outPath)).toBe('720x1280');
    expect(await colourAt(picture.outPath, 0.5)).toBe('blue');
  });

  test('may be silent where the whole video is not', async () => {
    const path = await signal({ at: 8, seconds: 12 });
    const { made } = await cut(path, 1_000, 6_000);
    expect(made.hasAudio).toBe(true);
  });

  test('of HDR is SDR, and its scratch files are removed', async () => {
    const path = await hdrVideo();
    const { made } = await cut(path, 0, 2_960);
    expect(made).toMatchObject({ hdr: false, pixelFormat: 'yuv420p' });
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

describe('the limits of a part', () => {
  const facts = { durationMs: 120_000, lastFrameMs: 119_960, fps: 25 } as VideoFacts;
  const error = (startMs: number, endMs: number | null, of = facts) => {
    try {
      return partOf({ startMs, endMs }, of);
    } catch (thrown) {
      return (thrown as { code: string }).code;
    }
  };

  test('are 3 and 90 seconds, within the video', () => {
    expect(partOf(null, facts)).toBeNull();
    expect(error(10_000, 100_000)).toEqual({ startMs: 10_000, lengthMs: 90_000 });
    expect(error(10_000, 100_051)).toBe('video_too_long');
    expect(error(10_000, 12_949)).toBe('video_too_short');
    expect(error(117_000, null)).toEqual({ startMs: 117_000, lengthMs: 3_000 });
    expect(error(0, null)).toBe('video_too_long');
    expect(error(60_000, 120_051)).toBe('invalid_request');
    expect(error(60_000, 120_050)).toEqual({ startMs: 60_000, lengthMs: 60_000 });
    expect(error(120_000, null)).toBe('invalid_request');
  });

  test('do not concern a whole video', () => {
    const short = { durationMs: 40_000, lastFrameMs: 39_960, fps: 25 } as VideoFacts;
    expect(error(0, 40_000, short)).toBeNull();
    expect(error(0, 39_999, short)).toEqual({ startMs: 0, lengthMs: 39_999 });
  });

  test('need three seconds of picture', () => {
    const loud = { durationMs: 60_000, lastFrameMs: 20_000, fps: 25 } as VideoFacts;
    expect(error(18_000, 40_000, loud)).toBe('video_too_short');
    expect(error(10_000, 40_000, loud)).toEqual({ startMs: 10_000, lengthMs: 30_000 });
  });

  test('allow ten minutes of video only with a part', async () => {
    const long = await makeVideo({ seconds: 100, fps: 2, picture: 'plain' });
    await expect(media.check(long)).rejects.toMatchObject({
      code: 'video_too_long',
      message: expect.stringContaining('trimStart'),
    });
    expect(await media.check(long, { isTrimmed: true })).toMatchObject({ width: 180 });
    const longer = await makeVideo({ seconds: 610, fps: 1, audio: false, picture: 'plain', width: 90, height: 160 });
    await expect(media.check(longer, { isTrimmed: true })).rejects.toMatchObject({ code: 'video_too_long' });
  });
});

describe('a cropped video', () => {
  test.each([
    [0, 'red'],
    [1, 'blue'],
  ] as const)('keeps the part at position %d', async (cropPosition, color) => {
    const halves = 'color=c=red:size=160x180:rate=1:duration=3[a];color=c=blue:size=160x180:rate=1:duration=3[b]';
    const path = await runFfmpeg('mp4', ['-f', 'lavfi', '-i', `${halves};[a][b]hstack`, ...CODECS.mp4]);
    const out = join(folder, 'cropped.mp4');
    const facts = await media.check(path, { fit: 'crop' });
    await media.fit(path, { ...NO_ADJUSTMENTS, fit: 'crop', cropPosition }, out, facts);
    expect(await colourAt(out, 0.5)).toBe(color);
  });
});

describe('blurred bars', () => {
  test('have the colors of the video', async () => {
    const path = await runFfmpeg('mp4', ['-f', 'lavfi', '-i', 'color=c=red:size=320x180:rate=1:duration=3']);
    const out = join(folder, 'blurred.mp4');
    await media.fit(path, { ...NO_ADJUSTMENTS, fit: 'blur' }, out, await media.check(path, { fit: 'blur' }));
    for (const height of [0.02, 0.5, 0.98]) expect(await colourAt(out, height)).toBe('red');
  });

  test('are made of HDR too', async () => {
    const wide = [
      '-vf',
      'scale=320:180,setsar=1',
      '-frames:v',
      '6',
      '-c:v',
      'libx265',
      '-preset',
      'ultrafast',
      '-tag:v',
      'hvc1',
    ];
    const path = await runFfmpeg('mp4', ['-i', await hdrVideo(2), ...wide]);
    const out = join(folder, 'blurred-hdr.mp4');
    const facts = await media.check(path, { fit: 'blur' });
    expect(facts.hdr).toBe(true);
    expect(await media.fit(path, { ...NO_ADJUSTMENTS, fit: 'blur' }, out, facts)).toMatchObject({
      ...{ width: 1080, height: 1920, hdr: false, pixelFormat: 'yuv420p' },
    });
  });
});
