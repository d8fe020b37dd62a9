import type { Queryable } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import { uuidv7 } from '../ids.ts';
import { confirmMedia } from '../media/media-store.ts';
import type { VideoFacts } from '../media/types.ts';
import { countInHistory } from '../plans/history-counter.ts';
import { assertScheduledLeft, countPost } from '../plans/service.ts';
import { chooseFile } from '../publishing/file.ts';
import { CONVERTED } from '../publishing/waits.ts';
import { lockLanes, lowerLanes } from '../queue/lane-locks.ts';
import { orderRendition } from '../renditions/store.ts';
import { useUpload } from '../uploads/posting.ts';
import { chooseAccounts, lockAccounts, type PostAccount } from './accounts.ts';
import type { PostFields } from './fields.ts';
import type { Lease } from './idempotency.ts';
import { insertPost, insertTargets } from './store.ts';
import type { CreatedPost, PostNeeds } from './types.ts';
import type { When } from './when.ts';

export interface PostToWrite {
  postId: string;
  userId: string;
  fields: PostFields;
  when: When;
  previewTimeMs: number;
  mediaId: string;
  /** Facts of its video. */
  facts: VideoFacts;
  /** Identities of all its accounts, whose lanes are locked. */
  identityIds: readonly string[];
  /** Hash that identifies equal requests. */
  content: Buffer;
  lease: Lease | null;
  assertStillAuthorized(tx: Queryable): Promise<void>;
}

/**
 * Writes a new post in one transaction, all or nothing. Lock order: lanes, then accounts, then counters.
 * @throws ReelayError `unauthorized`, `plan_limit_reached`, `idempotency_in_progress`, `upload_used`, and as {@link
 * chooseAccounts}
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
    const renditions = await orderFor(tx, post, accounts);
    const targets = accounts.map(({ id, identityId, caption, options }) => ({
      id: uuidv7(),
      accountId: id,
      identityId,
      caption,
      options,
      rendition: renditions.get(id) ?? null,
    }));
    const note = when.scheduled ? `Scheduled for ${date.toISOString()}.` : 'Accepted; it is posted next.';
    await insertTargets(tx, { ...written, date }, targets, note);
    await lowerLanes(tx, post.identityIds, userId);
    await countInHistory(tx, userId);
    const { source } = fields;
    if (source && 'uploadId' in source) await useUpload(tx, { userId, uploadId: source.uploadId, postId: post.postId });
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

/**
 * Queues the renditions that the accounts' platforms need, so that they are made while the post waits. The publisher
 * handles later changes and videos that cannot be converted.
 * @returns renditions by account id
 */
async function orderFor(
  tx: Queryable,
  { mediaId, facts }: PostToWrite,
  accounts: readonly Pick<PostAccount, 'id' | 'capabilities'>[],
): Promise<Map<string, { id: string; why: string }>> {
  const ordered = accounts.flatMap(({ id, capabilities }) => {
    const choice = chooseFile(capabilities, facts, null);
    return choice.file === 'order' ? [{ account: id, ...choice }] : [];
  });
  const ids = new Map<string, string>();
  // Same order in every transaction, to avoid deadlocks.
  for (const { wanted } of ordered.toSorted((a, b) => (a.wanted.key < b.wanted.key ? -1 : 1)))
    ids.set(wanted.key, ids.get(wanted.key) ?? (await orderRendition(tx, mediaId, wanted)));
  return new Map(
    ordered.flatMap(({ account, wanted, why }) => {
      const id = ids.get(wanted.key);
      return id ? [[account, { id, why: `${CONVERTED} ${why}` }] as const] : [];
    }),
  );
}
