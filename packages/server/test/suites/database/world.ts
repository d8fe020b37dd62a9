/** A complete service in virtual time with an injectable database, and users, accounts and posts for scenarios. */
import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { COVER } from '../../../../sandbox/test/harness/cover.ts';
import { loadPlans } from '../../../src/config/plans.ts';
import { generateKey } from '../../../src/keys/service.ts';
import { uuidv7 } from '../../../src/lib/ids.ts';
import { hashFile } from '../../../src/media/hash-file.ts';
import { announceMedia, confirmMedia, placesOf } from '../../../src/media/media-store.ts';
import type { MessageRef } from '../../../src/messages/message.ts';
import { lockLanes, lowerLanes } from '../../../src/queue/lane-locks.ts';
import { renderMessage } from '../../harness/message.ts';
import { pad } from '../../harness/pad.ts';
import { type AccountRow, addPost } from '../../harness/rows.ts';
import { type SessionUser, startService, type TestService } from '../../harness/service.ts';
import { injectStatementFaults, type StatementFaults } from '../../harness/statement-faults.ts';
import { startVirtualTime, type VirtualTime } from '../../harness/virtual-time.ts';
import { makeVideo } from '../../media/fixtures.ts';

/** A user with a stored video that every platform accepts. */
export interface Poster {
  userId: string;
  mediaId: string;
}

export interface Owner extends Poster, SessionUser {
  /** API key. */
  key: string;
}

export interface Account extends AccountRow {
  platform: string;
}

export interface QueuedPost {
  postId: string;
  /** In the order of the accounts. */
  targets: string[];
  /** Unique among posts. */
  text: string;
}

export interface DatabaseWorld {
  service: TestService;
  time: VirtualTime;
  faults: StatementFaults;
  /** The user under test, and one who only posts in parallel. */
  owner: Owner;
  bystander: { user: Poster; account: Account };
  /**
   * Stores a video for a user.
   * @param path default: an acceptable video
   */
  store(userId: string, path?: string): Promise<string>;
  /** @param username default: a unique one */
  connect(user: Pick<Poster, 'userId'>, platform: string, username?: string): Promise<Account>;
  /** The same account in every case, as long as it has access. */
  accountOn(platform: string): Promise<Account>;
  /** Queues a post that is due now, without waking the worker. */
  queue(user: Poster, accounts: readonly Account[], mediaId?: string): Promise<QueuedPost>;
  target(id: string): Promise<TargetRow>;
  timeline(id: string): Promise<string>;
  /** How often a text was published on a platform. */
  published(platform: string, text: string): Promise<number>;
  text(): string;
  close(): Promise<void>;
}

export interface TargetRow {
  state: string;
  code: string | null;
  detail: string | null;
}

const PLANS = loadPlans(undefined);
/** Hundreds of cases connect an account and post. */
const UNLIMITED = { ...PLANS.PRO, connectedAccounts: 1_000_000, postsPerMonth: 1_000_000, rules: 1_000_000 };

export async function createDatabaseWorld(): Promise<DatabaseWorld> {
  const clocks = startVirtualTime();
  let service: TestService;
  try {
    service = await startService({ config: { leastFreeBytes: 0, plans: { ...PLANS, PRO: UNLIMITED } } });
  } catch (error) {
    clocks.end();
    throw error;
  }
  const { db, context } = service;
  const { pool } = context.db;
  const [idle] = await context.db.query<{ ms: number }>(
    `select setting::integer as ms from pg_settings where name = 'idle_in_transaction_session_timeout'`,
  );
  const faults = injectStatementFaults(pool, {
    // Simulated platforms keep their store in the same database, which is not under test.
    ignore: (text) => text.includes('sandbox.'),
    terminate: (pid) => db.execute('select pg_terminate_backend($1)', [pid]),
    idleTransactionMs: idle?.ms || Number.POSITIVE_INFINITY,
  });
  const time = await clocks.attach({ db, work: faults.work });
  const { storage, accounts, media } = context;
  let texts = 0;
  const text = () => `Sunset run ${++texts}`;
  const video = await makeVideo({ seconds: 6, width: 540, height: 960, fps: 25, picture: 'plain' });

  const store: DatabaseWorld['store'] = async (userId, path) => {
    const id = uuidv7();
    const copy = join(storage.scratch, id);
    await copyFile(path ?? video, copy);
    // Some platforms reject files smaller than 75 kB.
    if (!path) await pad(copy, 80_000);
    const sha256 = await hashFile(copy);
    const facts = await media.of(userId).check(copy, { sha256 });
    await announceMedia(db, { id, userId, sha256, facts });
    const places = placesOf(id);
    await storage.adopt(places.video, copy);
    await storage.put(places.picture, Readable.from([COVER]));
    await confirmMedia(db, id);
    await rm(copy, { force: true });
    return id;
  };
  const withVideo = async <User extends { userId: string }>(user: User): Promise<User & Poster> => {
    const mediaId = await store(user.userId);
    // A post prevents the video from being swept.
    await addPost(db, { userId: user.userId, mediaId, accounts: [] });
    return { ...user, mediaId };
  };
  const connect: DatabaseWorld['connect'] = async ({ userId }, platform, username = `nora-${text().slice(-6)}`) => {
    const request = { userId, platform, username: username.replaceAll(/\W/g, '_'), privacy: 'public', actor: 'test' };
    const [made] = await accounts.connectSandbox(request);
    const [row] = await db.query<AccountRow>('select id, identity_id as "identityId" from account where id = $1', [
      made?.id,
    ]);
    if (!row) throw new Error(`${platform} gave no way to connect.`);
    return { ...row, platform };
  };
  const session = await withVideo(await service.newSession());
  const owner = { ...session, key: await generateKey(db, session.userId) };
  const other = await withVideo(await service.newUser());
  const known = new Map<string, Account>();
  return {
    service,
    time,
    faults,
    owner,
    bystander: { user: other, account: await connect(other, 'telegram', 'beside') },
    store,
    connect,
    async accountOn(platform) {
      const found = known.get(platform) ?? (await connect(owner, platform));
      known.set(platform, found);
      return found;
    },
    async queue({ userId, mediaId }, to, video = mediaId) {
      const said = text();
      const ids = to.map(({ identityId }) => identityId);
      return db.transaction(async (tx) => {
        await lockLanes(tx, ids);
        const { id, targets } = await addPost(tx, { userId, mediaId: video, accounts: to });
        await tx.execute('update post set description = $2 where id = $1', [id, said]);
        await lowerLanes(tx, ids, userId);
        return { postId: id, targets, text: said };
      });
    },
    async target(id) {
      const [row] = await db.query<TargetRow>('select state, code, detail from target where id = $1', [id]);
      return row ?? { state: 'gone', code: null, detail: null };
    },
    async timeline(id) {
      const rows = await db.query<{ event: string } & MessageRef>(
        'select event, code, params from timeline where target_id = $1 order by id',
        [id],
      );
      return rows.map((row) => `${row.event}: ${renderMessage(row)}`).join(' | ');
    },
    async published(platform, wanted) {
      const [row] = await db.query<{ count: number }>(
        `select count(*)::integer from sandbox.published
         where platform = $1 and entry->>'text' = $2 and not removed`,
        [platform, wanted],
      );
      return row?.count ?? 0;
    },
    text,
    async close() {
      faults.clear();
      clocks.end();
      await service.close();
    },
  };
}
