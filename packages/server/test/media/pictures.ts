import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';

const run = promisify(execFile);
const FFMPEG = 'ffmpeg';

/**
 * Width and height of a JPEG from its frame header (ITU-T T.81, B.2.2), for example `720x1280`; '' if it is not a JPEG.
 */
export async function sizeOf(path: string): Promise<string> {
  const bytes = await readFile(path);
  if (bytes.readUInt16BE(0) !== 0xffd8) return '';
  let at = 2;
  while (bytes.readUInt16BE(at) !== 0xffc0) at += 2 + bytes.readUInt16BE(at + 2);
  return `${bytes.readUInt16BE(at + 7)}x${bytes.readUInt16BE(at + 5)}`;
}

/** The mean color of each image or first video frame after its filters, in one ffmpeg run. */
export async function coloursOf(pictures: readonly (readonly [path: string, filter: string])[]): Promise<number[][]> {
  const inputs = pictures.flatMap(([path]) => ['-threads', '1', '-i', path]);
  const each = pictures.map(([, filter], at) => `[${at}:v]trim=end_frame=1,${filter},scale=1:1,format=rgb24[${at}]`);
  // hstack needs at least two inputs.
  const row = pictures.length > 1 ? `hstack=inputs=${pictures.length}` : 'null';
  const graph = [...each, `${pictures.map((_, at) => `[${at}]`).join('')}${row}[row]`].join(';');
  const args = ['-v', 'error', ...inputs, '-filter_complex', graph, '-map', '[row]', '-frames:v', '1'];
  const { stdout } = await run(FFMPEG, [...args, '-f', 'rawvideo', '-'], { encoding: 'buffer' });
  return pictures.map((_, at) => [...stdout.subarray(3 * at, 3 * at + 3)]);
}

type Colour = 'red' | 'blue' | 'black' | 'other';

/** The color in the horizontal center of the first frame, at a fraction (0 to 1) of its height. */
export async function colourAt(path: string, part: number): Promise<Colour> {
  const [colour] = await coloursAt([[path, part]]);
  return colour ?? 'other';
}

/** As {@link colourAt}, for many at once. */
export async function coloursAt(places: readonly (readonly [path: string, part: number])[]): Promise<Colour[]> {
  const colours = await coloursOf(places.map(([path, part]) => [path, `crop=8:8:(iw-8)/2:(ih-8)*${part}`]));
  return colours.map(([red = 0, green = 0, blue = 0]) => {
    if (red > 150 && green < 90 && blue < 90) return 'red';
    if (blue > 150 && green < 90 && red < 90) return 'blue';
    return Math.max(red, green, blue) < 30 ? 'black' : 'other';
  });
}

/**
 * Small frames of two videos as players show them, in one ffmpeg run: two per second, 18 × 32 pixels of RGB.
 * @param filters of the second
 */
export function picturesOfBoth(one: string, other: string, filters: readonly string[] = []): Promise<[Buffer, Buffer]> {
  const chain = (more: readonly string[]) => [...more, 'fps=2:start_time=0', 'scale=18:32', 'format=rgb24'].join(',');
  const raw = (at: number, more: readonly string[]) => ['-map', `${at}:V:0`, '-vf', chain(more), '-f', 'rawvideo'];
  const inputs = [one, other].flatMap((path) => ['-threads', '1', '-i', path]);
  return rawTwice([...inputs, ...raw(0, []), 'pipe:1', ...raw(1, filters), 'pipe:3']);
}

/** Output of an ffmpeg that writes to `pipe:1` and `pipe:3`. */
async function rawTwice(args: readonly string[]): Promise<[Buffer, Buffer]> {
  const child = spawn(FFMPEG, ['-v', 'error', ...args], { stdio: ['ignore', 'pipe', 'inherit', 'pipe'] });
  const outputs = [child.stdio[1], child.stdio[3]].map((pipe) => buffer(pipe as Readable));
  const [[one = Buffer.of(), other = Buffer.of()]] = await Promise.all([Promise.all(outputs), once(child, 'exit')]);
  if (child.exitCode !== 0) throw new Error(`ffmpeg ended with ${child.exitCode}`);
  return [one, other];
}

/** Mean difference of two frame sequences, 0 to 255, over their common length. */
export function difference(one: Buffer, other: Buffer): number {
  const length = Math.min(one.length, other.length);
  let sum = 0;
  for (let at = 0; at < length; at += 1) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum / length;
}

const PICTURE_BYTES = 18 * 32 * 3;

/** Rotates each frame by 180 degrees. */
export function upsideDown(pictures: Buffer): Buffer {
  const turned = Buffer.alloc(pictures.length);
  for (let at = 0; at < pictures.length; at += 3) {
    const start = at - (at % PICTURE_BYTES);
    pictures.copy(turned, start + PICTURE_BYTES - 3 - (at - start), at, at + 3);
  }
  return turned;
}

/** Start times of flashes and beeps, in seconds, in a dark and silent video. */
export async function flashesAndBeeps(path: string): Promise<{ flashes: number[]; beeps: number[] }> {
  const seen = ['-map', '0:V:0', '-vf', 'fps=100:start_time=0,scale=1:1,format=gray', '-f', 'rawvideo', 'pipe:1'];
  const heard = ['-map', '0:a:0', '-af', 'aresample=8000:first_pts=0', '-ac', '1', '-f', 'u8', 'pipe:3'];
  const [light, sound] = await rawTwice(['-i', path, ...seen, ...heard]);
  const loudness = Array.from({ length: Math.floor(sound.length / 80) }, (_, at) =>
    Math.max(...sound.subarray(at * 80, at * 80 + 80).map((sample) => Math.abs(sample - 128))),
  );
  return { flashes: risesOf([...light], 120), beeps: risesOf(loudness, 20) };
}

/** @param values 100 per second */
function risesOf(values: readonly number[], threshold: number): number[] {
  return values.flatMap((value, at) => (value > threshold && (values[at - 1] ?? 0) <= threshold ? [at / 100] : []));
}
