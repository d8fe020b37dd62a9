/** A service with the sandbox and four weeks of data. */
import { setTimeout as pause } from 'node:timers/promises';
import { createClient as createNodeClient } from '@reelay/sdk/node';
import { openDatabase } from '../../../bench/kit/guest.ts';
import { type Running, startService } from '../../../bench/kit/service.ts';
import type { Database } from '../../../packages/server/src/db/database.ts';
import { type Entry, HISTORY, PLANNED, RULES, SIMPLE } from './entries.ts';
import { type Account, addFinished, addUnderWay, failSource, momentOf, type Stock } from './rows.ts';
import { createSession, type Session } from './session.ts';
import { makeVideos } from './videos.ts';

export const EMAIL = 'ana@example.com';
export const PASSWORD = 'correct horse battery';

/** Ids of posts, by what they show. */
export type PostNames = 'posted' | 'partly' | 'failed' | 'rejected' | 'unknown' | 'scheduled' | 'underWay';

export interface Filled {
  session: Session;
  posts: Record<PostNames, string>;
  /** The ids of rules: active with activity, paused, and with a source that cannot be read. */
  rules: { active: string; paused: string; failing: string };
  /** Paths of videos. */
  videos: string[];
}

/** Starts a service without users. The caller stops it. @param folder for its data */
export async function startEmpty(folder: string): Promise<Running> {
  const running = await startService(folder, { SANDBOX: 'on', SIGNUP: 'open', LOG_LEVEL: 'warn' });
  // The links of its pages, such as those of profile pictures, lead to this name.
  return { ...running, url: running.url.replace('127.0.0.1', 'localhost') };
}

/** Creates the operator. The session belongs to them. */
export async function signUp(url: string): Promise<Session> {
  const session = createSession(url);
  await session.client.session.signUp({ email: EMAIL, password: PASSWORD, name: 'Ana' });
  return session;
}

/** Fills the service of the operator. @param folder of the service */
export async function fill(folder: string, url: string, session: Session): Promise<Filled> {
  const { client } = session;
  const [videos] = await Promise.all([makeVideos(folder), client.platforms.connectSandbox()]);
  const db = await openDatabase(folder);
  try {
    const stock = { userId: (await client.session.current())?.id ?? '', accounts: await accountsOf(db), media: [] };
    const rules = await addRules(session, stock.accounts);
    const key = await client.key.generate();
    const poster = createPoster(url, key, stock.accounts, videos);
    const made = await poster.postAll();
    const media = await db.query<{ id: string }>(`select id from media where state = 'stored' order by id`);
    const filled: Stock = { ...stock, media: media.map(({ id }) => id) };
    const ids = [];
    for (const entry of HISTORY) ids.push(await addFinished(db, filled, entry));
    const underWay = await addUnderWay(db, filled, 'A day in the darkroom, from empty tray to finished print');
    const failing = stock.accounts.get('snapchat');
    if (failing) await failSource(db, failing.identityId);
    const [, , , partly = '', , , , , failed = ''] = ids;
    return { session, videos, rules, posts: { ...made, partly, failed, underWay } };
  } finally {
    await db.close();
  }
}

async function accountsOf(db: Database): Promise<Map<string, Account>> {
  const rows = await db.query<Account>('select id, identity_id as "identityId", platform from account');
  return new Map(rows.map((row) => [row.platform, row]));
}

async function addRules({ client }: Session, accounts: ReadonlyMap<string, Account>): Promise<Filled['rules']> {
  const idOf = (platform: string) => accounts.get(platform)?.id ?? '';
  const ids: string[] = [];
  for (const { from, to, options, isPaused } of RULES) {
    const id = await client.rules.add({ from: idOf(from), to: to.map(idOf), options });
    if (isPaused) await client.rules.pause(id);
    ids.push(id);
  }
  const [, , paused = '', active = '', , , , failing = ''] = ids;
  return { active, paused, failing };
}

/** Posts through the API, with an API key. */
function createPoster(url: string, apiKey: string, accounts: ReadonlyMap<string, Account>, videos: readonly string[]) {
  const client = createNodeClient({ baseUrl: url, apiKey });
  const idsOf = (platforms: readonly string[]) => platforms.flatMap((platform) => accounts.get(platform)?.id ?? []);
  const send = async (entry: Omit<Entry, 'day' | 'minute'>, scheduled?: number) => {
    const post = await client.posts.create({
      video: videos[entry.video % videos.length],
      platforms: idsOf(entry.platforms),
      description: entry.text,
      scheduled,
    });
    return post.historyId;
  };
  return {
    async postAll() {
      const posted = await send({ text: 'Northern lights over the harbor #linocut', platforms: SIMPLE, video: 0 });
      await settled(client, posted);
      const rejected = await send({ text: 'Too loud #sandbox-reject', platforms: SIMPLE.slice(0, 3), video: 1 });
      const unknown = await send({
        text: 'The response was lost #sandbox-lost-answer',
        platforms: ['telegram'],
        video: 2,
      });
      const scheduled = [];
      for (const entry of PLANNED) scheduled.push(await send(entry, momentOf(entry.day, entry.minute)));
      for (const id of [rejected, unknown]) await settled(client, id);
      return { posted, rejected, unknown, scheduled: scheduled[2] ?? '' };
    },
  };
}

/** Time limit for a post, in ms. It only ends a run that hangs. */
const SETTLED_WITHIN_MS = 180_000;

async function settled(client: ReturnType<typeof createNodeClient>, id: string): Promise<void> {
  for (const end = performance.now() + SETTLED_WITHIN_MS; performance.now() < end; await pause(300)) {
    const { result } = await client.posts.get(id);
    if (result.every(({ status }) => status !== 'PENDING')) return;
  }
  throw new Error(`The post ${id} did not end in time.`);
}
