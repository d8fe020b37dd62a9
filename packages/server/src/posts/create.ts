/** Stores a post that was received and checked: its files, and the rows that publishers claim. */
import type { Queryable } from '../db/database.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { assertStillAuthorized, type Credential } from '../keys/credential.ts';
import { uuidv7 } from '../lib/ids.ts';
import { announceMedia, confirmMedia } from '../media/media-store.ts';
import { orderRendition } from '../media/rendition/rendition-store.ts';
import type { Message } from '../messages/message.ts';
import { say } from '../messages/timeline.ts';
import { countInHistory } from '../plans/plan-store.ts';
import { assertScheduledLeft, countPost } from '../plans/service.ts';
import { chooseFile } from '../publishing/choose-file.ts';
import { lockLanes, lowerLanes } from '../queue/lane-locks.ts';
import { useUpload } from '../uploads/posting.ts';
import { chooseAccounts } from './accounts.ts';
import type { Lease } from './idempotency.ts';
import { adoptFiles, discardVideo, type StoredVideo } from './keep-video.ts';
import { findAccounts, insertPost, insertTargets, lockAccounts, type PostAccount } from './post-store.ts';
import type { PreparedVideo } from './prepare.ts';
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
      previewTimeMs: Math.min(Math.round(previewTime * 1000), media.facts.durationMs),
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
    if (source && 'uploadId' in source) await useUpload(tx, { userId, uploadId: source.uploadId, postId });
    if (!(await confirmMedia(tx, media.id))) throw new ReelayError('storage_unavailable');
    const created: CreatedPost = {
      historyId: postId,
      scheduled: when.scheduled,
      date: date.toISOString(),
      result: accounts.map(({ id }) => ({ platformId: id, status: 'PENDING' })),
    };
    await lease?.complete(tx, content, created);
    tx.afterCommit(deps.wake);
    return created;
  });
}

/**
 * Queues the renditions that the accounts' platforms need, so that they are made while the post waits. The publisher
 * handles later changes and videos that cannot be converted.
 * @returns renditions by account id
 */
async function orderRenditions(
  tx: Queryable,
  { id: mediaId, facts }: StoredVideo,
  accounts: readonly Pick<PostAccount, 'id' | 'capabilities'>[],
): Promise<Map<string, { id: string; why: Message }>> {
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
      return id ? [[account, { id, why: say('file_converting', { reason: why }) }] as const] : [];
    }),
  );
}
