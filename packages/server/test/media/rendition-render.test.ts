import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TONE_MAP_VIDEO } from '../../src/media/commands.ts';
import { createMedia } from '../../src/media/media.ts';
import { progressOf } from '../../src/media/rendition/args.ts';
import type { VideoLimits } from '../../src/media/rendition/limits.ts';
import { planRendition, type RenditionSpec } from '../../src/media/rendition/plan.ts';
import { drawn, ONE_IN, seeded } from '../harness/draw.ts';
import { provided } from '../harness/provided.ts';
import { editFile, makeVideo, runFfmpeg } from './fixtures.ts';
import { turnBy } from './hostile.ts';
import { KINDS } from './kinds.ts';
import { difference, flashesAndBeeps, picturesOfBoth, upsideDown } from './pictures.ts';

const run = promisify(execFile);
const media = createMedia(provided('tools')).of('user');
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reelay-render-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The strictest limits of all platforms, combined. */
const STRICT: VideoLimits = {
  maxBytes: 49_000_000,
  minBytes: 76_800,
  minSeconds: 3,
  maxSeconds: 60,
  containers: ['mp4'],
  videoCodecs: ['h264'],
  pixelFormats: ['yuv420p'],
  audioCodecs: ['aac'],
  audioProfiles: ['LC'],
  maxAudioChannels: 2,
  maxAudioRate: 48_000,
  minFps: 23,
  maxFps: 60,
  steadyRate: true,
  progressive: true,
  squarePixels: true,
  maxBitrate: 25_000_000,
  indexFirst: true,
};

async function render(path: string, limits: VideoLimits = STRICT) {
  const facts = await media.check(path, { fit: 'pad' });
  const plan = planRendition(limits, facts);
  if (plan.fits || !plan.spec) throw new Error(`no rendition: ${JSON.stringify(plan)}`);
  const out = join(folder, `${randomUUID()}.mp4`);
  const told: number[] = [];
  const made = await media.render(path, facts, plan.spec, out, { onProgress: (done) => told.push(done) });
  expect(planRendition(limits, made)).toEqual({ fits: true });
  return { facts, spec: plan.spec, made, out, told };
}

// Most of the time is spent in ffmpeg, on one core each.
describe.concurrent('a rendition', () => {
  test.each(drawn(Object.entries(KINDS), ONE_IN.conversions, 'kinds'))(
    seeded('%s keeps picture and length, and has the requested form'),
    async (name, make) => {
      const path = await make();
      const { facts, spec, made, out, told } = await render(path);
      expect(spec.video).not.toBe('copy');
      expect(made).toMatchObject({
        rotation: 0,
        hdr: false,
        pixelFormat: 'yuv420p',
        videoCodec: 'h264',
        indexFirst: true,
      });
      expect([made.codedWidth, made.codedHeight]).toEqual([made.width, made.height]);
      expect(made.hasAudio).toBe(facts.hasAudio);
      expect(Math.abs(made.durationMs - facts.durationMs)).toBeLessThanOrEqual(50);
      expect(told).toEqual([...told].sort((one, other) => one - other));
      expect(told.at(-1)).toBeGreaterThan(0.9);
      // Scaling blends the colors of neighbors differently in 4:2:0 and 4:4:4.
      const filters = [...(facts.hdr ? TONE_MAP_VIDEO : []), 'format=yuv420p'];
      const [shown, meant] = await picturesOfBoth(out, path, filters);
      expect(Math.abs(shown.length - meant.length)).toBeLessThanOrEqual(18 * 32 * 3);
      expect(difference(shown, meant), name).toBeLessThan(8);
      expect(difference(upsideDown(shown), meant), name).toBeGreaterThan(40);
    },
  );

  test('has no edit list or metadata, and regular key frames', async () => {
    const source = await makeVideo({ seconds: 6, fps: 10, extra: ['-metadata', 'title=Holidays', '-g', '600'] });
    const { out, made } = await render(source);
    const bytes = await readFile(out);
    expect(['elst', 'Holidays', 'Lavf'].filter((word) => bytes.includes(word))).toEqual([]);
    const entries = ['-select_streams', 'v', '-show_entries', 'packet=pts_time,flags', '-of', 'csv=p=0'];
    const { stdout } = await run('ffprobe', ['-v', 'error', ...entries, out]);
    const keys = stdout.split('\n').filter((line) => line.includes('K'));
    const at = keys.map((line) => Number.parseFloat(line));
    expect(at[0]).toBe(0);
    for (const [index, time] of [...at, 6].entries()) expect(time - (at[index - 1] ?? 0)).toBeLessThan(2.001);
    expect(await media.check(out)).toEqual(made);
  });

  test.each(
    drawn(
      [
        ['begins later than the picture', ['-itsoffset', '0.5']],
        ['begins with it', []],
      ] as const,
      ONE_IN.media,
      'sound',
    ),
  )(seeded('whose sound %s keeps both in step'), async (_, offset) => {
    const dark = "color=white:size=90x160:rate=30:duration=3,drawbox=c=black:t=fill:enable='gte(mod(t,1),0.0999)'";
    const late = offset.length > 0 ? 0.5 : 0;
    const beep = `aevalsrc='if(lt(mod(t+${late},1),0.1),sin(2*PI*1000*t),0)':s=44100:d=${3 - late}`;
    const codecs = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'];
    const path = await runFfmpeg('mkv', ['-f', 'lavfi', '-i', dark, ...offset, '-f', 'lavfi', '-i', beep, ...codecs]);
    const { flashes, beeps } = await flashesAndBeeps((await render(path)).out);
    expect(flashes.slice(-2)).toHaveLength(2);
    for (const [at, flash] of flashes.slice(-2).entries())
      expect(Math.abs(flash - (beeps.slice(-2)[at] ?? Number.NaN))).toBeLessThanOrEqual(0.04);
  });

  test('with a small budget stays within it', async () => {
    const noise = 'nullsrc=size=270x480:rate=30:duration=3,noise=alls=100:allf=t';
    const path = await runFfmpeg('mp4', [
      '-f',
      'lavfi',
      '-i',
      noise,
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-qp',
      '20',
    ]);
    const { facts, made, spec } = await render(path, { ...STRICT, maxBytes: 400_000 });
    expect(spec.video).toMatchObject({ width: 270, maxRate: 640_000 });
    expect(facts.bytes).toBeGreaterThan(4_000_000);
    expect(made.bytes).toBeLessThanOrEqual(400_000);
    expect(made.bytes).toBeGreaterThan(200_000);
  });

  test('slightly over the maximum length is shortened to it', async () => {
    const path = await makeVideo({ seconds: 3.04, fps: 50, picture: 'plain' });
    const { made } = await render(path, { ...STRICT, maxSeconds: 3, minSeconds: 2.9, maxFps: 30 });
    expect(made.durationMs).toBeLessThanOrEqual(3_000);
    expect(made.durationMs).toBeGreaterThanOrEqual(2_950);
  });

  test('of a rejected shape has bars', async () => {
    const path = await makeVideo({ seconds: 3, width: 320, height: 180, fps: 5 });
    const { made } = await render(path, { ...STRICT, minFps: 1, maxAspect: 9 / 16 });
    expect(made.width / made.height).toBeCloseTo(9 / 16, 1);
  });
});

describe.concurrent('a stream copy', () => {
  /** Whether the packets of both files are equal, by stream. */
  const isSameIn = async (one: string, other: string) => {
    const args = [
      '-v',
      'error',
      '-i',
      one,
      '-i',
      other,
      '-map',
      '0',
      '-map',
      '1',
      '-c',
      'copy',
      '-f',
      'streamhash',
      '-',
    ];
    const { stdout } = await run('ffmpeg', args);
    const hashes = [...stdout.matchAll(/^\d+,([va]),(\w+=\w+)$/gm)].map(([, type, hash]) => ({ type, hash }));
    const isSame = (type: 'v' | 'a') => {
      const found = hashes.filter((each) => each.type === type).map(({ hash }) => hash);
      expect(found).toHaveLength(2);
      return found[0] === found[1];
    };
    return isSame;
  };
  const film = (extension: 'mp4' | 'mov' | 'mkv' | 'ts', extra: readonly string[] = []) =>
    makeVideo({ seconds: 3, fps: 25, extension, extra });

  const copied: [string, () => Promise<string>, RenditionSpec['audio'], ('v' | 'a')[]][] = [
    ['in another container', () => film('mkv'), 'copy', ['v', 'a']],
    ['with its index last', () => film('mp4', ['-movflags', '-faststart']), 'copy', ['v', 'a']],
    ['with other sound', () => film('mkv', ['-c:a', 'libmp3lame']), 'aac', ['v']],
    ['with too many channels', () => film('mp4', ['-ac', '6']), 'aac', ['v']],
    ['without sound', () => makeVideo({ seconds: 3, fps: 25, extension: 'mov', audio: false }), 'none', ['v']],
    ['too small', () => makeVideo({ seconds: 3, fps: 25, picture: 'plain' }), 'copy', ['v', 'a']],
  ];
  test.each(drawn(copied, ONE_IN.media, 'copied'))(seeded('is copied: %s'), async (_, make, audio, same) => {
    const path = await make();
    const { spec, out, facts, made } = await render(path);
    expect(spec).toEqual({ container: 'mp4', video: 'copy', audio });
    const isSame = await isSameIn(out, path);
    for (const stream of same) expect(isSame(stream)).toBe(true);
    if (audio === 'aac') expect(isSame('a')).toBe(false);
    expect(Math.abs(made.durationMs - facts.durationMs)).toBeLessThanOrEqual(40);
  });

  test('is made of transport streams and tags HEVC', async () => {
    const path = await film('ts');
    const { spec, out } = await render(path);
    expect(spec).toMatchObject({ video: 'copy', audio: 'copy' });
    expect(difference(...(await picturesOfBoth(out, path)))).toBeLessThan(8);
    const hevc = await render(await KINDS['in HEVC, without sound'](), { maxBytes: 9e6, containers: ['mp4'] });
    expect(hevc.spec.video).toBe('copy');
    expect((await readFile(hevc.out)).includes('hvc1')).toBe(true);
  });

  test('gets a silent track if audio is required', async () => {
    const silent = await makeVideo({ seconds: 3, fps: 25, audio: false });
    const { spec, made } = await render(silent, { ...STRICT, minBytes: 1, needsAudio: true });
    expect(spec).toEqual({ container: 'mp4', video: 'copy', audio: 'silence' });
    expect(made).toMatchObject({ hasAudio: true, audioChannels: 2, audioRate: 48_000 });
  });

  test('keeps its rotation', async () => {
    const last = await makeVideo({ seconds: 3, width: 320, height: 180, extra: ['-movflags', '-faststart'] });
    const turned = await editFile(last, turnBy(1));
    const { spec, made, out } = await render(turned, { maxBytes: 9e6, containers: ['mp4'], indexFirst: true });
    expect([spec.video, made.rotation]).toEqual(['copy', 90]);
    expect(difference(...(await picturesOfBoth(out, turned)))).toBeLessThan(1);
  });
});

test.each([
  ['out_time_us=1500000', 0.5],
  ['out_time_us=9000000', 1],
  ['out_time_us=N/A', null],
  ['out_time_us=-21333', null],
  ['progress=continue', null],
])('ffmpeg prints %s: %s', (line, done) => {
  expect(progressOf(line, 3)).toBe(done);
});
