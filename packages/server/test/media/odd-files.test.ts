/** Conversions of files with edit lists, late times and unusual key frames. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import { findMisfits } from '../../src/media/rendition/findings.ts';
import { planRendition } from '../../src/media/rendition/plan.ts';
import { NO_ADJUSTMENTS } from '../../src/media/types.ts';
import { editFile, makeVideo, redThenBlue, runFfmpeg } from './fixtures.ts';
import { emptyTrack } from './hostile.ts';
import { ANY_MP4, card, ENCODED, H264, insideOf, lavfi, openWorkshop, pitchOf, tone, twoSounds } from './odd-files.ts';
import { colourAt, coloursOf } from './pictures.ts';

const run = promisify(execFile);
let workshop: Awaited<ReturnType<typeof openWorkshop>>;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

const limitsOf = (platform: string) => connectors[platform]?.capabilities.video ?? ANY_MP4;
const rulesOf = (platform: string, facts: Parameters<typeof findMisfits>[1]) =>
  findMisfits(limitsOf(platform), facts).map(({ rule }) => rule);

describe('a lossless cut', () => {
  /** The last 4 s of 7 s with one key frame, so that an edit list hides 3 s of red frames. */
  const cut = async (extension: 'mov' | 'mp4') => {
    const inputs = lavfi('color=red:s=180x320:r=10:d=3[a];color=blue:s=180x320:r=10:d=4[b];[a][b]concat', tone(7));
    const whole = await runFfmpeg('mp4', [...inputs, ...H264, '-g', '600', '-sc_threshold', '0', '-c:a', 'aac']);
    return runFfmpeg(extension, ['-ss', '3', '-i', whole, '-t', '4', '-c', 'copy']);
  };

  test('is encoded, so that the file hides nothing', async () => {
    const path = await cut('mov');
    const facts = await workshop.check(path);
    expect(Math.abs(facts.durationMs - 4000)).toBeLessThan(150);
    expect(facts.hiddenFrames).toBeGreaterThan(20);
    const { spec, out, made } = await workshop.render(path, ANY_MP4);
    expect(spec.video).not.toBe('copy');
    expect(made.hiddenFrames).toBeUndefined();
    expect((await insideOf(out)).flags.filter((flags) => flags.includes('D'))).toEqual([]);
    expect(await colourAt(out, 0.5)).toBe('blue');
  });

  test('is not accepted where edit lists are forbidden', async () => {
    const facts = await workshop.check(await cut('mp4'));
    for (const platform of ['instagram', 'threads']) expect(rulesOf(platform, facts)).toContain('noHiddenFrames');
    expect(rulesOf('youtube', facts)).toEqual([]);
  });

  test('is not copied by an older plan either', async () => {
    const { made } = await workshop.render(await cut('mov'), { container: 'mp4', video: 'copy', audio: 'copy' });
    expect(made.hiddenFrames).toBeUndefined();
  });
});

describe('times that do not start at 0', () => {
  const late = (extension: 'mkv' | 'webm' | 'mp4' | 'ts' | 'flv', extra: readonly string[] = []) =>
    makeVideo({ seconds: 4, extension, extra: ['-output_ts_offset', '5', ...extra] });

  test.each(['mkv', 'webm', 'mp4', 'ts', 'flv'] as const)('do not change the length: %s', async (extension) => {
    const facts = await workshop.media.check(await late(extension));
    expect(Math.abs(facts.durationMs - 4000)).toBeLessThan(150);
  });

  test.each(['mkv', 'mp4'] as const)('start at 0 in the file that is sent: %s', async (extension) => {
    const path = await late(extension);
    const limits = { ...ANY_MP4, containers: ['mp4', 'matroska'] as const };
    expect(findMisfits(limits, await workshop.check(path)).map(({ rule }) => rule)).toEqual(['ownLength']);
    const { spec, made } = await workshop.render(path, limits);
    expect(spec.video).toBe('copy');
    expect(made.statedMs).toBeUndefined();
    expect(Math.abs(made.durationMs - 4000)).toBeLessThan(150);
  });

  test.each(['mkv', 'ts', 'flv'] as const)('do not move the thumbnail: %s', async (extension) => {
    const film = await redThenBlue(2, 2, 'mp4');
    const shifted = ['-i', film, '-c', 'copy', '-output_ts_offset', '5'];
    const path = await runFfmpeg(extension, shifted);
    const facts = await workshop.check(path);
    for (const [seconds, colour] of [
      [1.5, 'red'],
      [3, 'blue'],
    ] as const) {
      const outPath = workshop.path('jpg');
      await workshop.media.thumbnail(path, seconds, outPath, facts);
      expect(await colourAt(outPath, 0.5)).toBe(colour);
    }
  });

  test.each([
    ['copied', { container: 'mp4', video: 'copy', audio: 'copy' }],
    ['encoded', ENCODED],
  ] as const)('keep the sound late: %s', async (_, spec) => {
    const sound = ['-itsoffset', '1', ...lavfi(tone(3))];
    const path = await runFfmpeg('mkv', [
      ...[...lavfi(card(4, 24)), ...sound, ...H264, '-c:a', 'aac', '-output_ts_offset', '5'],
    ]);
    const { out } = await workshop.render(path, spec);
    const { stderr } = await run('ffmpeg', [
      '-i',
      out,
      '-af',
      'aresample=async=1:first_pts=0,silencedetect=d=0.5',
      '-vn',
      '-f',
      'null',
      '-',
    ]);
    const [, end = '0'] = /silence_end: ([\d.]+)/.exec(stderr) ?? [];
    expect(Math.abs(Number(end) - 1)).toBeLessThan(0.06);
  });
});

test('a wrong duration can be repaired as advised', async () => {
  const path = await editFile(await makeVideo({ seconds: 4, extension: 'webm' }), (bytes) => {
    // EBML id of Duration (Matroska, "Duration Element"), a float of 8 bytes, in ms.
    bytes.writeDoubleBE(7000, bytes.indexOf(Buffer.from([0x44, 0x89, 0x88])) + 3);
    return bytes;
  });
  await expect(workshop.media.check(path)).rejects.toMatchObject({
    code: 'video_unreadable',
    message: expect.stringMatching(/7 seconds, but .* 4\.\d+ seconds\. Repair .*: ffmpeg -i in\.mp4 -c copy out\.mp4$/),
  });
  const repaired = workshop.path('webm');
  await run('ffmpeg', ['-v', 'error', '-i', path, '-c', 'copy', repaired]);
  expect(await workshop.media.check(repaired)).toMatchObject({ container: 'webm' });
});

describe('key frames', () => {
  const film = (seconds: number, extra: readonly string[]) =>
    runFfmpeg('mp4', [...lavfi(card(seconds, 25), tone(seconds)), ...H264, '-c:a', 'aac', ...extra]);
  const open = () => film(4, ['-preset', 'veryfast', '-x264-params', 'open-gop=1:keyint=25:scenecut=0:bframes=3']);
  const far = () => film(12, ['-g', '9999', '-keyint_min', '9999', '-sc_threshold', '0', '-movflags', '+faststart']);

  test('are measured', async () => {
    expect(await workshop.check(await film(4, ['-g', '25', '-bf', '2']))).toMatchObject({ keyFrameMs: 1000 });
    const facts = await workshop.check(await far());
    expect(Math.abs((facts.keyFrameMs ?? 0) - 12_000)).toBeLessThan(100);
    expect(facts.leadingFrames).toBeUndefined();
  });

  test('of open GOPs are closed where that is documented', async () => {
    const facts = await workshop.check(await open());
    expect(facts.leadingFrames).toBe(true);
    for (const platform of ['x', 'instagram', 'threads', 'facebook'])
      expect(rulesOf(platform, facts)).toContain('closedGops');
    expect(rulesOf('pinterest', facts)).toEqual([]);
    const { spec, made } = await workshop.render(await open(), { ...ANY_MP4, closedGops: true });
    expect(spec.video).not.toBe('copy');
    expect(made.leadingFrames).toBeUndefined();
  });

  test('too far apart are added where a maximum is documented', async () => {
    const facts = await workshop.check(await far());
    expect(rulesOf('facebook', facts)).toContain('maxKeySeconds');
    expect(rulesOf('x', facts)).toEqual([]);
    expect(planRendition({ ...ANY_MP4, maxKeySeconds: 5 }, facts)).toMatchObject({ spec: { video: { fps: 25 } } });
  });

  test('of a file converted to 9:16 are regular', async () => {
    const wide = await makeVideo({ seconds: 6, width: 320, height: 180, fps: 4, extra: ['-g', '600'] });
    const out = workshop.path('mp4');
    const made = await workshop.media.fit(wide, { ...NO_ADJUSTMENTS, fit: 'pad' }, out, await workshop.check(wide));
    expect(made.keyFrameMs).toBeLessThanOrEqual(2300);
    expect(made.leadingFrames).toBeUndefined();
  });
});

test('frames at irregular times keep their mean rate', async () => {
  const jitter = ['-vf', "settb=1/90000,setpts='N*3000+mod(N*N*7919,1499)'", '-vsync', 'passthrough'];
  const clock = ['-enc_time_base', '1/90000', '-video_track_timescale', '90000', '-bf', '0'];
  const path = await runFfmpeg('mp4', [...lavfi(card(4, 30)), ...jitter, ...clock, ...H264]);
  const entries = ['-select_streams', 'v', '-show_entries', 'stream=r_frame_rate', '-of', 'csv=p=0'];
  expect((await run('ffprobe', ['-v', 'error', ...entries, path])).stdout.trim()).toBe('90000/1');
  const facts = await workshop.check(path);
  expect(Math.abs(facts.fps - 30)).toBeLessThan(0.2);
  for (const platform of ['x', 'instagram', 'threads']) expect(rulesOf(platform, facts)).not.toContain('maxFps');
  const { made } = await workshop.render(path, { ...ENCODED, audio: 'none' });
  expect(Math.abs(made.fps - 24)).toBeLessThan(0.5);
  expect(Math.abs(made.durationMs - facts.durationMs)).toBeLessThan(100);
});

describe('HEVC with parameters among the frames', () => {
  const labeled = async (tag: string) => {
    const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error', '-tag:v', 'hev1'];
    return editFile(await runFfmpeg('mov', [...lavfi(card(3)), ...x265]), (bytes) => {
      bytes.write(tag, bytes.indexOf('hev1', bytes.indexOf('stsd')), 'latin1');
      return bytes;
    });
  };

  test.each(['hev1', 'dvhe'])('is known, and copied as hvc1: %s', async (tag) => {
    const path = await labeled(tag);
    expect(await workshop.check(path)).toMatchObject({ videoTag: tag });
    const { spec, made } = await workshop.render(path, ANY_MP4);
    expect(spec.video).toBe('copy');
    expect(made.videoTag).toBe('hvc1');
  });
});

test('subtitles, chapters and timecodes are left out', async () => {
  const words = workshop.path('srt');
  await writeFile(words, '1\n00:00:00,000 --> 00:00:05,900\nHello\n');
  const chapters = workshop.path('txt');
  const chapter = '[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=3900\ntitle=One\n';
  await writeFile(chapters, `;FFMETADATA1\n${chapter}`);
  const inputs = ['-i', words, ...lavfi(tone(4), card(4)), '-f', 'ffmetadata', '-i', chapters];
  const maps = ['-map', '0', '-map', '1', '-map', '2', '-map_metadata', '3', '-map_chapters', '3'];
  const codecs = ['-c:s', 'mov_text', ...H264, '-c:a', 'aac', '-timecode', '01:00:00:00'];
  const path = await runFfmpeg('mov', [...inputs, ...maps, ...codecs]);
  const { types } = await insideOf(path);
  expect(types.toSorted()).toEqual(['audio', 'data', 'data', 'subtitle', 'video']);
  const facts = await workshop.check(path);
  expect(facts).toMatchObject({ videoCodec: 'h264', audioCodec: 'aac' });
  expect(Math.abs(facts.durationMs - 4000)).toBeLessThan(100);
  const { spec, out, made } = await workshop.render(path, ANY_MP4);
  expect(spec).toMatchObject({ video: 'copy', audio: 'copy' });
  expect((await insideOf(out)).types).toEqual(['video', 'audio']);
  expect(Math.abs(made.durationMs - 4000)).toBeLessThan(100);
});

test('a conversion to even sizes leaves no foreign edge', async () => {
  const red = lavfi('color=red:s=607x1079:r=10:d=3,format=yuv444p');
  const path = await runFfmpeg('mp4', [...red, ...H264, '-pix_fmt', 'yuv444p']);
  expect(await workshop.check(path)).toMatchObject({ width: 607, height: 1079 });
  const { out, made } = await workshop.render(path, { ...ANY_MP4, pixelFormats: ['yuv420p'] });
  const edges = ['crop=2:ih:0:0', 'crop=2:ih:iw-2:0', 'crop=iw:2:0:0', 'crop=iw:2:0:ih-2'];
  for (const [red = 0, green = 255, blue = 255] of await coloursOf(edges.map((edge) => [out, edge] as const)))
    expect([red > 220, green < 30, blue < 30]).toEqual([true, true, true]);
  expect([made.width % 2, made.height % 2]).toEqual([0, 0]);
});

describe('a conversion that loses the sound', () => {
  test('is refused with the cause, not kept as silence', async () => {
    const path = await editFile(await twoSounds('audible'), emptyTrack(1));
    const { soundTrack, ...facts } = await workshop.check(path);
    await expect(workshop.render(path, ENCODED, facts)).rejects.toMatchObject({
      code: 'video_unreadable',
      message: 'The sound of the video cannot be decoded to its end.',
    });
    await expect(
      workshop.media.fit(path, { ...NO_ADJUSTMENTS, fit: 'pad' }, workshop.path('mp4'), facts),
    ).rejects.toMatchObject({
      message: 'The converted video is silent, but the original is not.',
    });
  });

  test('has another error than an undecodable film', async () => {
    const source = await runFfmpeg('mp4', [...lavfi(card(3), tone(3)), ...H264, '-c:a', 'aac']);
    const facts = await workshop.check(source);
    const { stdout } = await run('ffprobe', [
      ...['-v', 'error', '-show_entries', 'packet=codec_type,pos,size', '-of', 'csv=p=0', source],
    ]);
    const damaged = (type: string) =>
      editFile(source, (bytes) => {
        for (const line of stdout.split('\n').filter((each) => each.startsWith(type))) {
          const [, size = 0, at = 0] = line.split(',').map(Number);
          bytes.fill(0xff, at + 4, at + size);
        }
        return bytes;
      });
    await expect(workshop.render(await damaged('audio'), ENCODED, facts)).rejects.toMatchObject({
      message: 'The sound of the video cannot be decoded to its end.',
    });
    await expect(workshop.render(await damaged('video'), ENCODED, facts)).rejects.toMatchObject({
      message: 'The video cannot be decoded to its end.',
    });
  });

  test('keeps a track that is silent in the original', async () => {
    const path = await runFfmpeg('mkv', [...lavfi(card(3), 'anullsrc=r=48000:d=3'), ...H264, '-c:a', 'aac']);
    const { made, out } = await workshop.render(path, ENCODED);
    expect(made.hasAudio).toBe(true);
    expect(await pitchOf(out)).toBe(0);
  });
});
