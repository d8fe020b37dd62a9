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
