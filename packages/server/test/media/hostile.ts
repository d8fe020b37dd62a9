/** Byte-level edits that turn a valid MP4 into a wrong or hostile one. */

/** Offset of the first box of this type, at any depth. @throws Error if the file has no such box */
export function findBox(bytes: Buffer, type: string, from = 0): number {
  const at = bytes.indexOf(type, from, 'latin1');
  if (at < 4) throw new Error(`no ${type}`);
  return at - 4;
}

/** A box of the given type with a payload. */
export function box(type: string, ...payload: Uint8Array[]): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + payload.reduce((sum, part) => sum + part.length, 0));
  return Buffer.concat([size, Buffer.from(type, 'latin1'), ...payload]);
}

/**
 * Writes a duration in seconds into every MP4 header that has one (`mvhd`, `tkhd`, `mdhd`, `elst`). All must be version
 * 0, as ffmpeg writes them.
 */
export function lieAboutDuration(bytes: Buffer, seconds: number): Buffer {
  const movie = bytes.readUInt32BE(findBox(bytes, 'mvhd') + 20);
  bytes.writeUInt32BE(seconds * movie, findBox(bytes, 'mvhd') + 24);
  for (const at of allBoxes(bytes, 'tkhd')) bytes.writeUInt32BE(seconds * movie, at + 28);
  for (const at of allBoxes(bytes, 'elst')) bytes.writeUInt32BE(seconds * movie, at + 16);
  for (const at of allBoxes(bytes, 'mdhd')) bytes.writeUInt32BE(seconds * bytes.readUInt32BE(at + 20), at + 24);
  return bytes;
}

/** Renames every edit list, so that none shortens a track. */
export function dropEditLists(bytes: Buffer): Buffer {
  for (const at of allBoxes(bytes, 'edts')) bytes.write('free', at + 4, 'latin1');
  return bytes;
}

/** Rotates the video by 90 degrees clockwise, like an upright phone (ISO/IEC 14496-12, `tkhd` matrix). */
export function turnQuarter(bytes: Buffer): Buffer {
  return turnBy(1)(bytes);
}

/** Gives an AAC track the code of Apple's spatial audio, for which ffmpeg has no decoder. @param at among these tracks */
export function makeSpatial(at: number): (bytes: Buffer) => Buffer {
  return (bytes) => {
    const entry = allBoxes(bytes, 'mp4a')[at] ?? 0;
    bytes.write('apac', entry + 4, 'latin1');
    bytes.write('dapa', findBox(bytes, 'esds', entry) + 4, 'latin1');
    return bytes;
  };
}

/** Takes all samples from a track. @param at among all tracks */
export function emptyTrack(at: number): (bytes: Buffer) => Buffer {
  return (bytes) => {
    const track = allBoxes(bytes, 'trak')[at] ?? 0;
    for (const table of ['stts', 'stsc', 'stco']) bytes.writeUInt32BE(0, findBox(bytes, table, track) + 12);
    bytes.writeUInt32BE(0, findBox(bytes, 'stsz', track) + 16);
    return bytes;
  };
}

const ACROSS = [1, 0, -1, 0];

/** Rotates the video by quarter turns clockwise, in the header only. */
export function turnBy(quarters: 1 | 2 | 3): (bytes: Buffer) => Buffer {
  const [cos = 0, sin = 0] = [ACROSS[quarters], ACROSS[(quarters + 3) % 4]];
  return placedBy([cos, sin, 0, -sin, cos, 0, 0, 0, 0x4000]);
}

/** Mirrors the video from left to right, in the header only. @param width in pixels */
export const mirror = (width: number): ((bytes: Buffer) => Buffer) => placedBy([-1, 0, 0, 0, 1, 0, width, 0, 0x4000]);

/** @param matrix of the first track (ISO/IEC 14496-12, "Track header box") */
function placedBy(matrix: readonly number[]): (bytes: Buffer) => Buffer {
  return (bytes) => {
    const at = findBox(bytes, 'tkhd') + 48;
    for (const [index, value] of matrix.entries()) bytes.writeInt32BE(value * 0x10000, at + 4 * index);
    return bytes;
  };
}

/**
 * Gives the first time-to-sample table this many entries of 30 samples each, actually present in the file. The index
 * must be at the end of the file, as without `faststart`.
 */
export function bloatSampleTable(bytes: Buffer, entries: number): Buffer {
  const at = findBox(bytes, 'stts');
  const end = at + bytes.readUInt32BE(at);
  const table = Buffer.alloc(entries * 8, Buffer.from([0, 0, 0, 30, 0, 0, 0, 1]));
  const whole = Buffer.concat([bytes.subarray(0, at + 16), table, bytes.subarray(end)]);
  const added = whole.length - bytes.length;
  for (const parent of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stts']) {
    const start = whole.lastIndexOf(parent, at + 4, 'latin1') - 4;
    whole.writeUInt32BE(whole.readUInt32BE(start) + added, start);
  }
  whole.writeUInt32BE(entries, at + 12);
  return whole;
}

/** An FLV file of one-byte audio packets. @param perMs packets per ms */
export function denseFlv(packets: number, perMs: number): Buffer {
  const header = Buffer.from([0x46, 0x4c, 0x56, 1, 4, 0, 0, 0, 9, 0, 0, 0, 0]);
  const file = Buffer.alloc(header.length + packets * 17);
  header.copy(file);
  for (let n = 0; n < packets; n += 1) {
    const at = header.length + n * 17;
    const ms = Math.floor(n / perMs);
    file[at] = 8;
    file.writeUIntBE(2, at + 1, 3);
    file.writeUIntBE(ms & 0xff_ffff, at + 4, 3);
    // PCM, 5.5 kHz, 8 bits, mono.
    file[at + 12] = 0x80;
    file.writeUInt32BE(13, at + 13);
  }
  return file;
}

function allBoxes(bytes: Buffer, type: string): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(type, 0, 'latin1'); at >= 4; at = bytes.indexOf(type, at + 4, 'latin1'))
    found.push(at - 4);
  return found;
}
