/** Videos whose covers look like pictures: slow color gradients. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Colors of the gradients, one list for each video. */
const PALETTES = [
  ['0x0b1d51', '0x725ac1', '0x8d86c9', '0xf7c59f'],
  ['0x10451d', '0x2dc653', '0xb7efc5', '0x1a7431'],
  ['0x6a040f', '0xe85d04', '0xffba08', '0x370617'],
  ['0x03045e', '0x0077b6', '0x90e0ef', '0xcaf0f8'],
  ['0x3c096c', '0xc77dff', '0xff9e00', '0x240046'],
  ['0x582f0e', '0xa68a64', '0xc2c5aa', '0x414833'],
];

/** Creates one video for each palette, 8 s long and of about 300 kB. @returns their paths */
export function makeVideos(folder: string): Promise<string[]> {
  return Promise.all(PALETTES.map((colors, index) => makeVideo(join(folder, `clip-${index + 1}.mp4`), colors, index)));
}

async function makeVideo(path: string, colors: readonly string[], seed: number): Promise<string> {
  const named = colors.map((color, index) => `c${index}=${color}`).join(':');
  const picture = `gradients=size=540x960:rate=25:duration=8:speed=0.01:seed=${seed + 1}:nb_colors=${colors.length}:${named}`;
  const tone = `sine=frequency=${330 + 40 * seed}:duration=8`;
  const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', tone];
  const output = [
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-g',
    '50',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    '-y',
    path,
  ];
  await run(process.env.FFMPEG_PATH ?? 'ffmpeg', ['-nostdin', '-v', 'error', ...inputs, ...output]);
  return path;
}
