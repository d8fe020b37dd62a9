/** Encodes pictures as PNG (RFC 2083): 8-bit RGB, without interlacing. */
import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const BITS_PER_CHANNEL = 8;
const TRUECOLOR = 2;
const CHANNELS = 3;
/** Filter type "Sub": each byte minus the same channel of the pixel to its left. Compresses gradients well. */
const SUB = 1;

/** Returns the file of a picture. @param rgb rows from the top, three bytes per pixel */
export function encodePng(width: number, height: number, rgb: Uint8Array): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS_PER_CHANNEL, TRUECOLOR], 8);
  const stride = width * CHANNELS;
  const rows = Buffer.alloc(height * (stride + 1));
  for (let y = 0; y < height; y++) {
    const [from, to] = [y * stride, y * (stride + 1)];
    rows[to] = SUB;
    for (let x = 0; x < stride; x++) {
      const left = x < CHANNELS ? 0 : (rgb[from + x - CHANNELS] ?? 0);
      rows[to + 1 + x] = (rgb[from + x] ?? 0) - left;
    }
  }
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND')]);
}

function chunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const bytes = Buffer.alloc(body.length + 8);
  bytes.writeUInt32BE(data.length, 0);
  bytes.set(body, 4);
  bytes.writeUInt32BE(crc32(body), body.length + 4);
  return bytes;
}
