/** A database for firing tests, in which accounts, rules and posts are only rows. */
import { loadPlans, type Plans } from '../../src/config/plans.ts';
import type { WatchedPost } from '../../src/connectors/contract.ts';
import { connectors } from '../../src/connectors/registry.ts';
import type { Database } from '../../src/db/database.ts';
import { addFirings, reopenAfterFailure } from '../../src/lineage/firings.ts';
import { claimPlacement, placeRemoved } from '../../src/lineage/placement.ts';
import { setDescription } from '../../src/posts/change-store.ts';
import { createFiringLoop } from '../../src/reposts/firing.ts';
import { addRule } from '../../src/reposts/service.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type AccountRow, type AccountRows, addAccount, addAccounts, addMedia, addPost } from '../harness/rows.ts';

export interface FiringWorld {
  db: TestDatabase;
  plans: Plans;
  newUser(plan?: 'FREE' | 'PRO'): Promise<string>;
  account(userId: string): Promise<AccountRow>;
  /** Adds accounts one after the other. */
  accounts<Count extends number>(userId: string, count: Count): Promise<AccountRows<Count>>;
  rule(userId: string, from: AccountRow, to: readonly AccountRow[]): Promise<string>;
  /** Queues the user's own post. @returns its id, its targets in order, and its video */
  post(
    userId: string,
    to: readonly AccountRow[],
    text?: string,
  ): Promise<{ id: string; targets: string[]; mediaId: string }>;
  /** Does what the publisher does when a post becomes public. @param at its times as SQL; default: now */
  posted(targetId: string, db?: Database, at?: { published?: string; sent?: string }): Promise<void>;
  /** Does what the publisher does when a target fails. @param what.wasPublished its post was public and was removed */
  failed(targetId: string, code: string, what?: { unproven?: boolean; wasPublished?: boolean }): Promise<void>;
  /** What accounts show, by account id, when rules read them. */
  shown: Map<string, WatchedPost[]>;
  /** Fires every due rule. */
  fire(db?: Database): Promise<void>;
  errors: unknown[];
}

export async function createFiringWorld(): Promise<FiringWorld> {
  const db = await createTestDatabase();
  const plans = loadPlans(undefined);
  const errors: unknown[] = [];
  const world: FiringWorld = {
    db,
    plans,
    errors,
    async newUser(plan = 'PRO') {
      const [row] = await db.query<{ id: string }>(
        `insert into auth."user" (name, email, plan) values ('U', uuid_v7()::text, $1) returning id`,
        [plan],
      );
      return row?.id ?? '';
    },
    async account(userId) {
      const account = await addAccount(db, userId);
      await db.execute('update account set capabilities = $2 where id = $1', [
        account.id,
        JSON.stringify(connectors.tiktok?.capabilities),
      ]);
      return account;
    },
    accounts: (userId, count) => addAccounts(count, () => world.account(userId)),
    rule: (userId, from, to) =>
      addRule({ db, config: { plans, sandbox: true }, connectors }, userId, {
        from: from.id,
        to: to.map(({ id }) => id),
      }),
    async post(userId, to, text = 'Sunset run') {
      const media = await addMedia(db, userId);
      const post = await addPost(db, { userId, mediaId: media.id, accounts: to });
      await setDescription(db, post.id, text);
      await db.execute('update post set preview_time_ms = 1500 where id = $1', [post.id]);
      return { ...post, mediaId: media.id };
    },
    async posted(targetId, on = db, { published = 'app_now()', sent = 'app_now()' } = {}) {
      await on.transaction(async (tx) => {
        await tx.execute(
          `update target set state = 'posted', due_at = null, committed_at = ${sent}, published_at = ${published},
             settled_at = app_now(), remote_id = id::text, is_public = true where id = $1`,
          [targetId],
        );
        if (!(await claimPlacement(tx, targetId))) throw new Error('The placement is taken.');
        await addFirings(tx, targetId);
      });
    },
    failed: (targetId, code, { unproven = false, wasPublished = false } = {}) =>
      db.transaction(async (tx) => {
        await tx.query(
          'select from lane where identity_id = (select identity_id from target where id = $1) for update',
          [targetId],
        );
        await tx.execute(
          `update target set state = 'failed', code = $2, unproven = $3, due_at = null, settled_at = app_now()
           where id = $1`,
          [targetId, code, unproven],
        );
        if (wasPublished) await placeRemoved(tx, targetId);
        await reopenAfterFailure(tx, [targetId]);
      }),
    shown: new Map(),
    async fire(on = db) {
      const loop = createFiringLoop({
        db: on,
        config: { plans },
        connectors,
        downloads: false,
        wake: () => {},
        onFile: () => {},
        findShown: async () => world.shown,
        onError: (error) => errors.push(error),
      });
      while ((await loop.runOnce()) > 0);
    },
  };
  return world;
}
