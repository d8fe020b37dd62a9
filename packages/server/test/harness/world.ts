/**
 * A test environment for the publishing engine. It has its own database, a stored video, and one platform's simulator
 * with one account. Its workers can be disconnected or run as separate processes.
 */
import { createHash, randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { SimulatorModule, SimulatorVariant } from '@reelay/sandbox/contract.ts';
import { COVER } from '../../../sandbox/test/harness/cover.ts';
import type { Connector } from '../../src/connectors/contract.ts';
import type { Database, Queryable } from '../../src/db/database.ts';
import { ReelayError } from '../../src/errors/reelay-error.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import type { VideoFacts } from '../../src/media/types.ts';
import type { MessageRef } from '../../src/messages/message.ts';
import { createDiskStorage } from '../../src/storage/disk.ts';
import { pictureKey } from '../../src/storage/pictures.ts';
import { makeVideo } from '../media/fixtures.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { startLinks } from './links.ts';
import { renderMessage } from './message.ts';
import { pad } from './pad.ts';
import { type RunningSimulator, type SimulatorOverrides, startSimulator } from './simulator.ts';
import { createTestWorker, type TestWorker } from './test-worker.ts';
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts';

export interface World {
  db: TestDatabase;
  simulator: RunningSimulator;
  connector: Connector;
  /**
   * Creates a post on the account, or another one, due now or in `dueIn` ms.
   * @returns the id of its target
   */
  post(options?: { text?: string; dueIn?: number; on?: World['account'] }): Promise<string>;
  worker(options?: WorkerOverrides): Promise<TestWorker>;
  /** Starts a worker as a separate process, which can be stopped, continued and killed. */
  process(): Promise<WorkerProcess>;
  /**
   * Reconnects the account if its access has ended or soon will. A case injects a fault at the nth request of a
   * publish, which must not be a refresh. The loss of its response could end the access and break the following cases.
   */
  renew(): Promise<void>;
  /** Connects another account of the platform. */
  connect(userId: string, username: string): Promise<{ id: string; identityId: string }>;
  target(id: string): Promise<Record<string, unknown>>;
  timeline(id: string): Promise<string[]>;
  /** Advances the clocks of database and simulator. */
  advance(ms: number): Promise<void>;
  /** Runs a worker and advances the clock to the next due time, until the target is final or `hours` have passed. */
  settle(worker: TestWorker, targetId: string, hours?: number): Promise<void>;
  /** The same, but stops at a point in time (ms since the epoch by the database's clock). */
  settleUntil(worker: TestWorker, targetId: string, end: number): Promise<void>;
  /** Advances the clocks to the next time at which a lane can be claimed. */
  advanceToNextDue(): Promise<void>;
  /** Advances the clocks to the next due time, unless a worker holds a lane. */
  advanceWhenNobodyWorks(): Promise<void>;
  /** Resolves when a frozen worker process has continued and has polled for work twice since. */
  untilBusyAgain(pid: number): Promise<void>;
  account: { id: string; identityId: string };
  /** Folder of its files. */
  folder: string;
  /** Unexpected errors. */
  bugs: unknown[];
  /** Failed claims, lanes and writes: expected if a test causes them. */
  troubles: { what: string; error: unknown }[];
  close(): Promise<void>;
}

export interface WorkerOverrides {
  /** Maximum deadline of the next call, in ms; undefined: unlimited. */
  maxDeadlineMs?: () => number | undefined;
  /** When evidence that the database does not accept is written to a file, in ms. */
  evidenceFileAfterMs?: number;
  /** How long the result of a send may stay unwritten before it is kept as evidence, in ms. */
  resultWithinMs?: number;
  /** Its connection pool. Default: the pool shared by the world's workers. */
  db?: Database;
  /** Called before every statement; returns whether the database is unavailable to this worker from now on. */
  databaseGone?: () => boolean;
  /** Awaited before every statement. It throws to make one fail. */
  beforeStatement?: (text: string, values: readonly unknown[]) => Promise<void> | void;
}

export interface WorldOptions {
  connector: Connector;
  module: SimulatorModule;
  simulator?: SimulatorOverrides;
  video?: {
    /** Pads the file to this size, in bytes. */
    bytes?: number;
    facts?: Partial<VideoFacts>;
  };
  /** Variant of the simulated platform. */
  variant?: SimulatorVariant;
  /** URL of the folder with connector and simulator, if it is not the platform's own. */
  home?: string;
  /** How far the platform's clock is ahead of ours, in ms. */
  platformAheadMs?: number;
  /** How far the clocks of workers are ahead of the database's, in ms: of the first after each new post, the second, … */
  workersAheadMs?: readonly number[];
  /** Whether budgets are counted. Default: false, so that a test can make a hundred posts a day. */
  budgets?: boolean;
}

export async function createWorld(options: WorldOptions): Promise<World> {
  const { connector, variant } = options;
  const module = { ...options.module, endpoints: variant?.endpoints ?? options.module.endpoints };
  const db = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'reelay-world-'));
  const storage = await createDiskStorage(join(folder, 'files'));
  let shift = 0;
  const now = () => Date.now() + shift;
  const simulator = await startSimulator(module, {
    now: () => now() + (options.platformAheadMs ?? 0),
    wire: true,
    ...options.simulator,
  });
  await variant?.prepare?.(simulator.store);
  const bugs: unknown[] = [];
  const troubles: { what: string; error: unknown }[] = [];
  const workers: TestWorker[] = [];
  const aheads = options.workersAheadMs ?? [0];
  let sincePost = 0;
  // Connections outlive the workers that used them: a new one costs the server more than all statements of a case.
  const connections = db.another(6);
  const key = randomBytes(32);
  const shiftFile = join(folder, 'shift');
  await writeFile(shiftFile, '0');
  const links = await startLinks({ db, storage, key });
  const linksUrl = links.url;
  const shared = { connector, module, simulatorUrl: simulator.url, folder, key, linksUrl, budgets: options.budgets };

  const { userId, mediaId } = await seed(db, storage, options, folder);
  const enrol = (username: string) => simulator.simulator.enrol(username);
  const setUp = await createTestWorker({ ...shared, db, enrol, shift: () => shift });
  const account = await connect(db, setUp, connector, userId);

  const world: World = {
    db,
    simulator,
    connector,
    account,
    folder,
    bugs,
    troubles,
    post({ text = 'Sunset run', dueIn = 0, on = account } = {}) {
      sincePost = 0;
      return insertPost(db, { userId, mediaId, account: on, text, dueIn });
    },
    async worker(overrides = {}) {
      let abort = false;
      const isGone = () => abort || (overrides.databaseGone?.() ?? false);
      const own = gated(overrides.db ?? connections, isGone, overrides.beforeStatement);
      const made = await createTestWorker({
        ...shared,
        db: own,
        shift: () => shift,
        aheadMs: aheads[sincePost++ % aheads.length],
        maxDeadlineMs: overrides.maxDeadlineMs,
        evidenceFileAfterMs: overrides.evidenceFileAfterMs,
        resultWithinMs: overrides.resultWithinMs,
        onBug: (error) => bugs.push(error),
        onTrouble: (what, error) => troubles.push({ what, error }),
      });
      const worker: TestWorker = {
        ...made,
        abort() {
          abort = true;
          made.abort();
        },
      };
      workers.push(worker);
      return worker;
    },
    process: () =>
      startWorkerProcess({
        variant: variant?.name,
        home: options.home,
        databaseUrl: db.url,
        platform: connector.id,
        simulatorUrl: simulator.url,
        folder,
        linksUrl,
        key: key.toString('base64'),
        shiftFile,
      }),
    async renew() {
      if (await isEnding(db, account.id)) await connect(db, setUp, connector, userId);
    },
    connect: (owner, username) => connect(db, setUp, connector, owner, username),
    target: (id) => readTarget(db, id),
    timeline: (id) => readTimeline(db, id),
    async advance(ms) {
      shift += ms;
      await writeFile(shiftFile, String(shift));
      await db.clock.advance(ms);
    },
    settle: (worker, targetId, hours = 200) => settle(world, worker, targetId, now() + hours * 3_600_000),
    settleUntil: (worker, targetId, end) => settleUntil(world, now, { worker, targetId, end }),
    async advanceToNextDue() {
      await world.advance(await untilNextDue(db));
    },
    async advanceWhenNobodyWorks() {
      const wait = await untilFreeLaneIsDue(db);
      if (wait > 0) await world.advance(wait);
    },
    untilBusyAgain: (pid) => untilBusyAgain(db, pid),
    async close() {
      for (const worker of [setUp, ...workers]) worker.abort();
      try {
        await simulator.close();
      } finally {
        await links.close();
        await db.drop();
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
  return world;
}

interface NewPost {
  userId: string;
  mediaId: string;
  account: { id: string; identityId: string };
  text: string;
  /** In ms. */
  dueIn: number;
}

/** @returns the id of its target */
async function insertPost(db: Database, { userId, mediaId, account, text, dueIn }: NewPost): Promise<string> {
  const postId = uuidv7();
  const targetId = uuidv7();
  // A previous case may have ended with an invalid token.
  await db.execute(`update account set status = 'CONNECTED' where id = $1`, [account.id]);
  await db.transaction(async (tx) => {
    await tx.execute(
      `insert into post (id, user_id, origin_id, media_id, description, preview_time_ms, scheduled, date)
       values ($1, $2, $1, $3, $4, 0, false, app_now())`,
      [postId, userId, mediaId, text],
    );
    await tx.execute(
      `insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, due_at, counts_from)
       values ($1, $2, $3, $4, $5, $2, 0, 'scheduled', app_now() + $6 * interval '1 millisecond', app_now() + $6 * interval '1 millisecond')`,
      [targetId, postId, userId, account.id, account.identityId, dueIn],
    );
    await tx.execute(
      `update lane set next_due_at = least(next_due_at, app_now() + $2 * interval '1 millisecond') where identity_id = $1`,
      [account.identityId, dueIn],
    );
  });
  return targetId;
}

/** Whether the access of an account has ended or soon will. */
async function isEnding(db: Database, accountId: string): Promise<boolean> {
  const [grant] = await db.query<{ ends: boolean }>(
    `select g.refused_at is not null or coalesce(g.expires_at < app_now() + interval '20 minutes', false) as ends
     from access_grant g join account a on a.grant_id = g.id where a.id = $1`,
    [accountId],
  );
  return grant?.ends ?? false;
}

async function readTarget(db: Database, id: string): Promise<Record<string, unknown>> {
  const [row] = await db.query('select * from target where id = $1', [id]);
  if (!row) throw new Error('There is no such target.');
  return row as Record<string, unknown>;
}

async function readTimeline(db: Database, id: string): Promise<string[]> {
  const rows = await db.query<{ event: string } & MessageRef>(
    'select event, code, params from timeline where target_id = $1 order by id',
    [id],
  );
  return rows.map((row) => `${row.event}: ${renderMessage(row)}`);
}

async function settle(world: World, worker: TestWorker, targetId: string, end: number): Promise<void> {
  await world.settleUntil(worker, targetId, end);
  const { state } = await world.target(targetId);
  if (state === 'posted' || state === 'failed') return;
  throw new Error(`The target did not come to rest: ${(await world.timeline(targetId)).slice(-12).join(' | ')}`);
}

async function settleUntil(
  world: World,
  now: () => number,
  { worker, targetId, end }: { worker: TestWorker; targetId: string; end: number },
): Promise<void> {
  for (;;) {
    await worker.runUntilIdle();
    const { state } = await world.target(targetId);
    if (state === 'posted' || state === 'failed') return;
    const wait = await untilNextDue(world.db);
    if (now() + wait >= end) return world.advance(Math.max(0, end - now()));
    await world.advance(wait);
  }
}

/** Ms until a lane can be claimed; 0 if a worker holds a lane. */
async function untilFreeLaneIsDue(db: TestDatabase): Promise<number> {
  const [lease] = await db.query('select 1 from lane where lease_until > app_now() limit 1');
  const wait = lease ? 0 : await untilNextDue(db);
  // A time that has already come is the workers' own responsibility.
  return wait > 1 && wait < 86_400_000 ? wait : 0;
}

async function untilBusyAgain(db: Database, pid: number): Promise<void> {
  const changes = new Set<string>();
  while (changes.size < 3) {
    const [row] = await db.query<{ at: string | null }>(
      'select max(state_change)::text as at from pg_stat_activity where application_name = $1',
      [`worker ${pid}`],
    );
    if (row?.at) changes.add(row.at);
    await pollPause();
  }
}

/**
 * Pause between two polls of another process.
 * @param ms default: 20
 */
export const pollPause = (ms = 20) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Ms until a lane can be claimed; one day if none ever can. */
async function untilNextDue(db: TestDatabase): Promise<number> {
  const [next] = await db.query<{ wait: number | null }>(
    `select extract(epoch from min(greatest(next_due_at, lease_until)) - app_now())::float8 * 1000 as wait
     from lane where next_due_at is not null`,
  );
  return Math.max(1, Math.ceil(next?.wait ?? 86_400_000));
}

/** A database that can become unavailable to one worker. Uncommitted work is then rolled back. */
export function gated(
  db: Database,
  gone: () => boolean,
  beforeStatement?: WorkerOverrides['beforeStatement'],
): Database {
  const check = () => {
    if (gone()) throw new ReelayError('database_unavailable');
  };
  const permit = async (text: string, values: readonly unknown[] = []) => {
    check();
    if (!beforeStatement) return;
    await beforeStatement(text, values);
    check();
  };
  const watched = (on: Queryable): Queryable => ({
    async query(text, values) {
      await permit(text, values);
      return on.query(text, values);
    },
    async execute(text, values) {
      await permit(text, values);
      return on.execute(text, values);
    },
  });
  return {
    ...db,
    ...watched(db),
    transaction: (work) =>
      db.transaction(async (tx) => {
        check();
        const result = await work(beforeStatement ? { ...tx, ...watched(tx) } : tx);
        check();
        return result;
      }),
    within: (limitMs) => gated(db.within(limitMs), gone),
  };
}

async function connect(
  db: TestDatabase,
  worker: TestWorker,
  connector: Connector,
  userId: string,
  username = 'nora.cuts',
) {
  const [account] = await worker.accounts.connectSandbox({
    userId,
    platform: connector.id,
    username,
    privacy: 'public',
    actor: 'test',
  });
  const [row] = await db.query<{ id: string; identityId: string }>(
    'select id, identity_id as "identityId" from account where id = $1',
    [account?.id],
  );
  if (!row) throw new Error('The simulator gave no way to connect.');
  return row;
}

async function seed(
  db: TestDatabase,
  storage: Awaited<ReturnType<typeof createDiskStorage>>,
  options: WorldOptions,
  folder: string,
) {
  const userId = uuidv7();
  const mediaId = uuidv7();
  await db.execute(`insert into auth."user" (id, name, email) values ($1, 'Nora', $2)`, [
    userId,
    `${userId}@example.org`,
  ]);
  const copy = join(folder, 'video.mp4');
  await copyFile(await makeVideo({ seconds: 6, width: 540, height: 960, fps: 25, picture: 'plain' }), copy);
  // Some platforms reject files smaller than 75 kB.
  await pad(copy, options.video?.bytes ?? 80_000);
  const bytes = await readFile(copy);
  await storage.adopt(`video/${mediaId}`, copy);
  await storage.put(pictureKey(`${mediaId}.jpg`), Readable.from([COVER]));
  const facts: VideoFacts = {
    bytes: bytes.length,
    container: 'mp4',
    mime: 'video/mp4',
    durationMs: 6_000,
    lastFrameMs: 5_960,
    width: 540,
    height: 960,
    codedWidth: 540,
    codedHeight: 960,
    rotation: 0,
    fps: 25,
    videoCodec: 'h264',
    audioCodec: 'aac',
    pixelFormat: 'yuv420p',
    hdr: false,
    hasAudio: true,
    ...options.video?.facts,
  };
  await db.execute(
    `insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state) values ($1, $2, $3, $4, $5, $6, $7, 'stored')`,
    [
      mediaId,
      userId,
      `video/${mediaId}`,
      `${mediaId}.jpg`,
      bytes.length,
      createHash('sha256').update(bytes).digest(),
      facts,
    ],
  );
  return { userId, mediaId };
}
