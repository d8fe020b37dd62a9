import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Width and height of a JPEG by its frame header (ITU-T T.81, B.2.2), for instance `720x1280`; '' when it is none. */
export async function sizeOf(path: string): Promise<string> {
  const bytes = await readFile(path);
  if (bytes.readUInt16BE(0) !== 0xffd8) return '';
  let at = 2;
  while (bytes.readUInt16BE(at) !== 0xffc0) at += 2 + bytes.readUInt16BE(at + 2);
  return `${bytes.readUInt16BE(at + 7)}x${bytes.readUInt16BE(at + 5)}`;
}

/** The colour in the middle of the first picture's width and at a part (0 to 1) of its height. */
export async function colourAt(path: string, part: number): Promise<'red' | 'blue' | 'black' | 'other'> {
  const filter = `crop=8:8:(iw-8)/2:(ih-8)*${part},scale=1:1,format=rgb24`;
  const args = ['-v', 'error', '-i', path, '-frames:v', '1', '-vf', filter, '-f', 'rawvideo', '-'];
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer' });
  const [red = 0, green = 0, blue = 0] = stdout;
  if (red > 150 && green < 90 && blue < 90) return 'red';
  if (blue > 150 && green < 90 && red < 90) return 'blue';
  return Math.max(red, green, blue) < 30 ? 'black' : 'other';
}

/** Small pictures of a video as players show it, two a second from its beginning: 18 × 32 pixels of red, green and blue each. */
export async function picturesOf(path: string, filters: readonly string[] = []): Promise<Buffer> {
  const chain = [...filters, 'fps=2:start_time=0', 'scale=18:32', 'format=rgb24'].join(',');
  const args = ['-v', 'error', '-threads', '1', '-i', path, '-map', '0:V:0', '-vf', chain, '-f', 'rawvideo', '-'];
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer' });
  return stdout;
}

/** Mean difference of two rows of pictures, 0 to 255, over as many as both have. */
export function difference(one: Buffer, other: Buffer): number {
  const length = Math.min(one.length, other.length);
  let sum = 0;
  for (let at = 0; at < length; at += 1) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum / length;
}

const PICTURE_BYTES = 18 * 32 * 3;

/** Each of the pictures turned by a half. */
export function upsideDown(pictures: Buffer): Buffer {
  const turned = Buffer.alloc(pictures.length);
  for (let at = 0; at < pictures.length; at += 3) {
    const start = at - (at % PICTURE_BYTES);
    pictures.copy(turned, start + PICTURE_BYTES - 3 - (at - start), at, at + 3);
  }
  return turned;
}

/** When flashes and beeps begin, in seconds, in a dark and quiet video. */
export async function flashesAndBeeps(path: string): Promise<{ flashes: number[]; beeps: number[] }> {
  const raw = async (args: readonly string[]) =>
    (await run('ffmpeg', ['-v', 'error', '-i', path, ...args, '-'], { encoding: 'buffer' })).stdout;
  const light = await raw(['-map', '0:V:0', '-vf', 'fps=100:start_time=0,scale=1:1,format=gray', '-f', 'rawvideo']);
  const sound = await raw(['-map', '0:a:0', '-af', 'aresample=8000:first_pts=0', '-ac', '1', '-f', 'u8']);
  const loudness = Array.from({ length: Math.floor(sound.length / 80) }, (_, at) =>
    Math.max(...sound.subarray(at * 80, at * 80 + 80).map((sample) => Math.abs(sample - 128))),
  );
  return { flashes: risesOf([...light], 120), beeps: risesOf(loudness, 20) };
}

/** @param values a hundred a second */
function risesOf(values: readonly number[], threshold: number): number[] {
  return values.flatMap((value, at) => (value > threshold && (values[at - 1] ?? 0) <= threshold ? [at / 100] : []));
}
