/** Real videos of many kinds that the service accepts, each created on first use. */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pad } from '../harness/pad.ts';
import { makeVideo, type VideoOptions } from '../media/fixtures.ts';
import { KINDS } from '../media/kinds.ts';

const plain = (options: VideoOptions) => () =>
  makeVideo({ seconds: 6, width: 540, height: 960, fps: 25, picture: 'plain', ...options });

export interface VideoPool {
  names: readonly string[];
  /** Path of the video with this name. */
  path(name: string): Promise<string>;
  close(): Promise<void>;
}

export function createVideoPool(): VideoPool {
  const folder = mkdtemp(join(tmpdir(), 'reelay-pool-'));
  const padded = (bytes: number, make: () => Promise<string>) => async () => {
    const path = join(await folder, `${bytes}.mp4`);
    await copyFile(await make(), path);
    await pad(path, bytes);
    return path;
  };
  const videos: Record<string, () => Promise<string>> = {
    ...KINDS,
    'for everybody': padded(90_000, plain({})),
    'of less than 75 kB': plain({ audio: false }),
    'of 60 MB': padded(60_000_000, plain({})),
    'of three seconds': plain({ seconds: 3 }),
    'of four seconds and a half': plain({ seconds: 4.5 }),
    'of twenty seconds': plain({ seconds: 20 }),
    'of 60 pictures a second': plain({ fps: 60 }),
    'of 24000/1001 pictures a second': plain({ extra: ['-r', '24000/1001'] }),
    'of full size': plain({ width: 1080, height: 1920, fps: 30 }),
    'of four times that': plain({ seconds: 3, width: 2160, height: 3840, fps: 10 }),
    'in QuickTime': plain({ extension: 'mov' }),
    'in 3GP': plain({ extension: '3gp' }),
    'in Matroska': plain({ extension: 'mkv' }),
    'in WebM': plain({ extension: 'webm' }),
    'in a transport stream': plain({ extension: 'ts' }),
    'in AVI': plain({ extension: 'avi' }),
    'in Flash': plain({ extension: 'flv' }),
    'with its index last': plain({ extra: ['-movflags', '-faststart'] }),
    'of full colour': plain({ extra: ['-pix_fmt', 'yuv444p'] }),
  };
  return {
    names: Object.keys(videos),
    async path(name) {
      const make = videos[name];
      if (!make) throw new Error(`There is no video "${name}".`);
      return make();
    },
    close: async () => rm(await folder, { recursive: true, force: true }),
  };
}
