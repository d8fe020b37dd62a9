/**
 * Measures a resumable upload of 500 MB in one chunk, compared with a bare pipe to disk, with and without fsync.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Finding, median, ratio, say } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { addGuest, openDatabase } from '../kit/guest.ts';
import { cpu, forgetPeak, rss } from '../kit/processes.ts';
import { startProgram } from '../kit/program.ts';
import { startService } from '../kit/service.ts';
import { uploadByTus } from '../kit/tus.ts';
import { type Sent, upload } from '../kit/upload.ts';
import type { ReceiversReady } from '../programs/receivers.ts';

const BYTES = 500_000_000;
const WAYS = ['pipe', 'pipe + sync', 'tus', 'tus + hash'] as const;
type Way = (typeof WAYS)[number];

export async function resumable({ quick }: { quick: boolean }): Promise<Finding[]> {
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const video = Buffer.alloc(quick ? 150_000_000 : BYTES, 'not a video, and not checked');
      const received = join(folder, 'received');
      await mkdir(received);
      const receivers = await startProgram<ReceiversReady>('receivers.ts', { folder: received });
      later(receivers.stop);
      const service = await startService(folder);
      later(service.stop);
      const db = await openDatabase(folder);
      later(db.close);
      const { key } = await addGuest(db, folder, 1);
      const { pipe } = receivers.ready;
      const send: Record<Way, () => Promise<Sent>> = {
        pipe: () => upload(pipe, video),
        'pipe + sync': () => upload(`${pipe}?sync`, video),
        tus: () => uploadByTus(service.url, video, key),
        'tus + hash': () => uploadByTus(service.url, video, key, { checksum: true }),
      };
      const rounds: Record<Way, Sent>[] = [];
      const used: number[] = [];
      forgetPeak(service.pid);
      for (let round = 0; round < (quick ? 2 : 5); round++) {
        const results: Partial<Record<Way, Sent>> = {};
        const order = WAYS.map((_, index) => WAYS[(index + round) % WAYS.length] as Way);
        for (const way of order) {
          const before = cpu([service.pid]);
          results[way] = await send[way]();
          if (way === 'tus') used.push(cpu([service.pid]) - before);
        }
        rounds.push(results as Record<Way, Sent>);
        say(WAYS.map((way) => `${way} ${speed(video, (results[way] as Sent).answeredMs)}`).join(', '));
      }
      const gigabytes = video.length / 1e9;
      return findings(video, rounds, { cpuSeconds: median(used) / 1000 / gigabytes, peak: rss(service.pid).peak });
    }),
  );
}

function findings(
  video: Buffer,
  rounds: readonly Record<Way, Sent>[],
  { cpuSeconds, peak }: { cpuSeconds: number; peak: number },
): Finding[] {
  const sent = (way: Way, other: Way) => median(rounds.map((round) => round[way].sentMs / round[other].sentMs));
  const answered = (way: Way, other: Way) =>
    median(rounds.map((round) => round[way].answeredMs / round[other].answeredMs));
  const speedOf = (way: Way) => speed(video, median(rounds.map((round) => round[way].sentMs)));
  const size = `${Math.round(video.length / 1e6)} MB`;
  return [
    {
      what: `${size} as one piece by tus, synced and hashed: of a bare pipe that does neither`,
      figure: `${ratio(sent('pipe', 'tus'))} (${speedOf('tus')} of ${speedOf('pipe')})`,
      goal: '≥ 0.55',
      met: sent('pipe', 'tus') >= 0.55,
    },
    {
      what: `${size} by tus, first byte to answer: of a bare pipe that waits for the disk`,
      figure: `${ratio(answered('pipe + sync', 'tus'))}; with a checksum of the piece ${ratio(answered('pipe + sync', 'tus + hash'))}`,
    },
    {
      what: `${size} by tus: CPU of the service for a gigabyte; its memory at the most`,
      figure: `${cpuSeconds.toFixed(1)} s; ${(peak / 1e6).toFixed(0)} MB`,
    },
  ];
}

function speed(video: Buffer, ms: number): string {
  return `${Math.round(video.length / 1000 / ms)} MB/s`;
}
