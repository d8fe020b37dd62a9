/** Measures the CPU time of converting a video, compared with ffmpeg alone and the same encoder. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createMedia } from '../../packages/server/src/media/media.ts';
import type { RenditionSpec } from '../../packages/server/src/media/rendition/plan.ts';
import { findTools } from '../../packages/server/src/media/tools.ts';
import { type Finding, median, ratio, say } from '../kit/figures.ts';
import { withFolder } from '../kit/folder.ts';
import { makeVideo } from '../kit/video.ts';

const run = promisify(execFile);
const SPEC: RenditionSpec = {
  container: 'mp4',
  video: { width: 1080, height: 1920, fps: 25, maxRate: 16_000_000 },
  audio: 'aac',
};
const REMUX: RenditionSpec = { container: 'mp4', video: 'copy', audio: 'copy' };

export async function transcode({ quick }: { quick: boolean }): Promise<Finding[]> {
  const length = quick ? 10 : 30;
  return withFolder(async (folder) => {
    const source = join(folder, 'source.mp4');
    await makeVideo(source, { seconds: length, width: 1080, height: 1920, bitsPerSecond: 12_000_000 });
    const tools = await findTools({ ffmpegPath: process.env.FFMPEG_PATH, ffprobePath: process.env.FFPROBE_PATH });
    const media = createMedia(tools).of('user');
    const facts = await media.check(source);
    const out = join(folder, 'out.mp4');
    const threads = ['-threads', '2'];
    const picture = ['-vf', 'scale=1080:1920', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '21'];
    const cap = ['-maxrate', '16M', '-bufsize', '16M', '-g', '50', ...threads];
    const sound = ['-c:a', 'aac', '-b:a', '128k', '-ar', '48000', '-ac', '2', '-movflags', '+faststart'];
    const alone = ['-nostdin', '-v', 'error', ...threads, '-i', source, ...picture, ...cap, ...sound, '-y', out];
    const rounds: { render: number; ffmpeg: number }[] = [];
    for (let round = 0; round < (quick ? 2 : 3); round++) {
      const render = () => cpuSeconds(() => media.render(source, facts, SPEC, out));
      const ffmpeg = () => cpuSeconds(() => run(tools.ffmpeg, alone));
      // Alternate which one runs first.
      const first = round % 2 === 0 ? await render() : 0;
      const bare = await ffmpeg();
      rounds.push({ render: first || (await render()), ffmpeg: bare });
      say(`converted ${rounds.at(-1)?.render.toFixed(1)} CPU s, ffmpeg alone ${bare.toFixed(1)} CPU s`);
    }
    const against = median(rounds.map(({ render, ffmpeg }) => render / ffmpeg));
    const taken = median(rounds.map(({ render }) => render));
    const copied = await cpuSeconds(() => media.render(source, facts, REMUX, out));
    const what = `${length} s of 1080p converted`;
    return [
      { what: `${what}: CPU time, of ffmpeg alone`, figure: ratio(against), goal: '≤ 1.10', met: against <= 1.1 },
      { what: `${what}: CPU s for a second of video`, figure: ratio(taken / length) },
      { what: `${length} s of 1080p put into another container: CPU s`, figure: ratio(copied) },
    ];
  });
}

/** CPU time of this process and of its finished children, in s; the clock ticks 100 times per second (proc(5)). */
async function cpuSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = await spent();
  await work();
  return (await spent()) - before;
}

async function spent(): Promise<number> {
  const fields = (await readFile('/proc/self/stat', 'utf8')).split(') ')[1]?.split(' ') ?? [];
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15).map(Number);
  return ((user ?? 0) + (system ?? 0) + (childrenUser ?? 0) + (childrenSystem ?? 0)) / 100;
}
