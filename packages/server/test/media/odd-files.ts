/** Videos with unusual tracks, times and key frames, and measurements of files. */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMedia, type UserMedia } from '../../src/media/media.ts';
import type { VideoLimits } from '../../src/media/rendition/limits.ts';
import { type Plan, planRendition, type RenditionSpec } from '../../src/media/rendition/plan.ts';
import type { VideoFacts } from '../../src/media/types.ts';
import { provided } from '../harness/provided.ts';
import { runFfmpeg } from './fixtures.ts';

const run = promisify(execFile);

export const lavfi = (...sources: readonly string[]) => sources.flatMap((source) => ['-f', 'lavfi', '-i', source]);
export const card = (seconds: number, rate = 10) => `testsrc2=size=180x320:rate=${rate}:duration=${seconds}`;
export const tone = (seconds: number, frequency = 440) =>
  `sine=frequency=${frequency}:sample_rate=48000:duration=${seconds}`;
const silence = (seconds: number) => `anullsrc=r=48000:cl=mono,atrim=duration=${seconds}`;
export const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

/** A film of 4 s with two audio tracks; the first may be silent. */
export function twoSounds(kind: 'audible' | 'silent', extension: 'mp4' | 'mkv' = 'mp4'): Promise<string> {
  const inputs = lavfi(card(4, 5), kind === 'silent' ? silence(4) : tone(4), tone(4, 880));
  const codecs = [...H264, '-c:a', 'aac', '-movflags', '+faststart'];
  return runFfmpeg(extension, [...inputs, '-map', '0', '-map', '1', '-map', '2', ...codecs]);
}

/** Converts videos in a temporary folder. */
export async function openWorkshop() {
  const folder = await mkdtemp(join(tmpdir(), 'reelay-odd-'));
  const media: UserMedia = createMedia(provided('tools')).of('user');
  const check = (path: string) => media.check(path, { fit: 'pad' });
  return {
    media,
    check,
    path: (extension: string) => join(folder, `${randomUUID()}.${extension}`),
    /** Makes the given rendition, or the one that the limits need. */
    async render(path: string, asked: RenditionSpec | VideoLimits, facts?: VideoFacts) {
      const known = facts ?? (await check(path));
      const spec = 'video' in asked ? asked : specOf(planRendition(asked, known));
      const out = join(folder, `${randomUUID()}.mp4`);
      return { spec, out, made: await media.render(path, known, spec, out) };
    },
    close: () => rm(folder, { recursive: true }),
  };
}

export function specOf(plan: Plan): RenditionSpec {
  if (plan.fits || !plan.spec) throw new Error(`no rendition: ${JSON.stringify(plan)}`);
  return plan.spec;
}

/** No limit but the container. */
export const ANY_MP4: VideoLimits = { maxBytes: 1e9, containers: ['mp4'] };
export const ENCODED: RenditionSpec = {
  container: 'mp4',
  video: { width: 180, height: 320, fps: 24, maxRate: 2e6 },
  audio: 'aac',
};

/** The loudest frequency of the sound in Hz, rounded to 20; 0 if it is silent. */
export async function pitchOf(path: string): Promise<number> {
  const args = ['-v', 'error', '-i', path, '-map', '0:a:0', '-ac', '1', '-ar', '8000', '-f', 's16le', '-'];
  const { stdout } = await run('ffmpeg', args, { encoding: 'buffer', maxBuffer: 1e8 });
  let crossings = 0;
  let loudest = 0;
  for (let at = 2; at + 1 < stdout.length; at += 2) {
    const [before, now] = [stdout.readInt16LE(at - 2), stdout.readInt16LE(at)];
    loudest = Math.max(loudest, Math.abs(now));
    if (before < 0 && now >= 0) crossings += 1;
  }
  return loudest < 30 ? 0 : 20 * Math.round((crossings * 8000) / (stdout.length / 2) / 20);
}

/** Types of all streams in order, and the flags of the video's packets. */
export async function insideOf(path: string): Promise<{ types: string[]; flags: string[] }> {
  const entries = ['-show_entries', 'stream=codec_type:packet=codec_type,flags', '-of', 'compact'];
  const { stdout } = await run('ffprobe', ['-v', 'error', ...entries, path], { maxBuffer: 1e8 });
  const lines = stdout.split('\n');
  const field = (line: string, name: string) => new RegExp(`${name}=([^|]*)`).exec(line)?.[1] ?? '';
  return {
    types: lines.filter((line) => line.startsWith('stream|')).map((line) => field(line, 'codec_type')),
    flags: lines.filter((line) => /^packet\|.*=video/.test(line)).map((line) => field(line, 'flags')),
  };
}
