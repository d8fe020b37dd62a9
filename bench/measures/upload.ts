/** Measures how fast a video of 500 MB is received, compared with a bare pipe to disk and @fastify/multipart. */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pad } from '../../packages/server/test/harness/pad.ts';
import { type Finding, median, ratio, say } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { addGuest, openDatabase } from '../kit/guest.ts';
import { startProgram } from '../kit/program.ts';
import { startService } from '../kit/service.ts';
import { cancelPost, type Sent, upload, uploadPost } from '../kit/upload.ts';
import { makeVideo } from '../kit/video.ts';
import type { ReceiversReady } from '../programs/receivers.ts';

/** Just below the service's limit, in bytes. */
const BYTES = 500_000_000;

/** Creates a vertical video of a few seconds, padded to this size. */
export async function largeVideo(folder: string, bytes = BYTES): Promise<Buffer> {
  const path = join(folder, 'large.mp4');
  await makeVideo(path, { seconds: 10, width: 720, height: 1280 });
  await pad(path, bytes);
  return readFile(path);
}

const WAYS = ['pipe', 'pipe + hash', 'pipe + sync', 'multipart', 'multipart + hash', 'service'] as const;
type Way = (typeof WAYS)[number];

export async function receiving({ quick }: { quick: boolean }): Promise<Finding[]> {
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const video = await largeVideo(folder, quick ? 150_000_000 : BYTES);
      const received = join(folder, 'received');
      await mkdir(received);
      const receivers = await startProgram<ReceiversReady>('receivers.ts', { folder: received });
      later(receivers.stop);
      const service = await startService(folder);
      later(service.stop);
      const db = await openDatabase(folder);
      later(db.close);
      const guest = await addGuest(db, folder, 1);
      const { pipe, multipart } = receivers.ready;
      const send: Record<Way, () => Promise<Sent>> = {
        pipe: () => upload(pipe, video),
        'pipe + hash': () => upload(`${pipe}?hash`, video),
        'pipe + sync': () => upload(`${pipe}?sync`, video),
        multipart: () => upload(multipart, video),
        'multipart + hash': () => upload(`${multipart}?hash`, video),
        service: async () => {
          const sent = await uploadPost(service.url, video, guest);
          await cancelPost(service.url, sent, guest.key);
          return sent;
        },
      };
      const rounds: Record<Way, Sent>[] = [];
      for (let round = 0; round < (quick ? 2 : 5); round++) {
        const results: Partial<Record<Way, Sent>> = {};
        // Rotate the order, so that none always has the fullest disk.
        const order = WAYS.map((_, index) => WAYS[(index + round) % WAYS.length] as Way);
        for (const way of order) results[way] = await send[way]();
        rounds.push(results as Record<Way, Sent>);
        say(WAYS.map((way) => `${way} ${speed(video, (results[way] as Sent).sentMs)}`).join(', '));
      }
      return findings(video, rounds);
    }),
  );
}

function findings(video: Buffer, rounds: readonly Record<Way, Sent>[]): Finding[] {
  const receivingSpeed = (way: Way) => speed(video, median(rounds.map((round) => round[way].sentMs)));
  const against = (way: Way) => median(rounds.map((round) => round[way].sentMs / round.service.sentMs));
  const whole = (way: Way) => median(rounds.map((round) => round[way].answeredMs));
  const size = `${Math.round(video.length / 1e6)} MB`;
  return [
    {
      what: `${size} received and hashed: of a bare pipe without hash`,
      figure: `${ratio(against('pipe'))} (${receivingSpeed('service')} of ${receivingSpeed('pipe')})`,
      goal: '≥ 0.80',
      met: against('pipe') >= 0.8,
    },
    {
      what: `${size} received and hashed: of a bare pipe that hashes`,
      figure: `${ratio(against('pipe + hash'))} (of ${receivingSpeed('pipe + hash')})`,
    },
    {
      what: `${size} received and hashed: of @fastify/multipart without / with hash`,
      figure: `${ratio(against('multipart'))} / ${ratio(against('multipart + hash'))} (of ${receivingSpeed('multipart')} / ${receivingSpeed('multipart + hash')})`,
    },
    {
      what: `${size}: first byte to answer; bare pipe without / with waiting for the disk`,
      figure: `${(whole('service') / 1000).toFixed(2)} s; ${(whole('pipe') / 1000).toFixed(2)} s / ${(whole('pipe + sync') / 1000).toFixed(2)} s`,
    },
  ];
}

function speed(video: Buffer, ms: number): string {
  return `${Math.round(video.length / 1000 / ms)} MB/s`;
}
