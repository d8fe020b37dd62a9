/**
 * Publishes a master file of nearly 500 MB to platforms with different size limits: memory, and what each of them
 * received.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectors } from '../../packages/server/src/connectors/registry.ts';
import { commandLine } from '../kit/command-line.ts';
import { type Finding, megabytes, say } from '../kit/figures.ts';
import { withCleanUp, withFolder } from '../kit/folder.ts';
import { forgetPeak, mostDuring, pss, rss } from '../kit/processes.ts';
import { startService } from '../kit/service.ts';
import { upload } from '../kit/upload.ts';
import { makeVideo } from '../kit/video.ts';

const PLATFORMS = ['tiktok', 'youtube', 'x', 'pinterest', 'telegram', 'bluesky'] as const;
const USER = 'bench@example.org';
/** Long enough for an idle service to collect garbage, in ms. */
const REST_MS = 10_000;
const SETTLED_WITHIN_MS = 1_200_000;

interface Entry {
  platform: string;
  bytes: number;
}

export async function master({ quick }: { quick: boolean }): Promise<Finding[]> {
  return withFolder((folder) =>
    withCleanUp(async (later) => {
      const path = join(folder, 'master.mp4');
      const seconds = quick ? 12 : 60;
      await makeVideo(path, { seconds, width: 1080, height: 1920, bitsPerSecond: 63_000_000 });
      const video = await readFile(path);
      say(`a master of ${megabytes(video.length)}, ${seconds} s`);
      const service = await startService(folder);
      later(service.stop);
      const tell = commandLine(folder);
      await tell('users', 'create', '--email', USER);
      const key = await tell('keys', 'create', '--user', USER);
      const ids: string[] = [];
      for (const platform of PLATFORMS)
        ids.push(await tell('sandbox', 'connect', '--user', USER, '--platform', platform, '--username', 'bench'));
      await pause(REST_MS);
      const rest = { rss: rss(service.pid).now, pss: pss(service.pid) };
      forgetPeak(service.pid);
      const fields = { platforms: JSON.stringify(ids), description: 'One master for all' };
      const headers = { authorization: `Bearer ${key}` };
      const began = performance.now();
      const work = (async () => {
        const { body } = await upload(`${service.url}/api/v1/post`, video, fields, headers);
        return settled(service.url, (JSON.parse(body) as { historyId: string }).historyId, headers);
      })();
      const most = await mostDuring(() => pss(service.pid), 20, work);
      const targets = await work;
      const took = (performance.now() - began) / 1000;
      const peak = rss(service.pid).peak;
      const feed = (await (await fetch(`${service.url}/sandbox/feed.json`)).json()) as Entry[];
      const got = PLATFORMS.map((platform) => ({
        platform,
        bytes: feed.find((entry) => entry.platform === platform)?.bytes ?? 0,
        most: connectors[platform]?.capabilities.video.maxBytes ?? 0,
      }));
      for (const { platform, bytes } of got) say(`${platform} got ${megabytes(bytes)}`);
      const kept = got.filter(({ bytes, most: limit }) => bytes > 0 && bytes <= limit).length;
      return [
        {
          what: `a master of ${megabytes(video.length)} to ${PLATFORMS.length} platforms: most memory over rest`,
          figure: `+${megabytes(peak - rest.rss)} RSS, +${megabytes(most - rest.pss)} PSS`,
          goal: '≤ +120 MB',
          met: peak - rest.rss <= 120e6,
        },
        {
          what: 'the same: posted once, with a file within the platform’s limit',
          figure: `${kept} of ${PLATFORMS.length} (${targets.join(', ')}) in ${took.toFixed(0)} s`,
          goal: `${PLATFORMS.length} of ${PLATFORMS.length}`,
          met: kept === PLATFORMS.length && feed.length === PLATFORMS.length,
        },
      ];
    }),
  );
}

/** @returns each target's status, once none is pending */
async function settled(url: string, id: string, headers: Record<string, string>): Promise<string[]> {
  for (const limit = performance.now() + SETTLED_WITHIN_MS; performance.now() < limit; await pause(500)) {
    const response = await fetch(`${url}/api/v1/post/${id}`, { headers });
    const { data } = (await response.json()) as { data: { targets: { status: string }[] } };
    const states = data.targets.map(({ status }) => status);
    if (!states.includes('PENDING')) return states;
  }
  throw new Error('The post did not come to rest.');
}
