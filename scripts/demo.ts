/**
 * npm run demo [-- --once]: a service of several processes posts to simulated platforms while its worker is killed. At
 * the end each post must have been published exactly once. On a terminal it keeps running, so that you can browse the
 * feed. Otherwise, or with --once, it exits with 0 on success.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { withCleanUp, withFolder } from '../bench/kit/folder.ts';
import type { Running } from '../bench/kit/service.ts';
import { createClient, type NodeClient } from '../packages/sdk/src/node.ts';
import { createBoard, type Row } from './demo/board.ts';
import { type Expected, type Published, problemsOf } from './demo/check.ts';
import { type DemoService, startDemoService } from './demo/service.ts';
import { makeVideo } from './demo/video.ts';

const USER = 'you@example.org';
const PLATFORMS = ['tiktok', 'mastodon', 'bluesky'] as const;
type PlatformName = (typeof PLATFORMS)[number];
/** Delay of the scheduled post, in ms. */
const AHEAD_MS = 8_000;
/** Time limit for all posts, in ms. */
const OVER_WITHIN_MS = 50_000;

/** The posts of the demo. The rule TikTok → Mastodon adds a repost of the post without Mastodon as a destination. */
const POSTS = {
  now: { text: 'Northern lights over the harbour', platforms: ['tiktok', 'bluesky'] },
  scheduled: { text: 'Sunrise, right on time', platforms: ['tiktok', 'mastodon', 'bluesky'] },
  unlucky: { text: 'The answer to this one gets lost #sandbox-lost-answer', platforms: ['tiktok'] },
} as const satisfies Record<string, { text: string; platforms: readonly PlatformName[] }>;

const EXPECTED: Expected[] = Object.values(POSTS).flatMap(({ text, platforms }) =>
  [...new Set<PlatformName>([...platforms, 'mastodon'])].map((platform) => ({ text, platform })),
);

const { values } = parseArgs({ options: { once: { type: 'boolean' } } });
const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
process.once('SIGTERM', () => interrupted.abort());
const stays = process.stdout.isTTY === true && values.once !== true;
const board = createBoard(process.stdout);

try {
  const well = await withFolder((folder) => withCleanUp((later) => play(folder, later)));
  process.exitCode = well ? 0 : 1;
} catch (error) {
  if (!interrupted.signal.aborted) console.error((error as Error).message);
  process.exitCode = interrupted.signal.aborted ? 130 : 1;
}

async function play(folder: string, later: (undo: () => Promise<unknown>) => void): Promise<boolean> {
  board.say('A vertical video is made, and a service started: database, API and worker, each a process of its own.');
  const path = join(folder, 'video.mp4');
  const [service] = await Promise.all([
    startDemoService(folder, later),
    makeVideo(path, process.env.FFMPEG_PATH ?? 'ffmpeg'),
  ]);
  const [accounts, client, worker] = await setUp(service);
  board.say('A rule: what appears on TikTok is reposted to Mastodon.');
  await client.rules.add({ from: accounts.tiktok, to: [accounts.mastodon] });
  const created: string[] = [];
  for (const [name, { text, platforms }] of Object.entries(POSTS)) {
    const scheduled = name === 'scheduled' ? new Date(Date.now() + AHEAD_MS) : undefined;
    const when = scheduled ? `for ${AHEAD_MS / 1000} s from now` : 'now';
    board.say(`Posted ${when} to ${platforms.join(', ')}: "${text}"`);
    const ids = platforms.map((platform) => accounts[platform]);
    const post = await client.posts.create({ video: path, platforms: ids, description: text, scheduled });
    created.push(post.historyId);
  }
  const killing = killMidway(service, worker, created[1] ?? '');
  killing.catch(() => {});
  const settled = await watch(client);
  await killing;
  board.end();
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  const feed = (await (await fetch(`${service.url}/sandbox/feed.json`)).json()) as Published[];
  const problems = problemsOf(EXPECTED, feed, sha256);
  if (!settled) problems.unshift('Some posts were not finished in time.');
  for (const problem of problems) board.say(problem);
  if (problems.length > 0) return false;
  board.say(`\nAll ${EXPECTED.length} are on their platforms, each exactly once, byte for byte.`);
  board.say(`See them: ${service.url}/sandbox`);
  if (stays) {
    board.say('Ctrl-C ends the demo and removes everything.');
    await once(interrupted.signal, 'abort');
  }
  return true;
}

/** Sets everything up before the first post, with the commands that a user would run. */
async function setUp(service: DemoService): Promise<[Record<PlatformName, string>, NodeClient, Running]> {
  const tell = async (...words: string[]) => {
    board.say(`$ npx reelay ${words.join(' ')}`);
    return service.reelay(...words);
  };
  const starting = service.startWorker();
  starting.catch(() => {});
  await tell('users', 'create', '--email', USER);
  const apiKey = await tell('keys', 'create', '--user', USER);
  const ids = await Promise.all(
    PLATFORMS.map((platform) =>
      tell('sandbox', 'connect', '--user', USER, '--platform', platform, '--username', 'aurora'),
    ),
  );
  const accounts = Object.fromEntries(PLATFORMS.map((platform, index) => [platform, ids[index]]));
  const client = createClient({ baseUrl: service.url, apiKey });
  return [accounts as Record<PlatformName, string>, client, await starting];
}

/** Waits until the worker processes a target of this post, kills the worker, and starts another after a moment. */
async function killMidway(service: DemoService, worker: Running, postId: string): Promise<void> {
  const { db } = service.database;
  for (const limit = performance.now() + OVER_WITHIN_MS; ; ) {
    if (performance.now() > limit) throw new Error('The worker did not start the scheduled post in time.');
    interrupted.signal.throwIfAborted();
    const [inHand] = await db.query<{ platform: string; state: string }>(
      `select a.platform, t.state from lane l join target t on t.id = l.in_hand join account a on a.id = t.account_id
       where t.post_id = $1 and l.lease_until > app_now() and t.state <> 'scheduled'`,
      [postId],
    );
    if (inHand) {
      await worker.kill();
      board.say(`** The worker is killed (SIGKILL) in the middle of posting to ${inHand.platform}. **`);
      break;
    }
    await pause(2);
  }
  await pause(1_500, undefined, { signal: interrupted.signal });
  const next = await service.startWorker();
  board.say(`** A new worker is up after ${(next.readyMs / 1000).toFixed(1)} s. **`);
}

/**
 * Shows all targets until every expected one has finished.
 * @returns false on timeout
 */
async function watch(client: NodeClient): Promise<boolean> {
  for (const limit = performance.now() + OVER_WITHIN_MS; performance.now() < limit; ) {
    interrupted.signal.throwIfAborted();
    const rows = await look(client);
    board.show(rows);
    if (rows.filter((row) => row.status !== 'PENDING').length >= EXPECTED.length) return true;
    await pause(250);
  }
  return false;
}

async function look(client: NodeClient): Promise<Row[]> {
  const { data } = await client.posts.history();
  const posts = await Promise.all(data.reverse().map((entry) => client.posts.get(entry.id)));
  return posts.flatMap((post) =>
    post.targets.map((target, index): Row => {
      const shown = post.result[index];
      const last = target.timeline.at(-1)?.text ?? '';
      return {
        post: post.description,
        platform: shown?.platform ?? '',
        status: target.status,
        last: post.repostOf && target.status === 'PENDING' ? `(repost) ${last}` : last,
      };
    }),
  );
}
