import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProbedStream } from '../../src/media/packets.ts';
import { findMisfits } from '../../src/media/rendition/findings.ts';
import { chooseFilm, chooseSound } from '../../src/media/tracks.ts';
import { NO_ADJUSTMENTS } from '../../src/media/types.ts';
import { editFile, makeVideo, redThenBlue, runFfmpeg } from './fixtures.ts';
import { emptyTrack, makeSpatial } from './hostile.ts';
import { ANY_MP4, ENCODED, insideOf, lavfi, openWorkshop, pitchOf, tone, twoSounds } from './odd-files.ts';
import { colourAt } from './pictures.ts';

let workshop: Awaited<ReturnType<typeof openWorkshop>>;
beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

const track = (index: number, type: string, packets: number, more: Partial<ProbedStream> = {}): ProbedStream => ({
  ...{ index, type, codec: 'any', tag: null, width: 1, height: 1, sampleAspect: 1, rotation: 0, transfer: null },
  ...{ pixelFormat: 'yuv420p', sampleFormat: 'fltp', attachedPicture: false, interlaced: false, profile: null },
  ...{ sampleRate: 1, channels: 1, ambisonic: false },
  span: {
    ...{ packets, firstMs: 0, lastMs: 1, endMs: 2, bytes: 1, longestStepMs: 1 },
    ...{ longestKeyMs: 1, leadingFrames: false, largestBytes: 1, hidden: 0, hiddenMs: 0 },
  },
  ...more,
});

describe('the film', () => {
  test.each<[string, number, ProbedStream[]]>([
    ['the track with most frames', 1, [track(0, 'video', 1), track(1, 'video', 90)]],
    ['the first of equal ones', 0, [track(0, 'video', 90), track(1, 'video', 90)]],
    ['no track without a decoder', 0, [track(0, 'video', 30), track(1, 'video', 90, { pixelFormat: null })]],
    ['no cover picture', 0, [track(0, 'video', 999, { attachedPicture: true }), track(1, 'video', 2)]],
    ['named by its place in the file', 1, [track(5, 'video', 90), track(2, 'video', 1)]],
    [
      'a film nobody can decode rather than a picture',
      1,
      [track(0, 'video', 1), track(1, 'video', 9, { codec: null })],
    ],
  ])('is %s', (_, position, streams) => {
    expect(chooseFilm(streams)?.position).toBe(position);
  });
});

describe('the sound', () => {
  test.each<[string, number | undefined, ProbedStream[]]>([
    ['the first track', 0, [track(1, 'audio', 9), track(2, 'audio', 90)]],
    ['no empty track', 1, [track(1, 'audio', 0, { span: null }), track(2, 'audio', 9)]],
    ['no track without a decoder', 1, [track(1, 'audio', 9, { sampleFormat: null }), track(2, 'audio', 9)]],
    ['no silent track', 1, [track(1, 'audio', 9, { silent: true }), track(2, 'audio', 9)]],
    ['no spatial scene', 1, [track(1, 'audio', 9, { ambisonic: true }), track(2, 'audio', 9)]],
    [
      'a spatial scene rather than silence',
      0,
      [track(1, 'audio', 9, { ambisonic: true }), track(2, 'audio', 9, { silent: true })],
    ],
    ['silent if all tracks are', 0, [track(1, 'audio', 9, { silent: true }), track(2, 'audio', 9, { silent: true })]],
    ['missing if no track has a decoder', undefined, [track(1, 'audio', 9, { codec: null })]],
  ])('is %s', (_, position, streams) => {
    expect(chooseSound(streams)?.position).toBe(position);
  });
});

describe.concurrent('the audible one of several audio tracks', () => {
  test.each<[string, () => Promise<string>, number | undefined, number]>([
    ['the second cannot be decoded', async () => editFile(await twoSounds('audible'), makeSpatial(1)), undefined, 440],
    ['the first cannot be decoded', async () => editFile(await twoSounds('audible'), makeSpatial(0)), 1, 880],
    ['the first is empty', async () => editFile(await twoSounds('audible'), emptyTrack(1)), 1, 880],
    ['the first is silent', () => twoSounds('silent'), 1, 880],
    ['the first is silent, in Matroska', () => twoSounds('silent', 'mkv'), 1, 880],
  ])('%s', async (_, make, soundTrack, pitch) => {
    const path = await make();
    const facts = await workshop.check(path);
    expect(facts).toMatchObject({ hasAudio: true, audioCodec: 'aac' });
    expect(facts.soundTrack).toBe(soundTrack);
    expect(await pitchOf((await workshop.render(path, ENCODED)).out)).toBe(pitch);
  });

  test('is used when the shape is converted', async () => {
    const path = await editFile(await twoSounds('audible'), emptyTrack(1));
    const fitted = workshop.path('mp4');
    const made = await workshop.media.fit(path, { ...NO_ADJUSTMENTS, fit: 'pad' }, fitted, await workshop.check(path));
    expect(made).toMatchObject({ hasAudio: true, audioCodec: 'aac' });
    expect(await pitchOf(fitted)).toBe(880);
  });

  test('is the only track for platforms that use the first', async () => {
    const path = await editFile(await twoSounds('audible'), emptyTrack(1));
    const facts = await workshop.check(path);
    expect(findMisfits(ANY_MP4, facts).map(({ rule }) => rule)).toEqual(['firstTracks']);
    const { spec, out, made } = await workshop.render(path, ANY_MP4);
    expect(spec).toEqual({ container: 'mp4', video: 'copy', audio: 'copy' });
    expect(findMisfits(ANY_MP4, made)).toEqual([]);
    expect((await insideOf(out)).types).toEqual(['video', 'audio']);
    expect(await pitchOf(out)).toBe(880);
  });

  test('is missing if no track can be decoded', async () => {
    const path = await editFile(await makeVideo({ extra: ['-movflags', '+faststart'] }), makeSpatial(0));
    const facts = await workshop.check(path);
    expect(facts).toMatchObject({ hasAudio: false, audioCodec: null, audioUnusable: true });
    expect(findMisfits(ANY_MP4, facts)).toEqual([]);
    expect((await workshop.render(path, { ...ENCODED, audio: 'none' })).made.hasAudio).toBe(false);
  });
});

describe.concurrent('a picture track before the film', () => {
  /** A film that is red and then blue, after a track with one green picture. */
  const coverFirst = async (extension: 'mp4' | 'mov' | 'mkv') => {
    const cover = await runFfmpeg('mov', [...lavfi('color=green:s=320x180:d=1:r=1'), '-c:v', 'mjpeg']);
    const film = await redThenBlue(2, 2, 'mp4');
    return runFfmpeg(extension, ['-i', cover, '-i', film, '-map', '0:v', '-map', '1:v', '-c', 'copy']);
  };

  test.each(['mp4', 'mov', 'mkv'] as const)('is not used as film: %s', async (extension) => {
    const path = await coverFirst(extension);
    const facts = await workshop.media.check(path);
    expect(facts).toMatchObject({ filmTrack: 1, videoCodec: 'h264', width: 180, height: 320, hasAudio: false });
    const { spec, made, out } = await workshop.render(path, ANY_MP4);
    expect(spec.video).toBe('copy');
    expect([made.filmTrack, (await insideOf(out)).types]).toEqual([undefined, ['video']]);
    expect(await colourAt(out, 0.5)).toBe('red');
  });

  test('is not used for the thumbnail', async () => {
    const outPath = workshop.path('jpg');
    const path = await coverFirst('mp4');
    await workshop.media.checkWithThumbnail(path, { atSeconds: 3, outPath }, { accept: () => {} });
    expect(await colourAt(outPath, 0.5)).toBe('blue');
  });
});

test.each([
  ['copied', { container: 'mp4', video: 'copy', audio: 'copy' }],
  ['encoded', ENCODED],
] as const)('a film that starts after another track is %s whole', async (_, spec) => {
  const film = await redThenBlue(2, 2, 'mp4');
  const late = ['-itsoffset', '2', '-i', film, '-itsoffset', '2', ...lavfi(tone(4)), ...lavfi('anullsrc=r=48000:d=6')];
  const maps = ['-map', '0:v', '-map', '1:a', '-map', '2:a', '-c:v', 'copy', '-c:a', 'aac'];
  const path = await runFfmpeg('mkv', [...late, ...maps]);
  const facts = await workshop.check(path);
  expect(Math.abs((facts.offsetMs ?? 0) - 2000)).toBeLessThan(50);
  expect(Math.abs(facts.durationMs - 4000)).toBeLessThan(100);
  expect(findMisfits({ ...ANY_MP4, containers: ['matroska'] }, facts).map(({ rule }) => rule)).toEqual(['ownLength']);
  const { out, made } = await workshop.render(path, spec, facts);
  expect(made.statedMs).toBeUndefined();
  expect(await pitchOf(out)).toBe(440);
  const pictures = [0.5, 3.5].map(async (atSeconds) => {
    const outPath = workshop.path('jpg');
    await workshop.media.thumbnail(out, atSeconds, outPath, made);
    return colourAt(outPath, 0.5);
  });
  expect(await Promise.all(pictures)).toEqual(['red', 'blue']);
  const outPath = workshop.path('jpg');
  await workshop.media.thumbnail(path, 1.5, outPath, facts);
  expect(await colourAt(outPath, 0.5)).toBe('red');
});
