/** Builds the smallest MP4 files with a duration and a frame size. No player can play them. */

export interface Mp4Options {
  durationMs?: number;
  width?: number;
  height?: number;
  /** Size of the media data in bytes. */
  bytes?: number;
  /** Brand of the file; `qt  ` for QuickTime. */
  brand?: string;
  /** Content of the media data, so that files differ. */
  fill?: string;
}

export function tinyMp4(options: Mp4Options = {}): Buffer {
  const { durationMs = 31_000, width = 1080, height = 1920, bytes = 1_000, brand = 'isom', fill = 'media' } = options;
  const mvhd = Buffer.alloc(100);
  mvhd.writeUInt32BE(1_000, 12);
  mvhd.writeUInt32BE(durationMs, 16);
  const tkhd = Buffer.alloc(84);
  // The matrix of an unrotated track.
  tkhd.writeInt32BE(0x10000, 40);
  tkhd.writeUInt32BE(width * 65_536, 76);
  tkhd.writeUInt32BE(height * 65_536, 80);
  return Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0`)),
    box('moov', box('mvhd', mvhd), box('trak', box('tkhd', tkhd))),
    box('mdat', Buffer.alloc(bytes, fill)),
  ]);
}

function box(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}
