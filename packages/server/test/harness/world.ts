/**
 * A small world around the publishing engine: a database of its own, a stored video, one platform's simulator with one
 * account on it, and workers that can be cut off or run as processes.
 */
import { createHash, randomBytes } from 'node:crypto';
import { appendFile, copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connector, JsonObject, Tokens } from '../../src/connectors/contract.ts';
import { createAddressGuard } from '../../src/connectors/kit/address-guard.ts';
import { PlatformError } from '../../src/connectors/kit/failure.ts';
import { createHttp } from '../../src/connectors/kit/http.ts';
import type { SimulatorModule } from '../../src/connectors/kit/simulator.ts';
import type { Database } from '../../src/db/database.ts';
import { ReelayError } from '../../src/errors.ts';
import { uuidv7 } from '../../src/ids.ts';
import type { VideoFacts } from '../../src/media/types.ts';
import { createEvidenceKeeper } from '../../src/publishing/evidence.ts';
import { createPublisher, type Publisher } from '../../src/publishing/publisher.ts';
import type { SessionSource } from '../../src/publishing/sessions.ts';
import { thisWorker } from '../../src/publishing/worker-identity.ts';
import { createSealer } from '../../src/seal.ts';
import { createDiskStorage } from '../../src/storage/disk.ts';
import { makeVideo } from '../media/fixtures.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { type RunningSimulator, type SimulatorOverrides, startSimulator } from './simulator.ts';

export interface World {
  db: TestDatabase;
  simulator: RunningSimulator;
  connector: Connector;
  /** Makes a post on the world's account (or on several), due now. @returns ids of the targets */
  post(options?: { text?: string; dueIn?: number }): Promise<string>;
  worker(options?: WorkerOverrides): TestWorker;
  target(id: string): Promise<Record<string, unknown>>;
  timeline(id: string): Promise<string[]>;
  /** Moves the clocks of database and simulator. */
  advance(ms: number): Promise<void>;
  /** Runs a worker, moving the clock to whatever is due next, until the target is final or `hours` have passed. */
  settle(worker: TestWorker, targetId: string, hours?: number): Promise<void>;
  /** The same, but not past a moment (ms since the epoch by the database's clock), which it ends at. */
  settleUntil(worker: TestWorker, targetId: string, end: number): Promise<void>;
  /** Moves the clocks to the next moment at which a lane can be claimed. */
  advanceToNextDue(): Promise<void>;
  account: { id: string; identityId: string };
  /** Errors nobody expected. */
  bugs: unknown[];
  /** Claims, lanes and writes that failed: expected where a test takes something away. */
  troubles: { what: string; error: unknown }[];
  close(): Promise<void>;
}

export interface WorkerOverrides {
  /** Longest any call may take, in ms. */
  maxDeadlineMs?: number;
  sessions?: SessionSource;
  /** Asked before every statement; true: the database is away for this worker from now on. */
  databaseGone?: () => boolean;
}

export interface TestWorker extends Publisher {
  db: ReturnType<TestDatabase['another']>;
}

export interface WorldOptions {
  connector: Connector;
  module: SimulatorModule;
  simulator?: SimulatorOverrides;
  video?: {
    /** Pads the file to this many bytes. */
    bytes?: number;
    facts?: Partial<VideoFacts>;
  };
  /** Whether budgets are counted; they are not, so that a hundred posts a day can be made. */
  budgets?: boolean;
}

export async function createWorld(options: WorldOptions): Promise<World> {
  const { connector, module } = options;
  const db = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'reelay-world-'));
  const storage = await createDiskStorage(join(folder, 'files'));
  const sealer = createSealer([randomBytes(32)]);
  let shift = 0;
  const now = () => Date.now() + shift;
  const simulator = await startSimulator(module, { now, ...options.simulator });
  const guard = createAddressGuard([], [new URL(simulator.url).origin]);
  const bugs: unknown[] = [];
  const troubles: { what: string; error: unknown }[] = [];
  const workers: TestWorker[] = [];

  const { userId, mediaId } = await seed(db, storage, options, folder);
  const setUp = createHttp({ guard });
  const account = await connect(db, simulator, options, userId, setUp.request, now);
  setUp.close();

  const world: World = {
    db,
    simulator,
    connector,
    account,
    bugs,
    troubles,
    async post({ text = 'Sunset run', dueIn = 0 } = {}) {
      const postId = uuidv7();
      const targetId = uuidv7();
      // A case before may have ended with a dead token.
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
    },
    worker(overrides = {}) {
      const own = gated(db.another(6), overrides.databaseGone ?? (() => false));
      const over = new AbortController();
      const http = createHttp({ guard, signal: over.signal, maxDeadlineMs: overrides.maxDeadlineMs });
      const publisher = createPublisher({
        db: own,
        sealer,
        storage,
        sessions: overrides.sessions ?? account.sessions(http.request),
        http,
        evidence: createEvidenceKeeper({
          db: own,
          sealer,
          folder: join(folder, 'evidence'),
          fileAfterMs: 5_000,
          pause: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 50))),
          signal: over.signal,
        }),
        worker: thisWorker(uuidv7()),
        events: {
          moved: () => {},
          bug: (error) => bugs.push(error),
          trouble: (what, error) => troubles.push({ what, error }),
          lanesRepaired: (count) => bugs.push(new Error(`${count} lanes were repaired`)),
        },
        slots: 8,
        random: Math.random,
        monotonic: () => performance.now() + shift,
        wall: () => Date.now() + shift,
      });
      const worker: TestWorker = {
        ...publisher,
        db: own,
        cut() {
          publisher.cut();
          over.abort();
          http.close();
          void own.close().catch(() => {});
        },
      };
      workers.push(worker);
      return worker;
    },
    async target(id) {
      const [row] = await db.query('select * from target where id = $1', [id]);
      if (!row) throw new Error('There is no such target.');
      return row as Record<string, unknown>;
    },
    async timeline(id) {
      const rows = await db.query<{ event: string; text: string }>(
        'select event, text from timeline where target_id = $1 order by id',
        [id],
      );
      return rows.map((row) => `${row.event}: ${row.text}`);
    },
    async advance(ms) {
      shift += ms;
      await db.clock.advance(ms);
    },
    async settle(worker, targetId, hours = 200) {
      await world.settleUntil(worker, targetId, now() + hours * 3_600_000);
      const { state } = await world.target(targetId);
      if (state === 'posted' || state === 'failed') return;
      throw new Error(`The target did not come to rest: ${(await world.timeline(targetId)).slice(-12).join(' | ')}`);
    },
    async settleUntil(worker, targetId, end) {
      for (;;) {
        await worker.runUntilIdle();
        const { state } = await world.target(targetId);
        if (state === 'posted' || state === 'failed') return;
        const wait = await untilNextDue(db);
        if (now() + wait >= end) return world.advance(Math.max(0, end - now()));
        await world.advance(wait);
      }
    },
    async advanceToNextDue() {
      await world.advance(await untilNextDue(db));
    },
    async close() {
      for (const worker of workers) worker.cut();
      await simulator.close();
      await db.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return world;
}

/** Milliseconds until some lane can be claimed; a day when none ever can. */
async function untilNextDue(db: TestDatabase): Promise<number> {
  const [next] = await db.query<{ wait: number | null }>(
    `select extract(epoch from min(greatest(next_due_at, lease_until)) - app_now())::float8 * 1000 as wait
     from lane where next_due_at is not null`,
  );
  return Math.max(1, Math.ceil(next?.wait ?? 86_400_000));
}

/** A database that can be taken away from one worker. */
function gated(db: Database, gone: () => boolean): Database {
  const check = () => {
    if (gone()) throw new ReelayError('database_unavailable');
  };
  return {
    ...db,
    async query(text, values) {
      check();
      return db.query(text, values);
    },
    async execute(text, values) {
      check();
      return db.execute(text, values);
    },
    transaction: (work) =>
      db.transaction(async (tx) => {
        check();
        const result = await work(tx);
        check();
        return result;
      }),
  };
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
  await copyFile(await makeVideo({ width: 360, height: 640, fps: 25 }), copy);
  if (options.video?.bytes) await pad(copy, options.video.bytes);
  const bytes = await readFile(copy);
  await storage.adopt(`video/${mediaId}`, copy);
  const facts: VideoFacts = {
    bytes: bytes.length,
    container: 'mp4',
    mime: 'video/mp4',
    durationMs: 4_000,
    lastFrameMs: 3_960,
    width: 360,
    height: 640,
    codedWidth: 360,
    codedHeight: 640,
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

/** Appends an empty box (ISO 14496-12, `free`) that players skip. */
async function pad(path: string, bytes: number): Promise<void> {
  const missing = bytes - (await stat(path)).size;
  const box = Buffer.alloc(missing);
  box.writeUInt32BE(missing, 0);
  box.write('free', 4, 'latin1');
  await appendFile(path, box);
}

async function connect(
  db: TestDatabase,
  simulator: RunningSimulator,
  { connector, module, budgets = false }: WorldOptions,
  userId: string,
  request: ReturnType<typeof createHttp>['request'],
  now: () => number,
) {
  const enrolled = await simulator.simulator.enrol('nora.cuts');
  const endpoints = { ...connector.endpoints, ...module.endpoints(simulator.url) };
  const service = connector.federated ? simulator.url : '';
  const registered = new Map<string, JsonObject>();
  const contextFor = (http: typeof request) => ({
    http,
    endpoints,
    app: { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' },
    publicUrl: 'http://localhost:3000',
    registrations: {
      get: async (key: string) => registered.get(key) ?? null,
      put: async (key: string, value: JsonObject) => void registered.set(key, value),
    },
    clientKey: async () => ({}),
    now,
  });
  const context = contextFor(request);
  const held: { tokens: Tokens } = {
    tokens: enrolled.tokenAnswer
      ? (connector.oauth?.tokensFrom?.(enrolled.tokenAnswer, service) ?? fail())
      : ((await connector.credentials?.open(context, { service, ...(enrolled.credentials ?? {}) })) ?? fail()),
  };
  const known = await connector.identify(context, held.tokens);
  const identityId = uuidv7();
  const accountId = uuidv7();
  await db.execute('insert into identity (id, platform, service, remote_id) values ($1, $2, $3, $4)', [
    identityId,
    connector.id,
    service,
    known.remoteId,
  ]);
  await db.execute('insert into lane (identity_id, user_id) values ($1, $2)', [identityId, userId]);
  await db.execute(
    `insert into account (id, user_id, identity_id, platform, username, display_name, status, sandbox, capabilities)
     values ($1, $2, $3, $4, $5, '', 'CONNECTED', true, $6)`,
    [accountId, userId, identityId, connector.id, known.username, known.capabilities],
  );
  const sessions = (http: typeof request): SessionSource => ({
    async open(_accountId, { spend }) {
      return {
        connector,
        capabilities: known.capabilities,
        session: {
          http,
          endpoints,
          service: known.service ?? service,
          remoteId: known.remoteId,
          username: known.username,
          extra: known.extra ?? {},
          choices: Object.fromEntries(
            connector.choices.map((choice) => [
              choice.name,
              known.choices?.[choice.name]?.[0] ?? choice.values[0]?.value ?? '',
            ]),
          ),
          secret: held.tokens.secret,
          app: context.app,
          // Real settling times: the clock is moved anyway.
          sandbox: false,
          spend: budgets ? spend : async () => {},
          now,
        },
      };
    },
    async refresh() {
      const refresh = connector.oauth?.refresh ?? connector.credentials?.refresh;
      if (!refresh) throw new PlatformError({ kind: 'reconnect', detail: 'The account must be connected again.' });
      const fresh = await refresh(contextFor(http), held.tokens);
      held.tokens = { ...fresh, secret: { ...held.tokens.secret, ...fresh.secret } };
    },
    async refused() {
      await db.execute(`update account set status = 'EXPIRED' where id = $1`, [accountId]);
    },
  });
  return { id: accountId, identityId, sessions };
}

function fail(): never {
  throw new Error('The simulator gave no way to connect.');
}
