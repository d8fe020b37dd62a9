/** Makes the files that phones post: a few short videos, each with a mark that makes the file unique. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeVideo } from '../bench/kit/video.ts';
import { pad } from '../packages/server/test/harness/pad.ts';
import { LENGTHS, type VideoPlan } from './circuits.ts';

export interface VideoFile {
  bytes: Buffer;
  /** Hex. */
  sha256: string;
}

export const WIDTH = 540;
export const HEIGHT = 960;

/**
 * Creates one video of each length.
 * @param bytes their minimum size @returns makes the file of a plan
 */
export async function openVideos(folder: string, bytes: number): Promise<(plan: VideoPlan) => VideoFile> {
  const raw = new Map<number, Buffer>();
  for (const seconds of LENGTHS) {
    const path = join(folder, `video-${seconds}.mp4`);
    await makeVideo(path, { seconds, width: WIDTH, height: HEIGHT, plain: true });
    // The box that pads has at least eight bytes.
    await pad(path, Math.max(bytes, (await stat(path)).size + 8));
    raw.set(seconds, await readFile(path));
  }
  return ({ name, seconds }) => {
    const marked = Buffer.concat([raw.get(seconds) ?? Buffer.alloc(0), markOf(name)]);
    return { bytes: marked, sha256: createHash('sha256').update(marked).digest('hex') };
  };
}

/** An empty box (ISO 14496-12, `free`), which players skip. */
function markOf(name: string): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + Buffer.byteLength(name), 0);
  head.write('free', 4, 'latin1');
  return Buffer.concat([head, Buffer.from(name)]);
}
