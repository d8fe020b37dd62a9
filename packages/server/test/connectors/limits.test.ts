import { describe, expect, test } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import { findMisfits } from '../../src/media/rendition/findings.ts';
import { planRendition } from '../../src/media/rendition/plan.ts';
import type { VideoFacts } from '../../src/media/types.ts';

/** A typical video: 20 s from a phone, edited. */
const USUAL: VideoFacts = {
  bytes: 20_000_000,
  container: 'mp4',
  mime: 'video/mp4',
  durationMs: 20_000,
  lastFrameMs: 19_967,
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
  audioChannels: 1,
  audioRate: 44_100,
  audioProfile: 'LC',
  videoBitrate: 7_900_000,
  interlaced: false,
  unsteady: false,
  indexFirst: true,
};
const RECORDED: Partial<VideoFacts> = {
  bytes: 480_000_000,
  container: 'mov',
  durationMs: 55_000,
  lastFrameMs: 54_983,
  width: 2160,
  height: 3840,
  codedWidth: 3840,
  codedHeight: 2160,
  rotation: 90,
  fps: 59.94,
  videoCodec: 'hevc',
  pixelFormat: 'yuv420p10le',
  hdr: true,
  videoBitrate: 69_000_000,
  indexFirst: false,
};

describe.each(Object.values(connectors))('$name', ({ capabilities: { video: limits } }) => {
  test('accepts a typical video, also with missing facts', () => {
    expect(planRendition(limits, USUAL)).toEqual({ fits: true });
    const { audioChannels, audioRate, audioProfile, videoBitrate, interlaced, unsteady, indexFirst, ...known } = USUAL;
    expect(planRendition(limits, known)).toEqual({ fits: true });
  });

  test.each<[string, Partial<VideoFacts>]>([
    ['a recording of a phone in 4K and HDR', RECORDED],
    [
      'a recording of a screen in a browser',
      {
        container: 'webm',
        videoCodec: 'vp8',
        audioCodec: 'opus',
        fps: 14.2,
        unsteady: true,
        width: 607,
        height: 1080,
        codedWidth: 607,
        codedHeight: 1080,
      },
    ],
    [
      'a small file of long ago',
      {
        container: 'avi',
        videoCodec: 'mpeg4',
        audioCodec: 'mp3',
        width: 180,
        height: 320,
        codedWidth: 180,
        codedHeight: 320,
        fps: 12,
      },
    ],
    ['5.1 sound of 96 kHz', { audioChannels: 6, audioRate: 96_000 }],
    ['a film of a few bytes', { bytes: 20_000, videoBitrate: 5_000 }],
  ])('accepts a video converted for %s', (_, facts) => {
    const plan = planRendition(limits, { ...USUAL, ...facts });
    expect(plan.fits || plan.spec !== null).toBe(true);
  });

  test.each(['yuv422p', 'yuv444p', 'yuv422p10le', 'gbrp'])('gets H.264 in %s converted', (pixelFormat) => {
    const plan = planRendition(limits, { ...USUAL, pixelFormat });
    expect(plan).toMatchObject({ fits: false, spec: { video: { width: 1080, height: 1920 } } });
  });
});

test.each<[platform: string, facts: Partial<VideoFacts>, rules: readonly string[]]>([
  ['bluesky', { bytes: 300_000_001 }, ['maxBytes']],
  ['facebook', { width: 520, height: 924, codedWidth: 520, codedHeight: 924 }, ['minWidth', 'minHeight']],
  ['facebook', { width: 1080, height: 2000 }, ['minAspect']],
  [
    'facebook',
    { audioProfile: 'HE-AAC', interlaced: true, unsteady: true, fps: 23 },
    ['audioProfiles', 'minFps', 'steadyRate', 'progressive'],
  ],
  ['instagram', { width: 2160, height: 3840 }, ['maxWidth']],
  ['instagram', { videoBitrate: 25_000_001, indexFirst: false }, ['maxBitrate', 'indexFirst']],
  ['instagram', { pixelFormat: 'yuv422p10le', audioRate: 96_000 }, ['pixelFormats', 'maxAudioRate']],
  ['linkedin', { width: 400, height: 1000 }, ['minAspect']],
  ['linkedin', { width: 1000, height: 400 }, ['maxAspect']],
  ['linkedin', { bytes: 76_000 }, ['minBytes']],
  ['mastodon', { fps: 115, durationMs: 320_000 }, ['maxFrames']],
  ['pinterest', { durationMs: 3_900 }, ['minSeconds']],
  ['pinterest', { width: 499, height: 1010 }, ['minAspect']],
  ['snapchat', { width: 1920, height: 1080 }, ['maxAspect']],
  ['snapchat', { width: 530, height: 940 }, ['minWidth', 'minHeight']],
  ['telegram', { bytes: 49_000_001 }, ['maxBytes']],
  ['threads', { width: 2160, height: 3840 }, ['maxWidth']],
  ['threads', { audioChannels: 6 }, ['maxAudioChannels']],
  ['tiktok', { width: 350, height: 622, fps: 61 }, ['maxFps', 'minSide']],
  ['telegram', { pixelFormat: 'yuv444p' }, ['h264Formats']],
  ['tiktok', { pixelFormat: 'yuv420p10le' }, ['h264Formats']],
  ['facebook', { pixelFormat: 'yuv420p10le' }, ['h264Formats']],
  ['facebook', { pixelFormat: 'yuv420p10le', videoCodec: 'hevc' }, []],
  ['youtube', { pixelFormat: 'yuv420p10le' }, []],
  ['youtube', { pixelFormat: 'yuv444p' }, ['h264Formats']],
  ['x', { codedWidth: 1440, codedHeight: 1920 }, ['squarePixels']],
  ['x', { pixelFormat: 'yuv420p10le', audioProfile: 'HE-AAC' }, ['pixelFormats', 'audioProfiles']],
  ['youtube', { container: 'matroska' }, ['containers']],
])('%s rejects %j', (platform, facts, rules) => {
  const limits = connectors[platform]?.capabilities.video ?? { maxBytes: 0, containers: [] };
  expect(findMisfits(limits, { ...USUAL, ...facts }).map(({ rule }) => rule)).toEqual(rules);
});
