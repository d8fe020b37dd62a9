/** A service for tests of rules by HTTP. Content and files are rows; the test fires the rules. */
import type { JsonObject, Session, WatchedPost } from '../../src/connectors/contract.ts';
import { connectors } from '../../src/connectors/registry.ts';
import type { Database } from '../../src/db/database.ts';
import { HOUR, MINUTE } from '../../src/lib/time.ts';
import { addFirings } from '../../src/lineage/firings.ts';
import { claimPlacement } from '../../src/lineage/placement.ts';
import { createFiringLoop } from '../../src/reposts/firing.ts';
import { boundedList } from '../../src/watching/bounded-list.ts';
import { noteMissing } from '../../src/watching/checked-store.ts';
import { dueFound } from '../../src/watching/found-post-store.ts';
import { matchFound } from '../../src/watching/match-posts.ts';
import { dueFiles, failFile, finishFile } from '../../src/watching/source-file-store.ts';
import { storePosts, type WatchRow } from '../../src/watching/watch-store.ts';
import { type AccountRow, addMedia } from '../harness/rows.ts';
import type { ServiceOptions, TestService, TestUser } from '../harness/service.ts';
import { addReadyAccount, queuePost, startPostService } from '../post/world.ts';

/** An item of the activity, as the API shows it. */
export interface Item {
  id: string;
  status: string;
  reason: string;
  text: string;
  caption: string;
  waitingUntil?: string;
  postId?: string;
  repostable: boolean;
  sourceDeletedAt?: string;
  sourceEditedAt?: string;
  origin: string;
}

export interface RuleWorld {
  service: TestService;
  errors: unknown[];
  account(user: TestUser, platform?: string): Promise<AccountRow>;
  /** Adds a rule and returns its id. */
  rule(user: TestUser, from: AccountRow, to: readonly AccountRow[], options?: object): Promise<string>;
  /** Posts on an account through the service and publishes it there. @param options for this account */
  own(user: TestUser, on: AccountRow, text?: string, options?: JsonObject): Promise<string>;
  /** Does what the publisher does when the one target of a post is posted. */
  publish(postId: string): Promise<void>;
  /** Lets a watched account have posts that were made with another client. */
  foreign(on: AccountRow, ...posts: Partial<WatchedPost>[]): Promise<void>;
  /** Ends the downloads that were requested. @param problem absent: they succeed */
  download(user: TestUser, problem?: Parameters<typeof failFile>[2]): Promise<number>;
  /** Fires every due rule. */
  fire(): Promise<void>;
  /** Fires, downloads and fires again. */
  settle(user: TestUser): Promise<void>;
  activity(user: TestUser, ruleId: string): Promise<Item[]>;
  /** Ends the reposts of a user on an account. */
  settleReposts(user: TestUser, on: AccountRow, state: 'posted' | 'failed', detail?: string): Promise<void>;
  /** Two checks of a source do not find its posts. */
  removeAll(from: AccountRow): Promise<void>;
  /** The user's reposts, newest first. */
  reposts(user: TestUser): Promise<{ description: string; result: { id: string; message?: string }[] }[]>;
  /** The texts of the user's reposts, newest first. */
  texts(user: TestUser): Promise<string[]>;
  /** Moves the clock of the database forward to a time. */
  until(time: string | number): Promise<void>;
}

interface SentRow {
  id: string;
  options: JsonObject;
  platform: string;
  choices: Record<string, string>;
  extra: JsonObject;
}

export async function createRuleWorld(options: ServiceOptions = {}): Promise<RuleWorld> {
  const service = await startPostService(options);
  const { db, context } = service;
  const errors: unknown[] = [];
  let posts = 0;
  const world: RuleWorld = {
    service,
    errors,
    account: (user, platform = 'mastodon') => addReadyAccount(db, user.userId, { platform }),
    async rule(user, from, to, given) {
      const response = await user.post('/repost/add', {
        from: from.id,
        to: to.map(({ id }) => id),
        ...(given ? { options: given } : {}),
      });
      if (response.status !== 200) throw new Error(JSON.stringify(response.body));
      return response.body.id;
    },
    async own(user, on, text = 'From here', options = {}) {
      const postId = await queuePost(service, user.userId, [on], { description: text, options: { [on.id]: options } });
      await db.execute(`update media set state = 'stored' where id = (select media_id from post where id = $1)`, [
        postId,
      ]);
      await world.publish(postId);
      return postId;
    },
    publish: (postId) => publishTarget(db, postId),
    async foreign(on, ...given) {
      const [watch] = await db.query<WatchRow>(
        'select w.* from watch w join identity d on d.watch_id = w.id where d.id = $1',
        [on.identityId],
      );
      if (!watch) throw new Error('The account is not watched.');
      const at = (await db.clock.now()).getTime();
      const made = given.map((post) => ({
        remoteId: `remote-${++posts}`,
        publishedAt: at,
        text: 'From my phone',
        url: `https://social.example/${posts}`,
        durationMs: 5_000,
        width: 1080,
        height: 1920,
        isPublic: true,
        file: { url: 'https://social.example/file' },
        ...post,
      }));
      const { list } = boundedList({ list: async () => ({ posts: made, next: '' }) });
      const page = await list({} as Session, { cursor: '', since: 0, mark: null });
      await storePosts(db, watch, page.posts, at);
      for (const claim of await dueFound.claim(db, { limit: 1_000, leaseMs: 60_000 }))
        await matchFound({ db, sealer: context.sealer, onFirings: () => {} }, claim);
    },
    async download(user, problem) {
      const claims = await dueFiles.claim(db, { limit: 1_000, leaseMs: 60_000 });
      for (const claim of claims) {
        if (problem) await failFile(db, claim, problem);
        else await finishFile(db, claim, (await addMedia(db, user.userId)).id);
      }
      return claims.length;
    },
    async fire() {
      const loop = createFiringLoop({
        db,
        config: context.config,
        connectors: context.connectors,
        downloads: false,
        findShown: async () => new Map(),
        wake: () => {},
        onFile: () => {},
        onError: (error) => errors.push(error),
      });
      while ((await loop.runOnce()) > 0);
    },
    async settle(user) {
      await world.fire();
      await world.download(user);
      await world.fire();
    },
    async activity(user, ruleId) {
      return (await user.get(`/repost/${ruleId}/activity`)).body.data;
    },
    async settleReposts({ userId }, on, state, detail) {
      await db.execute(
        `update target t set state = $3, detail = $4, code = case when $3 = 'failed' then 'platform_error' end,
           due_at = null
         from post p where p.id = t.post_id and p.user_id = $1 and p.is_repost and t.account_id = $2`,
        [userId, on.id, state, detail ?? null],
      );
    },
    async removeAll(from) {
      const [watch] = await db.query<{ id: string }>('select watch_id as id from identity where id = $1', [
        from.identityId,
      ]);
      for (let check = 0; check < 2; check++) {
        await db.clock.advance(MINUTE);
        const startedAt = (await db.clock.now()).getTime();
        await noteMissing(db, watch?.id ?? '', { listed: [], since: startedAt - HOUR, startedAt });
      }
    },
    async reposts(user) {
      const { data } = (await user.get('/post/history')).body;
      const made = await db.query<{ id: string }>('select id from post where user_id = $1 and is_repost', [
        user.userId,
      ]);
      return data.filter(({ id }: { id: string }) => made.some((each) => each.id === id));
    },
    texts: async (user) => (await world.reposts(user)).map(({ description }) => description),
    until: (time) => db.clock.advanceTo(new Date(time)),
  };
  return world;
}

async function publishTarget(db: Database, postId: string): Promise<void> {
  const [sent] = await db.query<SentRow>(
    `select t.id, t.options, a.platform, a.choices, a.extra from target t join account a on a.id = t.account_id
       where t.post_id = $1`,
    [postId],
  );
  if (!sent) throw new Error('The post has no target.');
  const { id, options, platform, choices, extra } = sent;
  const isPublic = connectors[platform]?.isPublic({
    post: { options },
    session: { choices, extra },
    checkpoint: {},
  });
  await db.transaction(async (tx) => {
    await tx.execute(
      `update target set state = 'posted', due_at = null, committed_at = app_now(), published_at = app_now(),
           settled_at = app_now(), remote_id = id::text, begun_at = app_now(), is_public = $2 where id = $1`,
      [id, isPublic],
    );
    await claimPlacement(tx, id);
    await addFirings(tx, id);
  });
}
