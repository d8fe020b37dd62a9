import type { Queryable } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import { uuidv7 } from '../ids.ts';
import { assertScheduledLeft, countPost } from '../plans/service.ts';
import { lockLanes, lowerLanes } from '../publishing/lanes.ts';
import { chooseAccounts, lockAccounts } from './accounts.ts';
import type { PostFields } from './fields.ts';
import type { Lease } from './idempotency.ts';
import { confirmMedia } from './media-store.ts';
import { countInHistory, insertPost, insertTargets } from './store.ts';
import type { CreatedPost, PostNeeds } from './types.ts';
import type { When } from './when.ts';

export interface PostToWrite {
  postId: string;
  userId: string;
  fields: PostFields;
  when: When;
  previewTimeMs: number;
  mediaId: string;
  /** Of all its accounts, whose lanes are locked. */
  identityIds: readonly string[];
  /** What makes another request the same as this one. */
  content: Buffer;
  lease: Lease | null;
  assertStillAuthorized(tx: Queryable): Promise<void>;
}

/**
 * The one transaction of a new post: all of it becomes true at once, or nothing does. Locks in the order that everyone
 * keeps to: lanes, then accounts, then counters.
 * @throws ReelayError `unauthorized`, `plan_limit_reached`, `idempotency_in_progress`, and as {@link chooseAccounts}
 */
export async function writePost(needs: PostNeeds, post: PostToWrite): Promise<CreatedPost> {
  const { plans, sandbox } = needs.config;
  const { userId, fields, when } = post;
  return needs.db.transaction(async (tx) => {
    await lockLanes(tx, post.identityIds);
    await post.assertStillAuthorized(tx);
    const found = await lockAccounts(tx, userId, fields.platforms);
    const wanted = { ids: fields.platforms, description: fields.description, options: fields.options };
    const accounts = chooseAccounts(found, wanted, { sandbox, connectors: needs.connectors });
    if (when.scheduled) await assertScheduledLeft(tx, plans, userId);
    await countPost(tx, plans, userId);
    const written = { id: post.postId, userId, originId: post.postId };
    const date = await insertPost(tx, {
      ...written,
      mediaId: post.mediaId,
      description: fields.description,
      previewTimeMs: post.previewTimeMs,
      scheduled: when.scheduled,
      at: when.scheduled ? when.at : null,
    });
    const targets = accounts.map(({ id, identityId, caption, options }) => ({
      id: uuidv7(),
      accountId: id,
      identityId,
      caption,
      options,
    }));
    const note = when.scheduled ? `Scheduled for ${date.toISOString()}.` : 'Accepted; it is posted next.';
    await insertTargets(tx, { ...written, date }, targets, note);
    await lowerLanes(tx, post.identityIds, userId);
    await countInHistory(tx, userId);
    if (!(await confirmMedia(tx, post.mediaId))) throw new ReelayError('storage_unavailable');
    const answer: CreatedPost = {
      historyId: post.postId,
      scheduled: when.scheduled,
      date: date.toISOString(),
      result: accounts.map(({ id }) => ({ platformId: id, status: 'PENDING' })),
    };
    await post.lease?.complete(tx, post.content, answer);
    tx.afterCommit(needs.wake);
    return answer;
  });
}
