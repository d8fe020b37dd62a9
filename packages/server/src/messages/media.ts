/** The messages about videos, texts and their limits. They are part of checks, warnings and timelines. */
import { type Message, type MessageParams, messagesOf, renderText } from './message.ts';

/** One text for each limit that a video can violate. */
export const LIMIT_TEXTS = {
  maxBytes: 'The video has {value} {value|byte|bytes}. The maximum is {limit}.',
  minBytes: 'The video has {value} {value|byte|bytes}. The minimum is {limit}.',
  minSeconds: 'The video is {value} s long. The minimum is {limit} s.',
  maxSeconds: 'The video is {value} s long. The maximum is {limit} s.',
  containers: 'The file format is {value}. Allowed: {allowed}.',
  videoCodecs: 'The video codec is {value}. Allowed: {allowed}.',
  pixelFormats: 'The pixel format is {value}. Allowed: {allowed}.',
  h264Formats: 'Many phones cannot play this H.264 video: its pixel format is {value}. Allowed: {allowed}.',
  audioCodecs: 'The audio codec is {value}. Allowed: {allowed}.',
  audioProfiles: 'The audio profile is {value}. Allowed: {allowed}.',
  maxAudioChannels: 'The audio has {value} {value|channel|channels}. The maximum is {limit}.',
  maxAudioRate: 'The audio has {value} {value|sample|samples} per second. The maximum is {limit}.',
  needsAudio: 'The video has no audio track, but one is required.',
  maxFps: 'The video has {value} {value|frame|frames} per second. The maximum is {limit}.',
  minFps: 'The video has {value} {value|frame|frames} per second. The minimum is {limit}.',
  maxFrames: 'The video has {value} {value|frame|frames}. The maximum is {limit}.',
  steadyRate: 'The frame rate of the video is not constant.',
  progressive: 'The video is interlaced. It must be progressive.',
  minWidth: 'The video is {size}. The minimum width is {limit} {limit|pixel|pixels}.',
  maxWidth: 'The video is {size}. The maximum width is {limit} {limit|pixel|pixels}.',
  minHeight: 'The video is {size}. The minimum height is {limit} {limit|pixel|pixels}.',
  maxHeight: 'The video is {size}. The maximum height is {limit} {limit|pixel|pixels}.',
  minSide: 'The video is {size}. Each side needs at least {limit} {limit|pixel|pixels}.',
  maxSide: 'The video is {size}. Each side may have at most {limit} {limit|pixel|pixels}.',
  maxPixels: 'The video is {size}. The maximum is {limit} {limit|pixel|pixels} in total.',
  minAspect: 'The video is {size}. Its width must be at least {limit} of its height.',
  maxAspect: 'The video is {size}. Its width may be at most {limit} of its height.',
  squarePixels: 'The pixels of the video are not square.',
  maxBitrate: 'The video has {value} {value|bit|bits} per second. The maximum is {limit}.',
  indexFirst: 'The index of the file comes after its data. It must come first.',
  noHiddenFrames: 'An edit list of the file hides {value} {value|frame|frames}. Hidden frames are not allowed.',
  closedGops: 'Frames of the video refer across key frames (open GOPs). Closed GOPs are required.',
  maxKeySeconds: 'The video has up to {value} s between two key frames. The maximum is {limit} s.',
  firstTracks: 'Other tracks precede the film or its sound. They must be the first tracks of the file.',
  ownLength: 'By its times the file is {value} s long, but the film and its sound last {limit} s.',
} as const;

/** Prefix of the codes of {@link LIMIT_TEXTS}. */
const CODE_PREFIX = 'limit.';

export const OTHER_TEXTS = {
  limits: '{reasons}',
  text_too_long: 'The text has {value} {value|character|characters}. The maximum is {limit}.',
  text_counted_too_long:
    'The text has {value} {value|character|characters} as the platform counts them, and {plain} as written. The maximum is {limit}.',
  text_too_large: 'The text has {value} {value|byte|bytes}. The maximum is {limit}.',
} as const;

export const say = messagesOf(OTHER_TEXTS);

/** Why a platform rejected a video, for `video_rejected_for`. Rows from earlier versions have a text instead. */
export const FLAW_TEXTS = {
  file_format: 'its file format',
  file_size: 'its file size',
  duration: 'its duration',
  frame_rate: 'its frame rate',
  frame_size: 'its frame size',
  aspect_ratio: 'its aspect ratio',
  video_codec: 'its video codec',
  audio_codec: 'its audio codec',
  audio_channels: 'its audio channels',
  bitrate: 'its bit rate',
} as const;

export type FlawName = keyof typeof FLAW_TEXTS;

export const flaw = messagesOf(FLAW_TEXTS, {}, 'flaw.');

/** The message for a violated limit. */
export function limitMessage(rule: keyof typeof LIMIT_TEXTS, params: MessageParams): Message {
  return { code: `${CODE_PREFIX}${rule}`, params, text: renderText(LIMIT_TEXTS[rule], params) };
}

export const MEDIA_MESSAGES: Readonly<Record<string, string>> = {
  ...OTHER_TEXTS,
  ...Object.fromEntries(Object.entries(LIMIT_TEXTS).map(([rule, text]) => [`${CODE_PREFIX}${rule}`, text])),
};
