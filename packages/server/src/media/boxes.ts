import { apiError, type ReelayError } from '../errors/reelay-error.ts';

/** Reads up to `length` bytes at `offset`; fewer only at the end of the file. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

const MAX_BOXES = 20_000;
const MAX_MOOV = 16 * 1024 * 1024;
const MAX_MOOF = 1024 * 1024;
const WINDOW = 16 * 1024;

interface Box {
  type: string;
  /** Size in bytes, including the header. */
  size: number;
}

/** The error for invalid boxes; otherwise whether the index (moov) precedes all data (mdat). */
export type BoxVerdict = { problem: ReelayError } | { indexFirst: boolean };

/**
 * Walks the top-level boxes of an ISO base media file (ISO/IEC 14496-12, 4.2) without reading their contents. Every box
 * must lie inside the file, which detects truncated files. The limits protect parsers from files made to exhaust them.
 */
export async function walkBoxes(readAt: ReadAt, fileBytes: number): Promise<BoxVerdict> {
  const header = headerReader(readAt);
  let moovs = 0;
  let boxes = 0;
  let indexFirst: boolean | null = null;
  const verdict = () =>
    moovs === 1
      ? { indexFirst: indexFirst !== false }
      : { problem: apiError(moovs === 0 ? 'file_without_index' : 'file_with_two_indexes') };
  for (let at = 0; at < fileBytes; ) {
    const bytes = await header(at);
    if (bytes.length < 8) return isZero(bytes) ? verdict() : truncated();
    const box = parseHeader(bytes, fileBytes - at);
    if (box === null) return { problem: apiError('file_box_invalid') };
    if (at + box.size > fileBytes) return truncated();
    boxes += 1;
    if (boxes > MAX_BOXES) return { problem: apiError('file_too_many_boxes', { limit: MAX_BOXES }) };
    if (box.type === 'moov') {
      moovs += 1;
      if (box.size > MAX_MOOV) return { problem: apiError('file_index_too_large') };
    }
    if (box.type === 'moov' || box.type === 'mdat') indexFirst ??= box.type === 'moov';
    if (box.type === 'moof' && box.size > MAX_MOOF) return { problem: apiError('file_fragment_index_too_large') };
    at += box.size;
  }
  return verdict();
}

const truncated = () => ({ problem: apiError('file_truncated_end') });

function isZero(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0);
}

/** Parses a box header. Size 1: a 64-bit size follows. Size 0: the box extends to the end of the file. */
function parseHeader(bytes: Uint8Array, rest: number): Box | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const type = String.fromCharCode(...bytes.subarray(4, 8));
  const size = view.getUint32(0);
  if (size === 0) return { type, size: rest };
  if (size !== 1) return size < 8 ? null : { type, size };
  if (bytes.length < 16) return null;
  const large = Number(view.getBigUint64(8));
  return large < 16 ? null : { type, size: large };
}

/** Buffers reads in a window, so that thousands of small boxes need few reads. */
function headerReader(readAt: ReadAt): (at: number) => Promise<Uint8Array> {
  let start = 0;
  let window: Uint8Array = new Uint8Array();
  return async (at) => {
    if (at < start || at + 16 > start + window.length) {
      window = await readAt(at, WINDOW);
      start = at;
    }
    return window.subarray(at - start, at - start + 16);
  };
}
