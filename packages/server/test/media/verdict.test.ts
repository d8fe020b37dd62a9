import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPacketTally, type ProbedStream, type ProbeResult, type StreamSpan } from '../../src/media/packets.ts';
import { type Evidence, judge } from '../../src/media/verdict.ts';

function tally(lines: readonly string[], stderr = ''): ProbeResult {
  const counter = createPacketTally();
  for (const line of lines) counter.take(line);
  return counter.result(stderr);
}
const packet = (stream: number, start: number | null, duration: number | null, flags = 'K_') =>
  `packet|stream_index=${stream}|pts_time=${start ?? 'N/A'}|dts_time=${start ?? 'N/A'}|duration_time=${duration ?? 'N/A'}|flags=${flags}`;

describe('packets', () => {
  test('give the start and end of each stream', () => {
    const { streams } = tally([
      packet(0, 1.5, 0.5),
      packet(0, 1, 0.5),
      packet(0, 3, 0.25),
      packet(0, 2, 0.5),
      'stream|index=0|codec_type=video|codec_name=h264|width=9|height=16|sample_aspect_ratio=4:3|pix_fmt=yuv420p|rotation=-90',
    ]);
    expect(streams[0]).toMatchObject({
      type: 'video',
      sampleAspect: 4 / 3,
      rotation: -90,
      span: { packets: 4, firstMs: 1000, lastMs: 3000, endMs: 3250 },
    });
  });

  test('give the size and the longest decoding interval', () => {
    const packet = (pts: number, dts: number, size: number) =>
      `packet|stream_index=0|pts_time=${pts}|dts_time=${dts}|duration_time=0.1|size=${size}|flags=__`;
    const { streams } = tally([
      packet(0, -0.2, 100),
      packet(0.3, -0.1, 30),
      packet(0.1, 0, 10),
      packet(0.9, 0.5, 10),
      'stream|index=0|codec_type=video|field_order=tt',
      'stream|index=1|codec_type=audio|profile=LC|sample_rate=48000|channels=2|field_order=progressive',
    ]);
    expect(streams[0]?.span?.bytes).toBe(150);
    expect(streams[0]?.span?.longestStepMs).toBeCloseTo(500);
    expect(streams[0]).toMatchObject({ interlaced: true, profile: null });
    expect(streams[1]).toMatchObject({ interlaced: false, profile: 'LC', sampleRate: 48_000, channels: 2 });
  });

  test('hidden by an edit list do not count', () => {
    const { streams } = tally([packet(0, -1, 1, 'KD'), packet(0, 0, 1), packet(0, 1, 1), 'stream|index=0']);
    expect(streams[0]?.span).toMatchObject({ packets: 2, firstMs: 0, endMs: 2000 });
  });

  test('without a duration use the mean; without time are skipped', () => {
    const { streams } = tally([
      packet(0, 0, null),
      packet(0, 0.1, null),
      packet(0, null, 9),
      packet(0, 0.2, null),
      'stream|index=0',
    ]);
    expect(streams[0]?.span?.endMs).toBeCloseTo(300);
  });

  test('of other programs or side data are ignored', () => {
    const result = tally([
      'side_data|',
      '',
      'program|stream|index=3',
      packet(0, 0, 1),
      'stream|index=0|width=1',
      'stream|index=0|width=2',
      'format|duration=2.5',
    ]);
    expect(result.streams).toHaveLength(1);
    expect(result.streams[0]?.width).toBe(2);
    expect(result.headerMs).toBe(2500);
  });

  test.each([
    ['partial file', true],
    ['File ended prematurely at pos. 9', true],
    ['Invalid level prefix', false],
  ])('are truncated when ffprobe prints "%s": %s', (stderr, cut) => {
    expect(tally([], `[mov @ 0x1] stream 0, offset 0x1: ${stderr}\n`).truncated).toBe(cut);
  });

  test('beyond the limit stop the tally without using memory', () => {
    const counter = createPacketTally();
    let taken = 0;
    while (counter.take(packet(0, taken / 1000, 0.001))) taken += 1;
    expect(taken).toBe(500_000);
    expect(counter.result('')).toMatchObject({ tooManyPackets: true, streams: [] });
    expect(counter.result('').longestMs).toBeGreaterThan(400_000);
  });

  test('with any content never fail', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^(packet|stream|format)\|[a-z_=|0-9.:/-]*$/)), (lines) => {
        expect(tally(lines).streams.every((stream) => stream.sampleAspect > 0)).toBe(true);
      }),
    );
  });
});

const NO_MORE = { longestKeyMs: 1000, leadingFrames: false, largestBytes: 30, hidden: 0, hiddenMs: 0 };

/** An accepted video with the given changes. */
function evidence(video: Partial<ProbedStream> = {}, more: Partial<ProbeResult> = {}, anyShape = false): Evidence {
  const span = { packets: 100, firstMs: 0, lastMs: 9900, endMs: 10_000, bytes: 900, longestStepMs: 200, ...NO_MORE };
  const stream: ProbedStream = {
    index: 0,
    type: 'video',
    codec: 'h264',
    width: 1080,
    height: 1920,
    sampleAspect: 1,
    rotation: 0,
    tag: 'avc1',
    pixelFormat: 'yuv420p',
    transfer: null,
    attachedPicture: false,
    interlaced: false,
    profile: null,
    sampleRate: 0,
    channels: 0,
    sampleFormat: null,
    ambisonic: false,
    span,
    ...video,
  };
  const probe: ProbeResult = {
    streams: [stream],
    headerMs: null,
    truncated: false,
    tooManyPackets: false,
    longestMs: 10_000,
    ...more,
  };
  return { bytes: 1000, container: 'mp4', probe, anyShape };
}
const lasting = (ms: number): StreamSpan => ({
  packets: 100,
  firstMs: 0,
  lastMs: ms - 100,
  endMs: ms,
  bytes: 900,
  longestStepMs: 0,
  ...NO_MORE,
});
function outcome(given: Evidence): string {
  const verdict = judge(given);
  return 'facts' in verdict ? 'accepted' : verdict.refusal.code;
}

describe('the verdict', () => {
  test.each([
    [2949, 'video_too_short'],
    [2950, 'accepted'],
    [90_050, 'accepted'],
    [90_050.4, 'accepted'],
    [90_051, 'video_too_long'],
  ])('on %d ms is %s', (ms, expected) => {
    expect(outcome(evidence({ span: lasting(ms) }))).toBe(expected);
  });

  test.each([
    [1080, 1920, 1, 0, 'accepted'],
    [1920, 1080, 1, 90, 'accepted'],
    [1920, 1080, 1, -90, 'accepted'],
    [1080, 1920, 1, 180, 'accepted'],
    [1920, 1080, 1, 0, 'video_not_vertical'],
    [1080, 1920, 1, 270, 'video_not_vertical'],
    [1440, 1920, 3 / 4, 0, 'accepted'],
    [1080, 1920, 4 / 3, 0, 'video_not_vertical'],
    [1000, 1760, 1, 0, 'video_not_vertical'],
    [909, 1600, 1, 0, 'accepted'],
    [910, 1600, 1, 0, 'video_not_vertical'],
    [891, 1600, 1, 0, 'accepted'],
    [890, 1600, 1, 0, 'video_not_vertical'],
    [1080, 1080, 1, 0, 'video_not_vertical'],
  ])('on %d × %d, aspect %d, rotation %d: %s', (width, height, sampleAspect, rotation, expected) => {
    const video = { width, height, sampleAspect, rotation };
    expect(outcome(evidence(video))).toBe(expected);
    expect(outcome(evidence(video, {}, true))).toBe('accepted');
  });

  const sound = (endMs: number): ProbedStream[] => [
    ...evidence().probe.streams,
    {
      ...(evidence().probe.streams[0] as ProbedStream),
      index: 1,
      type: 'audio',
      codec: 'aac',
      sampleFormat: 'fltp',
      span: lasting(endMs),
    },
  ];
  test.each([
    ['no stream', evidence({}, { streams: [] }), 'video_unreadable'],
    ['sound only', evidence({ type: 'audio' }), 'video_unreadable'],
    ['cover art only', evidence({ attachedPicture: true }), 'video_unreadable'],
    ['no packet', evidence({ span: null }), 'video_unreadable'],
    ['one picture', evidence({ span: { ...lasting(10_000), packets: 1, lastMs: 0 } }), 'video_unreadable'],
    ['unknown codec', evidence({ codec: null }), 'video_unreadable'],
    ['unknown pixels', evidence({ pixelFormat: null }), 'video_unreadable'],
    ['no width', evidence({ width: 0 }), 'video_unreadable'],
    ['more than 8K', evidence({ width: 65_535, height: 65_535 }), 'video_unreadable'],
    ['vertical 8K', evidence({ width: 4320, height: 7680 }), 'accepted'],
    ['cut off', evidence({}, { truncated: true }), 'video_unreadable'],
    ['a header that promises more', evidence({}, { headerMs: 10_501 }), 'video_unreadable'],
    ['a header that promises less', evidence({}, { headerMs: 9_499 }), 'video_unreadable'],
    ['a header that is nearly right', evidence({}, { headerMs: 10_500 }), 'accepted'],
    [
      'a transport stream, whose header is a guess',
      { ...evidence({}, { headerMs: 60_000 }), container: 'mpegts' },
      'accepted',
    ],
    ['sound longer than 90 s', evidence({}, { streams: sound(95_000) }), 'video_too_long'],
    [
      'long sound over a short picture',
      evidence({}, { streams: sound(60_000).map((s) => (s.index === 0 ? { ...s, span: lasting(1000) } : s)) }),
      'video_too_short',
    ],
    [
      'too many packets over long',
      evidence({}, { tooManyPackets: true, longestMs: 200_000, streams: [] }),
      'video_too_long',
    ],
    [
      'too many packets at once',
      evidence({}, { tooManyPackets: true, longestMs: 20, streams: [] }),
      'video_unreadable',
    ],
  ] satisfies [string, Evidence, string][])('on %s is given', (_, given, expected) => {
    expect(outcome(given)).toBe(expected);
  });

  test('includes the measured value', () => {
    const message = (given: Evidence) => {
      const verdict = judge(given);
      return 'refusal' in verdict ? verdict.refusal.message : '';
    };
    expect(message(evidence({ span: lasting(90_060) }))).toContain('90.06 seconds');
    expect(message(evidence({ span: lasting(2900) }))).toContain('2.9 seconds');
    expect(message(evidence({ width: 640, height: 360 }))).toContain('640 × 360');
    expect(message(evidence({}, { headerMs: 30_000 }))).toContain('30 seconds, but the file contains 10');
  });

  test('on an accepted video has its facts', () => {
    const verdict = judge(
      evidence({ width: 1920, height: 1080, rotation: -90, transfer: 'arib-std-b67' }, { headerMs: 10_000 }),
    );
    expect(verdict).toEqual({
      facts: {
        bytes: 1000,
        container: 'mp4',
        mime: 'video/mp4',
        durationMs: 10_000,
        lastFrameMs: 9900,
        width: 1080,
        height: 1920,
        codedWidth: 1920,
        codedHeight: 1080,
        rotation: 90,
        fps: 10,
        videoCodec: 'h264',
        audioCodec: null,
        pixelFormat: 'yuv420p',
        hdr: true,
        hasAudio: false,
        videoBitrate: 720,
        interlaced: false,
        unsteady: false,
        keyFrameMs: 1000,
        videoTag: 'avc1',
      },
    });
  });

  test('reports audio, interlacing, unsteady rates and the index', () => {
    const [picture] = evidence({ interlaced: true, span: { ...lasting(10_000), longestStepMs: 301 } }).probe.streams;
    const track = {
      ...(picture as ProbedStream),
      index: 1,
      type: 'audio',
      codec: 'aac',
      profile: 'LC',
      sampleFormat: 'fltp',
    };
    const streams = [picture as ProbedStream, { ...track, sampleRate: 44_100, channels: 6 }, { ...track, channels: 1 }];
    expect(judge({ ...evidence({}, { streams }), indexFirst: false })).toMatchObject({
      facts: {
        audioChannels: 6,
        audioRate: 44_100,
        audioProfile: 'LC',
        interlaced: true,
        unsteady: true,
        indexFirst: false,
      },
    });
  });

  test('accepts only 3 to 90 s for any streams', () => {
    const time = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(time, time, fc.integer({ min: 0, max: 1e6 }), (a, b, packets) => {
        const ends = { firstMs: Math.min(a, b), lastMs: Math.min(a, b), endMs: Math.max(a, b) };
        const span = { ...lasting(0), packets, ...ends };
        const verdict = judge(evidence({ span }, {}, true));
        if ('facts' in verdict) {
          expect(verdict.facts.durationMs).toBeGreaterThanOrEqual(2950);
          expect(verdict.facts.durationMs).toBeLessThanOrEqual(90_050);
          expect(packets).toBeGreaterThanOrEqual(2);
        }
      }),
    );
  });
});
