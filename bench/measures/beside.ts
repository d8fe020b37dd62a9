/** Measures the API's latency while two videos are converted on the same two cores, compared with an idle service. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../packages/server/src/db/database.ts';
import { commandLine } from '../kit/command-line.ts';
import { type Finding, milliseconds, ratio, say } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { openDatabase } from '../kit/guest.ts';
import { startService } from '../kit/service.ts';
import { upload } from '../kit/upload.ts';
import { makeVideo } from '../kit/video.ts';

const USER = 'bench@example.org';
/** Pause between two requests, in ms. */
const EVERY_MS = 15;
const UNDER_WAY_WITHIN_MS = 120_000;

export async function beside({ quick }: { quick: boolean }): Promise<Finding[]> {
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const count = quick ? 300 : 1_500;
      // Larger than Telegram accepts, so that the video must be transcoded.
      const videos = await Promise.all(
        [0, 1].map(async (index) => {
          const path = join(folder, `${index}.mp4`);
          await makeVideo(path, { seconds: 45 + index, width: 1080, height: 1920, bitsPerSecond: 11_000_000 });
          return readFile(path);
        }),
      );
      const service = await startService(folder);
      later(service.stop);
      const tell = commandLine(folder);
      await tell('users', 'create', '--email', USER);
      const headers = { authorization: `Bearer ${await tell('keys', 'create', '--user', USER)}` };
      const account = await tell('sandbox', 'connect', '--user', USER, '--platform', 'telegram', '--username', 'bench');
      const db = await openDatabase(folder);
      later(db.close);
      const ask = () => latencies(`${service.url}/api/v1/post/history`, headers, count);
      await ask();
      const idle = await ask();
      for (const video of videos)
        await upload(`${service.url}/api/v1/post`, video, { platforms: JSON.stringify([account]) }, headers);
      await underWay(db, videos.length);
      const busy = await ask();
      if ((await converting(db)) < videos.length) say('a conversion ended before the last question: take more seconds');
      const after = idle.p99 === 0 ? 0 : busy.p99 / idle.p99;
      return [
        {
          what: 'GET /post/history while two videos are converted: p99 against an idle service',
          figure: `${ratio(after)} (${milliseconds(busy.p99)} of ${milliseconds(idle.p99)}; median ${milliseconds(busy.p50)} of ${milliseconds(idle.p50)})`,
          goal: '≤ 2',
          met: after <= 2,
        },
      ];
    }),
  );
}

/** Sends requests one after the other, with a fixed pause after each response. */
async function latencies(url: string, headers: Record<string, string>, count: number) {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const began = performance.now();
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    times.push(performance.now() - began);
    await pause(EVERY_MS);
  }
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}

async function converting(db: Database): Promise<number> {
  const [row] = await db.query<{ count: string }>(
    `select count(*) from rendition where state = 'making' and progress > 0`,
  );
  return Number(row?.count ?? 0);
}

async function underWay(db: Database, count: number): Promise<void> {
  for (const limit = performance.now() + UNDER_WAY_WITHIN_MS; performance.now() < limit; await pause(200))
    if ((await converting(db)) >= count) return;
  throw new Error('The conversions did not begin.');
}
