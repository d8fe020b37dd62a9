import type { Container } from './types.ts';

/** Number of leading bytes that {@link sniff} needs. */
export const SNIFF_BYTES = 4096;

/** First boxes of an MP4 or QuickTime file. Old QuickTime files start without `ftyp`. */
const FIRST_BOXES = new Set(['ftyp', 'moov', 'mdat', 'free', 'skip', 'wide', 'pnot']);

/** Detects the container from the first bytes; null if it is not supported. Reads only `head`. */
export function sniff(head: Uint8Array): Container | null {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1');
  if (FIRST_BOXES.has(text.slice(4, 8))) return isoFamily(text);
  if (text.startsWith('\x1a\x45\xdf\xa3')) return matroskaFamily(text);
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'AVI ') return 'avi';
  if (text.startsWith('FLV\x01')) return 'flv';
  if (hasSyncBytes(head, 0, 188) || hasSyncBytes(head, 4, 192) || hasSyncBytes(head, 0, 204)) return 'mpegts';
  return null;
}

/** Returns whether an AVI file is shorter than its RIFF header says. 0 and 0xFFFFFFFF mean unknown. */
export function isCutAvi(head: Uint8Array, fileBytes: number): boolean {
  const size = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint32(4, true);
  return size !== 0 && size !== 0xffff_ffff && size + 8 > fileBytes;
}

function isoFamily(text: string): Container {
  if (text.slice(4, 8) !== 'ftyp') return 'mov';
  const brand = text.slice(8, 12);
  if (brand === 'qt  ') return 'mov';
  return brand.startsWith('3gp') || brand.startsWith('3g2') || brand.startsWith('3ge') ? '3gp' : 'mp4';
}

/** DocType is element 0x4282 of the EBML header (RFC 8794), within the first few dozen bytes. */
function matroskaFamily(text: string): Container | null {
  const at = text.indexOf('\x42\x82', 4);
  if (at < 0) return null;
  const type = text.slice(at + 3, at + 11);
  if (type.startsWith('webm')) return 'webm';
  return type === 'matroska' ? 'matroska' : null;
}

/** MPEG-TS packets start with 0x47 and are 188 bytes long; 192 with a preceding time code, 204 with trailing parity. */
function hasSyncBytes(head: Uint8Array, first: number, step: number): boolean {
  return [0, 1, 2, 3, 4].every((n) => head[first + n * step] === 0x47);
}
