import { apiError, ReelayError } from '../errors.ts';
import { MAX_PIXELS } from './commands.ts';
import { FORMATS } from './formats.ts';
import type { ProbedStream, ProbeResult, StreamSpan } from './packets.ts';
import type { Container, VideoFacts } from './types.ts';

/** Duration limits of the API: 3 to 90 s, and a tolerance of 50 ms. All in ms. */
const MIN_MS = 3_000;
const MAX_MS = 90_000;
const TOLERANCE_MS = 50;
/** Maximum difference in ms between header and packets before the file counts as damaged. */
const HEADER_SLACK_MS = 500;
const SHAPE = 9 / 16;
/** One percent, plus the rounding of floating-point numbers. */
const SHAPE_TOLERANCE = 0.01 + 1e-9;

/** A refusal has the code `video_unreadable`, `video_too_short`, `video_too_long` or `video_not_vertical`. */
export type Verdict = { facts: VideoFacts } | { refusal: ReelayError };

/** Input of the decision: the file, its probe, and whether any shape is accepted. */
export interface Evidence {
  bytes: number;
  container: Container;
  probe: ProbeResult;
  anyShape: boolean;
  /** As in {@link VideoFacts}. */
  indexFirst?: boolean;
}

type Shown = ProbedStream & { span: StreamSpan };

/** Decides by the packets, because headers can be wrong. Pure. */
export function judge(evidence: Evidence): Verdict {
  const { probe } = evidence;
  if (probe.tooManyPackets) {
    const tooLong = probe.longestMs > MAX_MS + TOLERANCE_MS;
    return { refusal: tooLong ? new ReelayError('video_too_long') : apiError('too_many_packets') };
  }
  if (probe.truncated) return { refusal: apiError('file_truncated_end') };
  const video = mainVideo(probe.streams);
  if (video === null) return { refusal: apiError('no_video_track') };
  const problem = videoProblem(video);
  if (problem !== null) return { refusal: problem };

  const shown = probe.streams.filter(isShown).filter((s) => s.type === 'audio' || s === video);
  const lengthMs = spanOf(shown);
  const shortest = Math.min(lengthMs, spanOf([video]));
  if (lengthMs > MAX_MS + TOLERANCE_MS) {
    return { refusal: apiError('video_longer', { seconds: seconds(lengthMs) }) };
  }
  const lie = headerContradiction(evidence, spanOf(probe.streams.filter(isShown)));
  if (lie !== null) return { refusal: lie };
  if (shortest < MIN_MS - TOLERANCE_MS) {
    return { refusal: apiError('video_shorter', { seconds: seconds(shortest) }) };
  }

  const facts = toFacts(evidence, video, lengthMs);
  if (!evidence.anyShape && !isVertical(displayed(video))) {
    return { refusal: apiError('video_shape', { size: `${facts.width} × ${facts.height}` }) };
  }
  return { facts };
}

/** Returns whether a displayed size is 9:16 within one percent. */
export function isVertical({ width, height }: { width: number; height: number }): boolean {
  return Math.abs(width / height / SHAPE - 1) <= SHAPE_TOLERANCE;
}

/** Formats with two decimals, so that a rejected 90.06 does not read as 90.1. */
function seconds(ms: number): string {
  return String(Math.round(ms / 10) / 100);
}

function isShown(stream: ProbedStream): stream is Shown {
  return stream.span !== null && !stream.attachedPicture;
}

/** The first video stream that is not cover art, which ffmpeg calls `V:0`. */
function mainVideo(streams: readonly ProbedStream[]): Shown | null {
  const video = streams.filter((s) => s.type === 'video' && !s.attachedPicture).sort((a, b) => a.index - b.index)[0];
  return video !== undefined && isShown(video) ? video : null;
}

function videoProblem(video: Shown): ReelayError | null {
  if (video.span.packets < 2) return apiError('single_frame');
  if (video.codec === null || video.pixelFormat === null) return apiError('codec_unknown');
  const { width, height } = displayed(video);
  if (!(width >= 1 && height >= 1)) return apiError('no_dimensions');
  if (video.width * video.height > MAX_PIXELS || width * height > 4 * MAX_PIXELS) {
    return apiError('too_many_pixels', { size: `${video.width} × ${video.height}` });
  }
  return null;
}

/** From the first start to the last end, in whole ms. */
function spanOf(streams: readonly Shown[]): number {
  const first = Math.min(...streams.map((s) => s.span.firstMs));
  return Math.round(Math.max(...streams.map((s) => s.span.endMs)) - first);
}

/** A transport stream has no duration in its header: ffmpeg reports its own estimate there. */
function headerContradiction({ container, probe }: Evidence, packetsMs: number): ReelayError | null {
  if (container === 'mpegts' || probe.headerMs === null) return null;
  if (Math.abs(probe.headerMs - packetsMs) <= HEADER_SLACK_MS) return null;
  return apiError('length_contradicted', { headerSeconds: seconds(probe.headerMs), seconds: seconds(packetsMs) });
}

/** Displayed size: an odd number of quarter turns swaps width and height. */
function displayed(video: ProbedStream): { width: number; height: number } {
  const width = video.width * video.sampleAspect;
  return quarterTurns(video) % 2 === 0 ? { width, height: video.height } : { width: video.height, height: width };
}

/** Clockwise quarter turns, 0 to 3. ffmpeg counts degrees counterclockwise. */
function quarterTurns(video: ProbedStream): number {
  return (4 - (Math.round(video.rotation / 90) % 4)) % 4;
}

const ROTATIONS = [0, 90, 180, 270] as const;
const HDR_TRANSFERS = new Set(['smpte2084', 'arib-std-b67']);

function toFacts(evidence: Evidence, video: Shown, durationMs: number): VideoFacts {
  const audio = evidence.probe.streams.find((s) => s.type === 'audio' && isShown(s)) ?? null;
  const { width, height } = displayed(video);
  const { packets, firstMs, lastMs, endMs } = video.span;
  return {
    bytes: evidence.bytes,
    container: evidence.container,
    mime: FORMATS[evidence.container].mime,
    durationMs,
    lastFrameMs: Math.floor(lastMs - firstMs),
    width: Math.round(width),
    height: Math.round(height),
    codedWidth: video.width,
    codedHeight: video.height,
    rotation: ROTATIONS[quarterTurns(video)] ?? 0,
    fps: endMs > firstMs ? Math.round((packets / (endMs - firstMs)) * 1e6) / 1000 : 0,
    videoCodec: video.codec ?? '',
    audioCodec: audio?.codec ?? null,
    pixelFormat: video.pixelFormat ?? '',
    hdr: HDR_TRANSFERS.has(video.transfer ?? ''),
    hasAudio: audio !== null,
    ...soundFacts(audio),
    videoBitrate: endMs > firstMs ? Math.round((video.span.bytes * 8000) / (endMs - firstMs)) : 0,
    interlaced: video.interlaced,
    unsteady: isUnsteady(video.span),
    ...(evidence.indexFirst === undefined ? {} : { indexFirst: evidence.indexFirst }),
  };
}

function soundFacts(audio: ProbedStream | null): Pick<VideoFacts, 'audioChannels' | 'audioRate' | 'audioProfile'> {
  if (audio === null) return {};
  return {
    ...(audio.channels > 0 ? { audioChannels: audio.channels } : {}),
    ...(audio.sampleRate > 0 ? { audioRate: audio.sampleRate } : {}),
    ...(audio.profile === null ? {} : { audioProfile: audio.profile }),
  };
}

/** Cameras vary a little and drop a frame now and then. Screen recordings display one frame until something moves. */
const UNSTEADY_STEP = 3;

function isUnsteady({ packets, firstMs, lastMs, longestStepMs }: StreamSpan): boolean {
  return longestStepMs > UNSTEADY_STEP * ((lastMs - firstMs) / (packets - 1));
}
