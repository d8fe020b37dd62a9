import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findMisfits } from '../../src/media/rendition/findings.ts';
import type { VideoLimits } from '../../src/media/rendition/limits.ts';
import { planRendition, previewSpec, type RenditionSpec, specKey } from '../../src/media/rendition/plan.ts';
import { MIN_BYTES, mostBytes } from '../../src/media/rendition/spec.ts';
import type { VideoFacts } from '../../src/media/types.ts';
import { FULL, shareOf } from '../harness/draw.ts';

const FACTS: VideoFacts = {
  bytes: 20_000_000,
  container: 'mp4',
  mime: 'video/mp4',
  durationMs: 30_000,
  lastFrameMs: 29_967,
  width: 1080,
  height: 1920,
  codedWidth: 1080,
  codedHeight: 1920,
  rotation: 0,
  fps: 30,
  videoCodec: 'h264',
  audioCodec: 'aac',
  pixelFormat: 'yuv420p',
  hdr: false,
  hasAudio: true,
  audioChannels: 2,
  audioRate: 44_100,
  audioProfile: 'LC',
  videoBitrate: 5_000_000,
  interlaced: false,
  unsteady: false,
  indexFirst: true,
};
const LIMITS: VideoLimits = {
  maxBytes: 300_000_000,
  minSeconds: 3,
  maxSeconds: 60,
  containers: ['mp4'],
  videoCodecs: ['h264'],
  audioCodecs: ['aac'],
  minFps: 23,
  maxFps: 60,
};
const plan = (limits: Partial<VideoLimits>, facts: Partial<VideoFacts>) =>
  planRendition({ ...LIMITS, ...limits }, { ...FACTS, ...facts });
function specOf(limits: Partial<VideoLimits>, facts: Partial<VideoFacts> = {}): RenditionSpec {
  const found = plan(limits, facts);
  if (found.fits || !found.spec) throw new Error(`no rendition: ${JSON.stringify(found)}`);
  return found.spec;
}
const encoded = (spec: RenditionSpec) => {
  if (spec.video === 'copy') throw new Error('the picture is copied');
  return spec.video;
};

/** The message of a plan with these texts, one for each limit. */
const limits = (...texts: string[]) =>
  expect.objectContaining({
    code: 'limits',
    params: { reasons: texts.map((text) => expect.objectContaining({ text })) },
  });

describe('a plan', () => {
  test('is empty for a video that fits', () => {
    expect(plan({}, {})).toEqual({ fits: true });
  });

  test('names every violated limit', () => {
    const found = plan({}, { videoCodec: 'vp9', container: 'webm', audioCodec: 'opus', fps: 120 });
    expect(found).toMatchObject({
      why: limits(
        'The file format is webm. Allowed: mp4.',
        'The video codec is vp9. Allowed: h264.',
        'The audio codec is opus. Allowed: aac.',
        'The video has 120 frames per second. The maximum is 60.',
      ),
    });
  });

  test('names only the limits that conversion cannot fix', () => {
    expect(plan({}, { durationMs: 61_000, videoCodec: 'vp9' })).toEqual({
      fits: false,
      spec: null,
      why: limits('The video is 61.0 s long. The maximum is 60 s.'),
    });
    expect(plan({}, { durationMs: 2_900, container: 'mov' })).toMatchObject({
      spec: null,
      why: limits('The video is 2.9 s long. The minimum is 3 s.'),
    });
    const alien = plan({ videoCodecs: ['prores'], audioCodecs: ['opus'] }, { fps: 10 });
    expect(alien).toMatchObject({
      spec: null,
      why: limits(expect.stringContaining('prores'), expect.stringContaining('opus')),
    });
  });

  test.each<[string, Partial<VideoFacts>, Partial<VideoLimits>]>([
    [
      'sound',
      { audioChannels: 6, audioRate: 96_000, audioProfile: 'HE-AAC' },
      { maxAudioChannels: 2, maxAudioRate: 48_000, audioProfiles: ['LC'] },
    ],
    [
      'picture',
      { interlaced: true, unsteady: true, videoBitrate: 90e6, indexFirst: false, pixelFormat: 'yuv444p' },
      { progressive: true, steadyRate: true, maxBitrate: 25e6, indexFirst: true, pixelFormats: ['yuv420p'] },
    ],
  ])('accepts a video with unknown properties (%s)', (_, facts, limits) => {
    expect(findMisfits({ ...LIMITS, ...limits }, { ...FACTS, ...facts })).toHaveLength(Object.keys(limits).length);
    const unknown = Object.fromEntries(Object.keys(facts).map((name) => [name, undefined]));
    expect(findMisfits({ ...LIMITS, ...limits }, { ...FACTS, ...unknown })).toEqual([]);
  });
});

describe('a stream copy', () => {
  test.each<[string, Partial<VideoLimits>, Partial<VideoFacts>, RenditionSpec['audio']]>([
    ['the container alone is wrong', {}, { container: 'mov' }, 'copy'],
    ['the index comes last', { indexFirst: true }, { indexFirst: false }, 'copy'],
    ['the file is too small', { minBytes: 75_000 }, { bytes: 50_000 }, 'copy'],
    ['the sound alone is wrong', {}, { audioCodec: 'mp3' }, 'aac'],
    ['there are too many channels', { maxAudioChannels: 2 }, { audioChannels: 6 }, 'aac'],
    ['sound is missing', { needsAudio: true }, { hasAudio: false, audioCodec: null }, 'silence'],
    [
      'sound is missing and the container is wrong',
      {},
      { container: 'mov', hasAudio: false, audioCodec: null },
      'none',
    ],
  ])('where %s', (_, limits, facts, audio) => {
    expect(specOf(limits, facts)).toEqual({ container: 'mp4', video: 'copy', audio });
  });

  test('is not used for streams that MP4 or limits reject', () => {
    expect(specOf({}, { container: 'avi' }).video).not.toBe('copy');
    expect(specOf({}, { container: 'mov', videoCodec: 'hevc' }).video).not.toBe('copy');
    expect(specOf({ videoCodecs: ['h264', 'hevc'] }, { container: 'mov', videoCodec: 'hevc' }).video).toBe('copy');
    expect(specOf({ maxBytes: 20_000_000 }, { container: 'mov' }).video).not.toBe('copy');
    expect(specOf({ videoCodecs: undefined }, { container: 'webm', videoCodec: 'vp9' }).video).not.toBe('copy');
  });
});

describe('an encoded video', () => {
  test.each([
    [23.976, 24],
    [29.97, 30],
    [27, 25],
    [15, 24],
    [48, 50],
    [59.94, 60],
    [100, 50],
    [119.88, 60],
    [120, 60],
    [240, 60],
  ])('of %d frames per second has %d', (fps, usual) => {
    expect(encoded(specOf({ videoCodecs: ['h264'] }, { videoCodec: 'vp9', fps })).fps).toBe(usual);
  });

  test('uses only allowed frame rates', () => {
    expect(encoded(specOf({ maxFps: 30 }, { fps: 60 })).fps).toBe(30);
    expect(encoded(specOf({ minFps: 30 }, { fps: 24 })).fps).toBe(30);
    expect(plan({ minFps: 70, maxFps: 75 }, {})).toMatchObject({ spec: null });
  });

  test.each([
    [2160, 3840, 1080, 1920],
    [1080, 1920, 1080, 1920],
    [1078, 1918, 1080, 1920],
    [720, 1280, 720, 1280],
    [607, 1079, 608, 1080],
    [180, 320, 180, 320],
    [3840, 2160, 1920, 1080],
  ])('of %d × %d has %d × %d', (width, height, across, down) => {
    expect(encoded(specOf({}, { videoCodec: 'vp9', width, height }))).toMatchObject({ width: across, height: down });
  });

  test('changes size as required and gets bars if needed', () => {
    expect(encoded(specOf({ minSide: 540 }, { width: 180, height: 320 }))).toMatchObject({ width: 540, height: 960 });
    expect(encoded(specOf({ minWidth: 540, minHeight: 960 }, { width: 536, height: 958 }))).toMatchObject({
      width: 540,
    });
    expect(encoded(specOf({ maxWidth: 800 }, {}))).toMatchObject({ width: 720, height: 1280 });
    expect(encoded(specOf({ maxPixels: 60_000 }, {}))).toMatchObject({ width: 180, height: 320 });
    const wide = { width: 1280, height: 720, codedWidth: 1280, codedHeight: 720 };
    expect(encoded(specOf({ maxAspect: 9 / 16 }, wide))).toMatchObject({ width: 720, height: 1280 });
  });

  test.each([
    [49_000_000, 90_000, { width: 1080, height: 1920, maxRate: 4e6 }],
    [49_000_000, 30_000, { width: 1080, height: 1920, maxRate: 10e6 }],
    [21_000_000, 90_000, { width: 720, height: 1280, maxRate: 1.6e6 }],
    [8_000_000, 90_000, { width: 540, height: 960, maxRate: 0.5e6 }],
    [5_000_000, 90_000, { width: 540, height: 960, maxRate: 0.25e6 }],
  ])('for %d bytes and %d ms is reasonably large', (maxBytes, durationMs, expected) => {
    const spec = specOf({ maxBytes, maxSeconds: 90 }, { bytes: 400_000_000, durationMs });
    expect(spec.video).toEqual({ ...expected, fps: 30 });
    expect(mostBytes(spec, { ...FACTS, durationMs })).toBeLessThanOrEqual(maxBytes);
  });

  test('below watchable quality is not planned', () => {
    expect(plan({ maxBytes: 4_000_000, maxSeconds: 90 }, { bytes: 5_000_000, durationMs: 90_000 })).toEqual({
      fits: false,
      spec: null,
      why: limits('The video has 5,000,000 bytes. The maximum is 4,000,000.'),
    });
  });
});

describe('equal needs', () => {
  test('of platforms with similar limits have one key', () => {
    const facts = { bytes: 450_000_000, durationMs: 45_000, videoCodec: 'hevc' };
    const keys = [300_000_000, 500_000_000, 1_000_000_000, 4_000_000_000].map((maxBytes) =>
      specKey(specOf({ maxBytes }, facts)),
    );
    expect(new Set(keys)).toEqual(new Set(['mp4/1080x1920@30/16000000/aac']));
    expect(specKey(specOf({}, { container: 'mov' }))).toBe('mp4/copy/copy');
  });

  test('keep their key when stored; others differ', () => {
    const spec = fc.record<RenditionSpec>(
      {
        container: fc.constant('mp4'),
        video: fc.oneof(
          fc.constant('copy' as const),
          fc.record({
            width: fc.integer({ min: 2, max: 4 }),
            height: fc.integer({ min: 2, max: 4 }),
            fps: fc.constantFrom(24, 30),
            maxRate: fc.constantFrom(1e6, 2e6),
          }),
        ),
        audio: fc.constantFrom('copy', 'aac', 'silence', 'none'),
        seconds: fc.constantFrom(59.95, 89.95),
      },
      { requiredKeys: ['container', 'video', 'audio'] },
    );
    fc.assert(
      fc.property(spec, spec, (one, other) => {
        const stored = (value: RenditionSpec) => JSON.parse(JSON.stringify(value)) as RenditionSpec;
        expect(specKey(stored(one))).toBe(specKey(one));
        const same = JSON.stringify(one, Object.keys(one).sort()) === JSON.stringify(other, Object.keys(other).sort());
        const isEqual = specKey(one) === specKey(other);
        if (same && one.video === other.video) expect(isEqual).toBe(true);
        if (isEqual) expect(stored(one)).toEqual(stored(other));
      }),
    );
  });
});

describe('a planned rendition', () => {
  const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
  const limits: fc.Arbitrary<VideoLimits> = fc.record({
    maxBytes: fc.oneof(fc.integer({ min: 100_000, max: 60_000_000 }), fc.constant(500_000_000)),
    minBytes: maybe(fc.constantFrom(1, 75_000, 100_000)),
    minSeconds: maybe(fc.constantFrom(3, 4, 5)),
    maxSeconds: maybe(fc.constantFrom(60, 90, 140)),
    containers: fc.subarray(['mp4', 'mov', 'webm'] as const, { minLength: 1 }),
    videoCodecs: maybe(fc.subarray(['h264', 'hevc', 'vp9'], { minLength: 1 })),
    pixelFormats: maybe(fc.constantFrom(['yuv420p'], ['yuv420p', 'yuv420p10le'])),
    audioCodecs: maybe(fc.constant(['aac'])),
    audioProfiles: maybe(fc.constant(['LC'])),
    maxAudioChannels: maybe(fc.constant(2)),
    maxAudioRate: maybe(fc.constant(48_000)),
    needsAudio: maybe(fc.boolean()),
    minFps: maybe(fc.constantFrom(23, 24)),
    maxFps: maybe(fc.constantFrom(30, 60, 120)),
    maxFrames: maybe(fc.constant(36_000)),
    steadyRate: maybe(fc.boolean()),
    progressive: maybe(fc.boolean()),
    minWidth: maybe(fc.constantFrom(360, 540)),
    maxWidth: maybe(fc.constantFrom(720, 1920)),
    minHeight: maybe(fc.constantFrom(640, 960)),
    minSide: maybe(fc.constantFrom(32, 540)),
    maxSide: maybe(fc.constantFrom(1280, 4096)),
    maxPixels: maybe(fc.constantFrom(921_600, 8_294_400)),
    minAspect: maybe(fc.constantFrom(0.01, 9 / 16)),
    maxAspect: maybe(fc.constantFrom(9 / 16, 10)),
    squarePixels: maybe(fc.boolean()),
    maxBitrate: maybe(fc.constantFrom(2_000_000, 25_000_000)),
    indexFirst: maybe(fc.boolean()),
  });
  const facts: fc.Arbitrary<VideoFacts> = fc
    .record({
      bytes: fc.integer({ min: 10_000, max: 500_000_000 }),
      container: fc.constantFrom('mp4', 'mov', '3gp', 'matroska', 'webm', 'mpegts', 'avi', 'flv'),
      durationMs: fc.oneof(fc.integer({ min: 2_950, max: 90_050 }), fc.constantFrom(59_990, 60_040, 90_050, 4_960)),
      tall: fc.integer({ min: 100, max: 4_000 }),
      shape: fc.oneof(fc.double({ min: 0.557, max: 0.568, noNaN: true }), fc.double({ min: 0.3, max: 3, noNaN: true })),
      fps: fc.double({ min: 1, max: 240, noNaN: true }),
      videoCodec: fc.constantFrom('h264', 'hevc', 'vp9', 'mpeg4'),
      pixelFormat: fc.constantFrom('yuv420p', 'yuv420p10le', 'yuv444p'),
      hdr: fc.boolean(),
      sound: fc.option(fc.constantFrom('aac', 'opus', 'mp3')),
      audioChannels: maybe(fc.integer({ min: 1, max: 6 })),
      audioRate: maybe(fc.constantFrom(8_000, 44_100, 96_000)),
      audioProfile: maybe(fc.constantFrom('LC', 'HE-AAC')),
      videoBitrate: maybe(fc.integer({ min: 1, max: 100_000_000 })),
      interlaced: maybe(fc.boolean()),
      unsteady: maybe(fc.boolean()),
      indexFirst: maybe(fc.boolean()),
      wide: fc.constantFrom(1, 4 / 3),
    })
    .map(({ tall, shape, sound, wide, ...rest }) => {
      const [width, height] = [Math.max(2, Math.round(tall * shape)), tall];
      const codedWidth = Math.round(width / wide);
      return {
        ...{ ...FACTS, ...rest, width, height, codedWidth, codedHeight: height },
        ...{ audioCodec: sound, hasAudio: sound !== null, lastFrameMs: rest.durationMs - 33 },
      };
    });

  /** What ffmpeg produces, written independently of the prediction. */
  function made(spec: RenditionSpec, from: VideoFacts, part: number): VideoFacts {
    const bytes = Math.round(MIN_BYTES + part * (mostBytes(spec, from) - MIN_BYTES));
    const file = { container: 'mp4', mime: 'video/mp4', bytes, indexFirst: true } as const;
    const sound: Partial<VideoFacts> =
      spec.audio === 'copy'
        ? {}
        : spec.audio === 'none'
          ? {
              hasAudio: false,
              audioCodec: null,
              audioChannels: undefined,
              audioRate: undefined,
              audioProfile: undefined,
            }
          : { hasAudio: true, audioCodec: 'aac', audioChannels: 2, audioRate: 48_000, audioProfile: 'LC' };
    if (spec.video === 'copy') return { ...from, ...sound, ...file };
    const { width, height, fps, maxRate } = spec.video;
    const seconds = spec.seconds ?? from.durationMs / 1000;
    const durationMs = Math.round((Math.ceil(seconds * fps - 1e-6) / fps) * 1000);
    return {
      ...{ ...from, ...sound, ...file, width, height, codedWidth: width, codedHeight: height, rotation: 0 },
      ...{ fps, durationMs, lastFrameMs: durationMs - Math.round(1000 / fps), videoCodec: 'h264', hdr: false },
      ...{ pixelFormat: 'yuv420p', interlaced: false, unsteady: false, videoBitrate: Math.round(maxRate * part) },
    };
  }

  test('meets its limits and keeps its length', () => {
    let planned = 0;
    const numRuns = FULL ? shareOf(10_000) : 1_500;
    fc.assert(
      fc.property(limits, facts, fc.double({ min: 0, max: 1, noNaN: true }), (given, video, part) => {
        const found = planRendition(given, video);
        if (found.fits) {
          expect(findMisfits(given, video)).toEqual([]);
          return;
        }
        expect(found.why.text.length).toBeGreaterThan(0);
        if (!found.spec) return;
        planned += 1;
        const result = made(found.spec, video, part);
        expect(planRendition(given, result)).toEqual({ fits: true });
        expect(Math.abs(result.durationMs - video.durationMs)).toBeLessThanOrEqual(150);
        if (found.spec.video === 'copy') return;
        expect([found.spec.video.width % 2, found.spec.video.height % 2]).toEqual([0, 0]);
        expect(result.durationMs).toBeLessThanOrEqual(90_050);
      }),
      { numRuns },
    );
    expect(planned).toBeGreaterThan(numRuns / 10);
  });

  test('exists whenever a full encoding would meet the limits', () => {
    const open: VideoLimits = {
      maxBytes: 300_000_000,
      containers: ['mp4'],
      videoCodecs: ['h264'],
      audioCodecs: ['aac'],
      minSide: 360,
      minFps: 23,
      maxFps: 60,
      pixelFormats: ['yuv420p'],
      maxAudioChannels: 2,
      indexFirst: true,
      steadyRate: true,
    };
    fc.assert(
      fc.property(facts, (video) => {
        const found = planRendition(open, video);
        expect(found.fits || found.spec !== null).toBe(true);
      }),
    );
  });
});

test('a preview is small, in the shape of its video', () => {
  const shapes = fc.record({
    width: fc.integer({ min: 16, max: 4096 }),
    height: fc.integer({ min: 16, max: 4096 }),
    fps: fc.double({ min: 1, max: 240, noNaN: true }),
    hasAudio: fc.boolean(),
  });
  fc.assert(
    fc.property(shapes, (shape) => {
      const { video, audio } = previewSpec({ ...FACTS, ...shape });
      if (video === 'copy') throw new Error('A preview is encoded.');
      const { width, height, fps } = video;
      // Sizes are even, and the smallest video may be one pixel high.
      expect(width * height).toBeLessThanOrEqual(Math.max(360 * 640 * 1.02, 2 * Math.max(shape.width, shape.height)));
      const slack = 0.02 + 2 / Math.min(width, height);
      expect(Math.abs((width / height) * (shape.height / shape.width) - 1)).toBeLessThanOrEqual(slack);
      expect([width % 2, height % 2, fps <= 30, audio]).toEqual([0, 0, true, shape.hasAudio ? 'aac' : 'none']);
    }),
  );
});
