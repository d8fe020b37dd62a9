import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { MAX_PIXELS } from './commands.ts';
import { FORMATS } from './formats.ts';
import type { ProbedStream, ProbeResult, StreamSpan } from './packets.ts';
import { chooseFilm, chooseSound, isShown, type ShownStream, type Track } from './tracks.ts';
import type { Container, VideoFacts } from './types.ts';

/** Duration limits of the API: 3 to 90 s, and a tolerance of 50 ms. All in ms. */
export const MIN_MS = 3_000;
export const MAX_MS = 90_000;
export const TOLERANCE_MS = 50;
/** Maximum duration of a video of which only a part is posted, in ms. */
const MAX_TRIMMED_MS = 600_000;
/** Maximum difference in ms between header and packets before the file counts as damaged. */
const HEADER_SLACK_MS = 500;
const SHAPE = 9 / 16;
/** One percent, plus the rounding of floating-point numbers. */
const SHAPE_TOLERANCE = 0.01 + 1e-9;

/** A refusal has the code `video_unreadable`, `video_too_short`, `video_too_long` or `video_not_vertical`. */
export type Verdict = { facts: VideoFacts } | { refusal: ReelayError };

/** Input of the decision: the file, its probe, and what is accepted. */
export interface Evidence {
  bytes: number;
  container: Container;
  probe: ProbeResult;
  anyShape: boolean;
  /** Whether only a part of the video is posted. */
  isTrimmed?: boolean;
  /** As in {@link VideoFacts}. */
  indexFirst?: boolean;
}

/** Decides by the packets, because headers can be wrong. Pure. */
export function judge(evidence: Evidence): Verdict {
  const { probe, isTrimmed } = evidence;
  const maxMs = (isTrimmed ? MAX_TRIMMED_MS : MAX_MS) + TOLERANCE_MS;
  if (probe.tooManyPackets) {
    const tooLong = probe.longestMs > maxMs;
    return { refusal: tooLong ? new ReelayError('video_too_long') : apiError('too_many_packets') };
  }
  if (probe.truncated) return { refusal: apiError('file_truncated_end') };
  const film = chooseFilm(probe.streams);
  if (film === null) return { refusal: apiError('no_video_track') };
  const video = film.stream;
  const problem = videoProblem(video);
  if (problem !== null) return { refusal: problem };

  const sound = chooseSound(probe.streams);
  const lengthMs = spanOf(sound ? [video, sound.stream] : [video]);
  const shortest = Math.min(lengthMs, spanOf([video]));
  if (lengthMs > maxMs) {
    const code = lengthMs > MAX_TRIMMED_MS + TOLERANCE_MS ? 'video_longer_than_trimmed' : 'video_longer';
    return { refusal: apiError(code, { seconds: seconds(lengthMs) }) };
  }
  const lie = headerContradiction(evidence, probe.streams.filter(isShown));
  if (lie !== null) return { refusal: lie };
  if (shortest < MIN_MS - TOLERANCE_MS) {
    return { refusal: apiError('video_shorter', { seconds: seconds(shortest) }) };
  }

  const facts = toFacts(evidence, { film, sound }, lengthMs);
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
export function seconds(ms: number): string {
  return String(Math.round(ms / 10) / 100);
}

function videoProblem(video: ShownStream): ReelayError | null {
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
function spanOf(streams: readonly ShownStream[]): number {
  return Math.round(endOf(streams) - startOf(streams));
}

function startOf(streams: readonly ShownStream[]): number {
  return Math.min(...streams.map((s) => s.span.firstMs));
}

function endOf(streams: readonly ShownStream[]): number {
  return Math.max(...streams.map((s) => s.span.endMs));
}

/**
 * The header has the length, or the time of the end if the times do not start at 0. A transport stream has no duration
 * in its header: ffmpeg reports its own estimate there.
 */
function headerContradiction({ container, probe }: Evidence, streams: readonly ShownStream[]): ReelayError | null {
  if (container === 'mpegts' || probe.headerMs === null) return null;
  const { headerMs } = probe;
  const packetsMs = spanOf(streams);
  if ([packetsMs, endOf(streams)].some((ms) => Math.abs(headerMs - ms) <= HEADER_SLACK_MS)) return null;
  return apiError('length_contradicted', { headerSeconds: seconds(headerMs), seconds: seconds(packetsMs) });
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

interface Chosen {
  film: Track;
  sound: Track | null;
}

function toFacts(evidence: Evidence, chosen: Chosen, durationMs: number): VideoFacts {
  const video = chosen.film.stream;
  const audio = chosen.sound?.stream ?? null;
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
    ...trackFacts(evidence, chosen, durationMs),
    ...soundFacts(audio),
    ...keyFrameFacts(video, evidence.container),
    videoBitrate: endMs > firstMs ? Math.round((video.span.bytes * 8000) / (endMs - firstMs)) : 0,
    interlaced: video.interlaced,
    unsteady: isUnsteady(video.span),
    ...(evidence.indexFirst === undefined ? {} : { indexFirst: evidence.indexFirst }),
  };
}

/** Facts about the place of the chosen tracks in the file. Absent where nothing is unusual. */
function trackFacts({ container, probe }: Evidence, { film, sound }: Chosen, durationMs: number): Partial<VideoFacts> {
  const chosen = sound ? [film.stream, sound.stream] : [film.stream];
  const all = probe.streams.filter(isShown).filter(({ type }) => type === 'video' || type === 'audio');
  const offsetMs = Math.round(startOf(chosen) - startOf(all));
  const statedMs = Math.round(endOf(all));
  const hasAudioTracks = probe.streams.some(({ type }) => type === 'audio');
  return {
    ...(film.position > 0 ? { filmTrack: film.position } : {}),
    ...(sound && sound.position > 0 ? { soundTrack: sound.position } : {}),
    ...(hasAudioTracks && !sound ? { audioUnusable: true } : {}),
    ...(offsetMs > 0 ? { offsetMs } : {}),
    ...(!FREE_CLOCK.has(container) && statedMs - durationMs > HEADER_SLACK_MS ? { statedMs } : {}),
  };
}

/** Containers whose times may start anywhere. */
const FREE_CLOCK: ReadonlySet<Container> = new Set(['mpegts', 'flv']);

const MP4_FAMILY: ReadonlySet<Container> = new Set(['mp4', 'mov', '3gp']);

function keyFrameFacts({ span, tag }: ShownStream, container: Container): Partial<VideoFacts> {
  return {
    keyFrameMs: Math.round(span.longestKeyMs),
    ...(span.leadingFrames ? { leadingFrames: true } : {}),
    ...(span.hidden > 0 ? { hiddenFrames: span.hidden } : {}),
    ...(tag !== null && MP4_FAMILY.has(container) ? { videoTag: tag } : {}),
  };
}

function soundFacts(audio: ShownStream | null): Partial<VideoFacts> {
  if (audio === null) return {};
  return {
    audioPacketBytes: audio.span.largestBytes,
    ...(audio.span.hiddenMs > 0 ? { hiddenAudioMs: Math.round(audio.span.hiddenMs) } : {}),
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
