/** Reads duration and frame size from the header of an MP4 or QuickTime file (ISO/IEC 14496-12). */
import type { Blobs } from '../contract.ts';
import { splitRange } from '../http/ranges.ts';
import { type Chunk, totalBytes } from '../store/chunks.ts';

export interface Mp4Facts {
  durationMs: number;
  width: number;
  height: number;
}

const NONE: Mp4Facts = { durationMs: 0, width: 0, height: 0 };
const MAX_HEADER = 16 * 1024 * 1024;
const MAX_BOXES = 1000;

/** Returns zeros if the file has no such header. */
export async function readMp4Facts(blobs: Blobs, chunks: readonly Chunk[]): Promise<Mp4Facts> {
  const total = totalBytes(chunks);
  let offset = 0;
  for (let box = 0; box < MAX_BOXES && offset + 8 <= total; box += 1) {
    const head = await readAcross(blobs, chunks, offset, Math.min(16, total - offset));
    const size = boxSize(head, total - offset);
    if (size === null) return NONE;
    if (head.toString('latin1', 4, 8) === 'moov')
      return size > MAX_HEADER
        ? NONE
        : factsOf(await readAcross(blobs, chunks, offset, Math.min(size, total - offset)));
    offset += size;
  }
  return NONE;
}

async function readAcross(blobs: Blobs, chunks: readonly Chunk[], offset: number, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  const sizes = chunks.map(({ bytes }) => bytes);
  for (const { index, range } of splitRange(sizes, { first: offset, last: offset + length - 1 }))
    for await (const part of await blobs.get(chunks[index]?.blob ?? '', range))
      parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts);
}

/** Total size of the box at the start of `bytes`. Size 0 means "to the end", 1 means a 64-bit size. */
function boxSize(bytes: Buffer, rest: number): number | null {
  const size = bytes.readUInt32BE(0);
  if (size === 0) return rest;
  if (size === 1) return bytes.length >= 16 ? Number(bytes.readBigUInt64BE(8)) : null;
  return size >= 8 ? size : null;
}

function factsOf(moov: Buffer): Mp4Facts {
  const facts = { ...NONE };
  for (const { type, body } of boxesIn(moov.subarray(8))) {
    if (type === 'mvhd') facts.durationMs = durationOf(body);
    if (type !== 'trak' || facts.width > 0) continue;
    const header = boxesIn(body).find((box) => box.type === 'tkhd')?.body;
    if (header) Object.assign(facts, frameOf(header));
  }
  return facts;
}

function boxesIn(bytes: Buffer): { type: string; body: Buffer }[] {
  const boxes: { type: string; body: Buffer }[] = [];
  let offset = 0;
  while (offset + 8 <= bytes.length) {
    const size = boxSize(bytes.subarray(offset), bytes.length - offset);
    if (size === null || size < 8) break;
    boxes.push({
      type: bytes.toString('latin1', offset + 4, offset + 8),
      body: bytes.subarray(offset + 8, offset + size),
    });
    offset += size;
  }
  return boxes;
}

function durationOf(mvhd: Buffer): number {
  const wide = mvhd[0] === 1;
  if (mvhd.length < (wide ? 32 : 20)) return 0;
  const scale = mvhd.readUInt32BE(wide ? 20 : 12);
  const units = wide ? Number(mvhd.readBigUInt64BE(24)) : mvhd.readUInt32BE(16);
  return scale > 0 ? Math.round((units * 1000) / scale) : 0;
}

/** Sizes are 16.16 fixed-point numbers. In a track rotated by 90°, the first matrix element is 0. */
function frameOf(tkhd: Buffer): { width: number; height: number } {
  const wide = tkhd[0] === 1;
  if (tkhd.length < (wide ? 96 : 84)) return { width: 0, height: 0 };
  const width = tkhd.readUInt32BE(wide ? 88 : 76) / 65_536;
  const height = tkhd.readUInt32BE(wide ? 92 : 80) / 65_536;
  const turned = tkhd.readInt32BE(wide ? 52 : 40) === 0;
  return turned ? { width: height, height: width } : { width, height };
}
