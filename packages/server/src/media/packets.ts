/** Time span of one stream's packets, in ms. */
export interface StreamSpan {
  packets: number;
  firstMs: number;
  /** Start of the last packet in presentation order. */
  lastMs: number;
  endMs: number;
  /** Total size of all packets. */
  bytes: number;
  /** The longest interval between two packets in decoding order, in ms. */
  longestStepMs: number;
  /** The longest interval between two key frames, or from the last one to the end, in ms. */
  longestKeyMs: number;
  /** Whether packets that follow a key frame are displayed before it. */
  leadingFrames: boolean;
  /** Size of the largest packet, in bytes. */
  largestBytes: number;
  /** Packets hidden by an edit list, and their total duration in ms. */
  hidden: number;
  hiddenMs: number;
}

/** One stream as its header describes it, with the actual time span of its packets. */
export interface ProbedStream {
  index: number;
  type: string;
  codec: string | null;
  /** The code of the codec in the container: `hvc1`. */
  tag: string | null;
  width: number;
  height: number;
  /** Sample aspect ratio (width divided by height); 1 when unknown. */
  sampleAspect: number;
  /** Degrees counterclockwise, as ffmpeg reports the display matrix. */
  rotation: number;
  pixelFormat: string | null;
  transfer: string | null;
  attachedPicture: boolean;
  interlaced: boolean;
  profile: string | null;
  /** Samples per second, and channels; 0 when unknown. */
  sampleRate: number;
  channels: number;
  /** Null if there is no decoder. */
  sampleFormat: string | null;
  /** Whether the channels are a spatial scene instead of loudspeakers. */
  ambisonic: boolean;
  /** Whether decoding gave only silence, or nothing; absent if it was not decoded. */
  silent?: boolean;
  span: StreamSpan | null;
}

/** Result of one probe. */
export interface ProbeResult {
  streams: ProbedStream[];
  /** Duration from the headers, in ms; null when they have none. */
  headerMs: number | null;
  /** Whether the demuxer reached the end of the file too early. */
  truncated: boolean;
  /** Whether the packet limit was exceeded; then the streams are unknown. */
  tooManyPackets: boolean;
  /** Longest span of any stream, in ms. */
  longestMs: number;
}

/** Far above 90 s at 240 frames per second with several audio tracks. */
const MAX_PACKETS = 500_000;

interface Span {
  packets: number;
  first: number;
  last: number;
  lastDuration: number | null;
  bytes: number;
  /** Decoding time of the previous packet, in ms. */
  decodedAt: number | null;
  longestStep: number;
  /** Start of the last key frame; of the first packet until there is one. */
  keyAt: number;
  longestKey: number;
  leading: boolean;
  largest: number;
}

/** Packets that an edit list hides. */
interface Hidden {
  packets: number;
  ms: number;
}

type Fields = ReadonlyMap<string, string>;

/**
 * Aggregates ffprobe's compact output line by line: `packet|…`, `stream|…`, `format|…`. Memory use does not depend on
 * the number of packets. `take` returns false after `mostPackets`.
 */
export function createPacketTally(mostPackets = MAX_PACKETS): {
  take(line: string): boolean;
  result(stderr: string): ProbeResult;
} {
  const spans = new Map<string, Span>();
  const hidden = new Map<string, Hidden>();
  const streams = new Map<string, Fields>();
  let format: Fields = new Map();
  let packets = 0;
  return {
    take(line) {
      if (line.startsWith('packet|')) {
        packets += 1;
        const fields = parseLine(line);
        if (fields.get('flags')?.includes('D')) countHidden(hidden, fields);
        else countPacket(spans, fields);
      } else if (line.startsWith('stream|')) {
        // A transport stream lists its streams twice, the second time with complete data.
        const fields = parseLine(line);
        streams.set(fields.get('index') ?? '', fields);
      } else if (line.startsWith('format|')) {
        format = parseLine(line);
      }
      return packets <= mostPackets;
    },
    result(stderr) {
      const closed = new Map([...spans].map(([index, span]) => [index, closeSpan(span, hidden.get(index))]));
      const headerMs = milliseconds(format.get('duration'));
      return {
        streams: [...streams].map(([index, fields]) => toStream(fields, closed.get(index) ?? null)),
        headerMs: headerMs !== null && headerMs > 0 ? headerMs : null,
        truncated: /partial file|ended prematurely/i.test(stderr),
        tooManyPackets: packets > mostPackets,
        longestMs: Math.max(0, ...[...closed.values()].map((span) => span.endMs - span.firstMs)),
      };
    },
  };
}

function parseLine(line: string): Fields {
  const fields = new Map<string, string>();
  for (const part of line.split('|')) {
    const at = part.indexOf('=');
    if (at > 0) fields.set(part.slice(0, at), part.slice(at + 1));
  }
  return fields;
}

/** Packets hidden by an edit list (flag D) are not displayed, so they do not count toward the length. */
function countHidden(hidden: Map<string, Hidden>, fields: Fields): void {
  const index = fields.get('stream_index') ?? '';
  const { packets, ms } = hidden.get(index) ?? { packets: 0, ms: 0 };
  hidden.set(index, { packets: packets + 1, ms: ms + (milliseconds(fields.get('duration_time')) ?? 0) });
}

function countPacket(spans: Map<string, Span>, fields: Fields): void {
  const start = milliseconds(fields.get('pts_time')) ?? milliseconds(fields.get('dts_time'));
  const index = fields.get('stream_index');
  if (start === null || index === undefined) return;
  const duration = milliseconds(fields.get('duration_time'));
  const decodedAt = milliseconds(fields.get('dts_time'));
  const bytes = Number(fields.get('size') ?? 0) || 0;
  const span = spans.get(index);
  if (span === undefined) {
    spans.set(index, {
      ...{ packets: 1, first: start, last: start, lastDuration: duration },
      ...{ bytes, decodedAt, longestStep: 0, keyAt: start, longestKey: 0, leading: false, largest: bytes },
    });
    return;
  }
  span.packets += 1;
  span.bytes += bytes;
  span.largest = Math.max(span.largest, bytes);
  if (start < span.keyAt) span.leading = true;
  if (fields.get('flags')?.includes('K')) {
    span.longestKey = Math.max(span.longestKey, start - span.keyAt);
    span.keyAt = start;
  }
  if (decodedAt !== null) {
    span.longestStep = Math.max(span.longestStep, decodedAt - (span.decodedAt ?? decodedAt));
    span.decodedAt = decodedAt;
  }
  span.first = Math.min(span.first, start);
  if (start >= span.last) {
    span.last = start;
    span.lastDuration = duration;
  }
}

/** If the last packet has no duration, uses the mean interval of the others. */
function closeSpan(span: Span, hidden: Hidden = { packets: 0, ms: 0 }): StreamSpan {
  const mean = span.packets > 1 ? (span.last - span.first) / (span.packets - 1) : 0;
  const end = span.last + (span.lastDuration ?? mean);
  return {
    ...{ packets: span.packets, firstMs: span.first, lastMs: span.last, endMs: end },
    ...{ bytes: span.bytes, longestStepMs: span.longestStep, largestBytes: span.largest },
    ...{ longestKeyMs: Math.max(span.longestKey, end - span.keyAt), leadingFrames: span.leading },
    ...{ hidden: hidden.packets, hiddenMs: hidden.ms },
  };
}

function toStream(fields: Fields, span: StreamSpan | null): ProbedStream {
  return {
    index: Number(fields.get('index')),
    type: fields.get('codec_type') ?? 'unknown',
    codec: known(fields.get('codec_name')),
    tag: known(fields.get('codec_tag_string')),
    width: Number(fields.get('width') ?? 0) || 0,
    height: Number(fields.get('height') ?? 0) || 0,
    sampleAspect: ratio(fields.get('sample_aspect_ratio')),
    rotation: Number(fields.get('rotation') ?? 0) || 0,
    pixelFormat: known(fields.get('pix_fmt')),
    transfer: known(fields.get('color_transfer')),
    attachedPicture: fields.get('disposition:attached_pic') === '1',
    interlaced: INTERLACED.has(fields.get('field_order') ?? ''),
    profile: known(fields.get('profile')),
    sampleRate: Number(fields.get('sample_rate') ?? 0) || 0,
    channels: Number(fields.get('channels') ?? 0) || 0,
    sampleFormat: known(fields.get('sample_fmt')),
    ambisonic: fields.get('channel_layout')?.startsWith('ambisonic') ?? false,
    span,
  };
}

/** Field orders as ffmpeg names them: the field stored first and the field displayed first. */
const INTERLACED = new Set(['tt', 'bb', 'tb', 'bt']);

function known(value: string | undefined): string | null {
  return value === undefined || value === 'unknown' || value === 'N/A' || value === 'none' ? null : value;
}

function milliseconds(seconds: string | undefined): number | null {
  const value = seconds === undefined ? Number.NaN : Number.parseFloat(seconds) * 1000;
  return Number.isFinite(value) ? value : null;
}

/** Parses a ratio: `16:9` becomes 1.77…; `0:1` and `N/A` mean unknown. */
function ratio(text: string | undefined): number {
  const match = /^(\d+):(\d+)$/.exec(text ?? '');
  const value = match === null ? 1 : Number(match[1]) / Number(match[2]);
  return Number.isFinite(value) && value > 0 ? value : 1;
}
