/**
 * A database in which accounts are watched on a platform that the test scripts. The real checks, matching and firing
 * run on it; only the platform's responses are the test's.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadPlans } from '../../src/config/plans.ts';
import type { Connector, Session, WatchedPost, WatchFlow } from '../../src/connectors/contract.ts';
import { connectors } from '../../src/connectors/registry.ts';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import { DAY, SECOND } from '../../src/lib/time.ts';
import { addFirings } from '../../src/lineage/firings.ts';
import { claimPlacement } from '../../src/lineage/placement.ts';
import { createMedia } from '../../src/media/media.ts';
import type { Message } from '../../src/messages/message.ts';
import { say } from '../../src/messages/rules.ts';
import { setDescription } from '../../src/posts/change-store.ts';
import type { SessionSource } from '../../src/publishing/sessions.ts';
import { selectCatalog } from '../../src/reposts/catalog.ts';
import { listCatalog } from '../../src/reposts/catalog-view.ts';
import { createFiringLoop } from '../../src/reposts/firing.ts';
import type { RuleOptions } from '../../src/reposts/options/rule-options.ts';
import { addRule, pauseRule } from '../../src/reposts/service.ts';
import type { Storage } from '../../src/storage/contract.ts';
import { createDiskStorage } from '../../src/storage/disk.ts';
import { createHashing } from '../../src/storage/incoming/hasher.ts';
import type { Download } from '../../src/uploads/remote/downloader.ts';
import { createFileFetcher } from '../../src/uploads/remote/fetcher.ts';
import { readCatalog } from '../../src/watching/catalog.ts';
import { createMatchLoop } from '../../src/watching/match-posts.ts';
import { createFindShown } from '../../src/watching/shown-on-destination.ts';
import { createSourceFileLoop } from '../../src/watching/source-files.ts';
import { createWatchLoop } from '../../src/watching/watch-loop.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { provided } from '../harness/provided.ts';
import { type AccountRow, type AccountRows, addAccount, addAccounts, addMedia, addPost } from '../harness/rows.ts';

export type ShownPost = Partial<WatchedPost> & { remoteId: string };

export interface WatchWorld {
  db: TestDatabase;
  /** The posts that the platform shows, newest first, by remote id of the account. */
  shown: Map<string, ShownPost[]>;
  /** What `list` was asked for. */
  asked: { account: string; since: number; mark: unknown; cursor: string }[];
  /** Replaces what the platform does. By default it gives no file. */
  flow: Partial<WatchFlow>;
  /** Runs as the operator's downloader. */
  download: { run: Download | null };
  storage: Storage;
  failures: Message[];
  refused: string[];
  errors: unknown[];
  newUser(): Promise<string>;
  /** A connected account. Two users who connect the same one share its identity. */
  account(userId: string, identity?: AccountRow): Promise<AccountRow>;
  /** Adds accounts one after the other. */
  accounts<Count extends number>(userId: string, count: Count): Promise<AccountRows<Count>>;
  rule(userId: string, from: AccountRow, to: readonly AccountRow[]): Promise<string>;
  pause(userId: string, ruleId: string, isPaused?: boolean): Promise<void>;
  /** Pauses a rule, whose new posts wait. */
  keep(userId: string, ruleId: string): Promise<void>;
  /** Shows a post on the account, published now unless given. */
  show(account: AccountRow, post: ShownPost): Promise<void>;
  /** Queues a post of the user's. @returns its target */
  send(userId: string, to: AccountRow, text?: string): Promise<string>;
  /** Records that the target was posted. */
  posted(targetId: string, remoteId: string): Promise<void>;
  /** Checks every account that is due, and everything that follows. */
  check(): Promise<void>;
  /** Lets accounts become due, and checks them. */
  later(ms?: number): Promise<void>;
  now(): Promise<number>;
  /** The found posts by remote id. */
  found(): Promise<Record<string, { state: string; gone: boolean; text: string }>>;
  /** Firings as "remote id of the source: state reason". */
  firings(ruleId: string): Promise<string[]>;
  /** Lists older posts of an account, as its owner does. */
  catalog(userId: string, account: AccountRow, cursor?: string): ReturnType<typeof readCatalog>;
  /** A page of older posts as the API returns it. */
  catalogPage(userId: string, ruleId: string): ReturnType<typeof listCatalog>;
  /** Selects older posts. */
  select(ruleId: string, catalog: RuleOptions['backCatalog']): Promise<void>;
  close(): Promise<void>;
}

export async function createWatchWorld(): Promise<WatchWorld> {
  const db = await createTestDatabase(6);
  const plans = loadPlans(undefined);
  const shown: WatchWorld['shown'] = new Map();
  const asked: WatchWorld['asked'] = [];
  const flow: WatchWorld['flow'] = {};
  const failures: Message[] = [];
  const refused: string[] = [];
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const real = connectors.mastodon;
  if (!real) throw new Error('The connector is missing.');
  const watch = createFlow({ flow, shown, asked });
  const connector: Connector = {
    ...real,
    budgets: [
      { name: 'reads', scope: 'app', limit: 4, windowMs: 60_000, kind: 'rate' },
      { name: 'units', scope: 'app', limit: 80, windowMs: DAY, kind: 'daily', dayIn: 'UTC', forReading: true },
    ],
    watch,
  };
  const known = { mastodon: connector };
  const sessions = createSessions(db, connector, refused);
  const folder = await mkdtemp(join(tmpdir(), 'reelay-watching-'));
  const storage = await createDiskStorage(join(folder, 'files'));
  const download: WatchWorld['download'] = { run: null };
  const { watches, matches, files, firing } = createLoops({
    ...{ db, storage, plans, known, sessions, download, failures, onError },
  });
  const world: WatchWorld = {
    db,
    shown,
    asked,
    flow,
    download,
    storage,
    failures,
    refused,
    errors,
    async newUser() {
      const [row] = await db.query<{ id: string }>(
        `insert into auth."user" (name, email) values ('U', uuid_v7()::text) returning id`,
      );
      return row?.id ?? '';
    },
    async account(userId, identity) {
      const account = await addAccount(db, userId, { platform: 'mastodon', sandbox: false });
      await db.execute('update account set capabilities = $2 where id = $1', [
        account.id,
        JSON.stringify({ ...connector.capabilities, watch: 'poll' }),
      ]);
      if (!identity) return account;
      await db.execute('update account set identity_id = $2 where id = $1', [account.id, identity.identityId]);
      return { id: account.id, identityId: identity.identityId };
    },
    accounts: (userId, count) => addAccounts(count, () => world.account(userId)),
    rule: (userId, from, to) =>
      addRule({ db, config: { plans, sandbox: true }, connectors: known }, userId, {
        from: from.id,
        to: to.map(({ id }) => id),
      }),
    pause: (userId, ruleId, isPaused = true) => pauseRule({ db, connectors: known }, userId, ruleId, { isPaused }),
    keep: (userId, ruleId) => pauseRule({ db, connectors: known }, userId, ruleId, { isPaused: true, between: 'keep' }),
    async show(account, post) {
      const key = await remoteIdOf(account);
      const publishedAt = await world.now();
      shown.set(key, [{ publishedAt, ...post }, ...(shown.get(key) ?? [])]);
    },
    async send(userId, to, text = 'Sunset run') {
      const media = await addMedia(db, userId);
      const { id, targets } = await addPost(db, { userId, mediaId: media.id, accounts: [to] });
      await setDescription(db, id, text);
      return targets[0] ?? '';
    },
    posted: (targetId, remoteId) => recordPosted(db, targetId, remoteId),
    async check() {
      for (let jobs = 1; jobs > 0; ) {
        jobs = await watches.runOnce();
        jobs += await matches.runOnce();
        jobs += await firing.runOnce();
        jobs += await files.runOnce();
      }
    },
    async later(ms = 15 * 60 * SECOND) {
      await db.clock.advance(ms);
      await world.check();
    },
    now: async () => (await db.clock.now()).getTime(),
    found: () => readFound(db),
    firings: (ruleId) => readFirings(db, ruleId),
    async catalog(userId, { id, identityId }, cursor = '') {
      const [row] = await db.query<{ sandbox: boolean }>('select sandbox from account where id = $1', [id]);
      const source = { accountId: id, identityId, userId, platform: 'mastodon', service: '', sandbox: false, ...row };
      const page = await readCatalog({ db, sessions }, source, cursor);
      while ((await matches.runOnce()) > 0);
      return page;
    },
    catalogPage: (userId, ruleId) => {
      const sealer = createSealer([randomBytes(32)]);
      const deps = { db, sealer, sessions, connectors: known, downloads: false };
      return listCatalog(deps, userId, ruleId, undefined);
    },
    async select(ruleId, backCatalog) {
      await db.transaction(async (tx) => {
        await tx.execute('update rule set options = $2 where id = $1', [ruleId, JSON.stringify({ backCatalog })]);
        await selectCatalog(tx, ruleId, backCatalog);
      });
    },
    async close() {
      await db.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  const remoteIdOf = async ({ identityId }: AccountRow) => {
    const [row] = await db.query<{ remote_id: string }>('select remote_id from identity where id = $1', [identityId]);
    return row?.remote_id ?? '';
  };
  return world;
}

/** The part of the connector that the test scripts. */
function createFlow({ flow, shown, asked }: Pick<WatchWorld, 'flow' | 'shown' | 'asked'>): WatchFlow {
  return {
    async list(session, at) {
      asked.push({ account: session.remoteId, since: at.since, mark: at.mark, cursor: at.cursor });
      if (flow.list) return flow.list(session, at);
      return { posts: (shown.get(session.remoteId) ?? []).map(shownPost), next: '' };
    },
    file: async (session, post) =>
      (await flow.file?.(session, post)) ?? {
        found: 'none',
        why: say('platform_without_files', { platform: 'This platform' }),
      },
    get charge() {
      return flow.charge as NonNullable<WatchFlow['charge']>;
    },
    get minIntervalMs() {
      return flow.minIntervalMs as number;
    },
    reader: (account) => flow.reader?.(account) ?? account.remoteId,
  };
}

function createSessions(db: TestDatabase, connector: Connector, refused: string[]): SessionSource {
  return {
    connector: () => connector,
    async open(accountId, { spend, countReads, now }) {
      const [row] = await db.query<{ remoteId: string; sandbox: boolean }>(
        'select d.remote_id as "remoteId", a.sandbox from account a join identity d on d.id = a.identity_id where a.id = $1',
        [accountId],
      );
      const { remoteId = '', sandbox = false } = row ?? {};
      const session = { remoteId, sandbox, settings: {} as Session['settings'], spend, countReads, now } as Session;
      return { connector, session, capabilities: connector.capabilities, accessLeftMs: null };
    },
    refresh: async () => {},
    refused: async (accountId) => void refused.push(accountId),
  };
}

interface LoopDeps extends Pick<WatchWorld, 'db' | 'storage' | 'download' | 'failures'> {
  plans: ReturnType<typeof loadPlans>;
  known: Readonly<Record<string, Connector>>;
  sessions: SessionSource;
  onError(error: unknown): void;
}

/** The real loops of a worker. */
function createLoops({ db, storage, plans, known, sessions, download, failures, onError }: LoopDeps) {
  const watches = createWatchLoop({
    db,
    connectors: known,
    sessions,
    onFound() {},
    onFailed: (_, message) => failures.push(message),
    onFailing() {},
    reportBug: onError,
    random: () => 0.5,
    monotonic: () => performance.now(),
    onError,
  });
  const matches = createMatchLoop({ db, sealer: createSealer([randomBytes(32)]), onFirings() {}, onError });
  const files = createSourceFileLoop({
    db,
    storage,
    media: createMedia(provided('tools')),
    sessions,
    fetchFile: createFileFetcher({
      config: { publicUrl: 'http://127.0.0.1:1' },
      storage,
      uploads: { hasher: createHashing(), used() {} },
    }),
    download: (url, options) => download.run?.(url, options) ?? Promise.reject(new Error('There is no downloader.')),
    leastFreeBytes: 0,
    // Test servers are on this machine.
    outbound: () => ({ guard: { refuse: () => null, allows: () => true }, headersFor: () => ({}) }),
    onFetched() {},
    onError,
  });
  const firing = createFiringLoop({
    db,
    config: { plans },
    connectors: known,
    get downloads() {
      return download.run !== null;
    },
    wake() {},
    onFile() {},
    findShown: createFindShown({ db, sessions, onError }),
    onError,
  });
  return { watches, matches, files, firing };
}

async function recordPosted(db: TestDatabase, targetId: string, remoteId: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(
      `update target set state = 'posted', due_at = null, committed_at = coalesce(committed_at, app_now()),
         published_at = app_now(), settled_at = app_now(), remote_id = $2, is_public = true where id = $1`,
      [targetId, remoteId],
    );
    if (!(await claimPlacement(tx, targetId))) throw new Error('The placement is taken.');
    await addFirings(tx, targetId);
  });
}

async function readFound(db: TestDatabase): ReturnType<WatchWorld['found']> {
  const rows = await db.query<{ remote_id: string; state: string; gone: boolean; text: string }>(
    'select remote_id, state, gone_at is not null as gone, text from watched_post order by remote_id',
  );
  return Object.fromEntries(rows.map(({ remote_id, ...row }) => [remote_id, row]));
}

async function readFirings(db: TestDatabase, ruleId: string): Promise<string[]> {
  const rows = await db.query<{ line: string }>(
    `select coalesce(w.remote_id, t.remote_id) || ': ' || f.state || coalesce(' ' || (f.reason->>'code'), '') as line
     from firing f left join watched_post w on w.id = f.watched_post_id left join target t on t.id = f.target_id
     where f.rule_id = $1 order by line`,
    [ruleId],
  );
  return rows.map(({ line }) => line);
}

/** A post as the platform lists it. */
export function shownPost(post: ShownPost): WatchedPost {
  return {
    publishedAt: null,
    text: `Post ${post.remoteId}`,
    url: null,
    durationMs: 12_000,
    width: 540,
    height: 960,
    isPublic: true,
    file: {},
    ...post,
  };
}
