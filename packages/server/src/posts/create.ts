/** Stores a post that was received and checked: its files, and the rows that publishers claim. */
import { removeDraft } from '../drafts/draft-store.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { assertStillAuthorized, type Credential } from '../keys/credential.ts';
import { isUuid, uuidv7 } from '../lib/ids.ts';
import { announceMedia, confirmMedia } from '../media/media-store.ts';
import { say } from '../messages/timeline.ts';
import { countInHistory } from '../plans/plan-store.ts';
import { assertScheduledLeft, countPost } from '../plans/service.ts';
import { lockLanes, lowerLanes } from '../queue/lane-locks.ts';
import { useUpload } from '../uploads/posting.ts';
import { chooseAccounts } from './accounts.ts';
import type { Lease } from './idempotency.ts';
import { adoptFiles, discardVideo, type StoredVideo } from './keep-video.ts';
import { orderRenditions } from './order-renditions.ts';
import { findAccounts, insertPost, insertTargets, lockAccounts } from './post-store.ts';
import { type PreparedVideo, previewTimeMs } from './prepare.ts';
import type { When } from './schedule.ts';
import type { CreatedPost, PostDeps, PostFields } from './types.ts';

/** A checked post, without its video. */
export interface NewPostRequest {
  /** Verified again in the transaction that writes the post. */
  credential: Credential;
  fields: PostFields;
  when: When;
  /** Hash that identifies equal requests. */
  content: Buffer;
  lease: Lease | null;
}

/**
 * Moves the files of the video into the storage and writes the post; undoes both on any failure. Never waits for a
 * platform.
 * @param video in the scratch folder
 * @param signal aborted when the client disconnects
 * @throws ReelayError `storage_full`, `storage_unavailable`, and as {@link writePost}
 */
export async function createPost(
  deps: PostDeps,
  request: NewPostRequest,
  video: PreparedVideo,
  signal: AbortSignal,
): Promise<CreatedPost> {
  signal.throwIfAborted();
  const { sha256, facts } = video;
  const media: StoredVideo = { id: uuidv7(), facts };
  await announceMedia(deps.db, { ...media, userId: request.credential.userId, sha256 });
  try {
    await adoptFiles(deps.storage, media.id, video);
    signal.throwIfAborted();
    return await writePost(deps, request, media);
  } catch (error) {
    await discardVideo(deps, media.id);
    throw error;
  }
}

/**
 * Writes a new post in one transaction, all or nothing. Lock order: lanes, then accounts, then counters.
 * @throws ReelayError `unauthorized`, `account_suspended`, `plan_limit_reached`, `idempotency_in_progress`,
 * `upload_used`, and as {@link chooseAccounts}
 */
export async function writePost(
  deps: PostDeps,
  { credential, fields, when, content, lease }: NewPostRequest,
  media: StoredVideo,
): Promise<CreatedPost> {
  const { db, config, connectors } = deps;
  const { plans, sandbox } = config;
  const { userId } = credential;
  const { platforms: ids, description, options, previewTime, source } = fields;
  const postId = uuidv7();
  const identityIds = (await findAccounts(db, userId, ids)).map(({ identityId }) => identityId);
  return db.transaction(async (tx) => {
    await lockLanes(tx, identityIds);
    await assertStillAuthorized(tx, credential);
    const found = await lockAccounts(tx, userId, ids);
    const accounts = chooseAccounts(found, { ids, description, options }, { sandbox, connectors });
    if (when.scheduled) await assertScheduledLeft(tx, plans, userId);
    await countPost(tx, plans, userId);
    const post = { id: postId, userId, originId: postId };
    const date = await insertPost(tx, {
      ...post,
      mediaId: media.id,
      description,
      previewTimeMs: previewTimeMs(previewTime, media.facts),
      scheduled: when.scheduled,
      at: when.scheduled ? when.at : null,
    });
    const renditions = await orderRenditions(tx, media, accounts);
    const targets = accounts.map(({ id, identityId, caption, options }) => ({
      id: uuidv7(),
      accountId: id,
      identityId,
      caption,
      options,
      rendition: renditions.get(id) ?? null,
    }));
    const note = when.scheduled ? say('scheduled', { dueAt: date.getTime() }) : say('queued');
    await insertTargets(tx, { ...post, date, text: description }, targets, note);
    await lowerLanes(tx, identityIds, userId);
    await countInHistory(tx, userId);
    if (source && 'uploadId' in source)
      await useUpload(tx, { userId, uploadId: source.uploadId, postId, mediaId: media.id });
    if (!(await confirmMedia(tx, media.id))) throw new ReelayError('storage_unavailable');
    const created: CreatedPost = {
      historyId: postId,
      scheduled: when.scheduled,
      date: date.toISOString(),
      result: accounts.map(({ id }) => ({ platformId: id, status: 'PENDING' })),
    };
    await lease?.complete(tx, content, created);
    // The draft of this post: its id is the key.
    if (lease && isUuid(lease.key)) await removeDraft(tx, userId, lease.key);
    tx.afterCommit(deps.wake);
    return created;
  });
}
