/**
 * Edits a post that has not started, all or nothing: its video or cover is prepared first, then one transaction writes
 * all changes. It locks lanes before it reads states, so that an edit and a worker's claim, or two changes, are serialized.
 */
import type { Queryable, Transaction } from '../db/database.ts';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { assertStillAuthorized, type Credential } from '../keys/credential.ts';
import { isUuid, uuidv7 } from '../lib/ids.ts';
import { confirmMedia, releaseMedia } from '../media/media-store.ts';
import { readSourceVideo } from '../media/rendition/rendition-store.ts';
import type { Adjustments } from '../media/types.ts';
import type { Message } from '../messages/message.ts';
import { say } from '../messages/timeline.ts';
import { assertScheduledLeft } from '../plans/service.ts';
import { appendTimeline } from '../publishing/timeline-store.ts';
import { lowerLanes } from '../queue/lane-locks.ts';
import { useUpload } from '../uploads/posting.ts';
import { waitingTargets } from './cancel.ts';
import { type LockedPost, type LockedTarget, lockPost, moveTargets, setDate, setDescription } from './change-store.ts';
import { refuseLongDescription } from './description.ts';
import { type AccountEdit, accountsOf, type PlannedAccount, planAccounts } from './edit-plan.ts';
import { keepTargets, orderTargets, setTargets, setThumbnail, setVideo } from './edit-store.ts';
import { type NewVideo, withNewVideo } from './edit-video.ts';
import type { StoredVideo } from './keep-video.ts';
import { type OrderedRendition, orderRenditions } from './order-renditions.ts';
import { databaseNow, findAccounts, insertTargets, lockAccounts, type PostAccount } from './post-store.ts';
import { whenToPost } from './schedule.ts';
import type { PostDeps } from './types.ts';

/** What is changed; absent: unchanged. */
export interface Edit extends AccountEdit {
  /** ms since the epoch; null: now */
  scheduled?: number | null | undefined;
  /** Time of the cover, in seconds. Absent with a new video: 0. */
  previewTime?: number | undefined;
  /** A finished upload that replaces the video. */
  uploadId?: string | undefined;
  /** What is made of the new video. */
  adjustments?: Adjustments | undefined;
}

export interface EditRequest {
  credential: Credential;
  postId: string;
  edit: Edit;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/**
 * Changes a post that has not started.
 * @throws ReelayError `unknown_post`, `not_editable`, `invalid_request`, `caption_too_long`, `scheduled_in_past`,
 * `scheduled_too_far`, `plan_limit_reached`; for accounts those of {@link planAccounts}, for a video those of
 * {@link withNewVideo}
 */
export async function editPost(deps: PostDeps, { credential, postId, edit, signal }: EditRequest): Promise<void> {
  const { userId } = credential;
  if (!isUuid(postId)) throw new ReelayError('unknown_post');
  if (edit.description !== undefined) refuseLongDescription(edit.description);
  const write = (video: NewVideo | null) => writeEdit(deps, { credential, postId, edit, video });
  if (edit.uploadId === undefined && edit.previewTime === undefined) return write(null);
  // What can be refused without the video is refused before it is read.
  const check = async (post: LockedPost) => {
    const waiting = editable(post, edit);
    whenToPost(edit.scheduled ?? null, await databaseNow(deps.db));
    plan(deps, { post, waiting, edit, found: await findAccounts(deps.db, userId, accountsOf(waiting, edit)) });
  };
  await withNewVideo(deps, { userId, postId, edit, signal, check }, write);
}

/** The targets that have not started. @throws ReelayError `not_editable` */
function editable(post: LockedPost, edit: Edit): LockedTarget[] {
  const waiting = waitingTargets(post);
  if (waiting.length === 0) throw new ReelayError('not_editable');
  const { platforms, previewTime, uploadId } = edit;
  const isOfRule = (platforms ?? previewTime ?? uploadId) !== undefined;
  if (post.isRepost && isOfRule) throw apiError('repost_not_editable');
  return waiting;
}

interface WrittenEdit extends Omit<EditRequest, 'signal'> {
  video: NewVideo | null;
}

/** Lock order: lanes, targets and post, accounts, video, counters. */
async function writeEdit(deps: PostDeps, { credential, postId, edit, video }: WrittenEdit): Promise<void> {
  const { db } = deps;
  const { userId } = credential;
  const others = edit.platforms ? await findAccounts(db, userId, edit.platforms) : [];
  await db.transaction(async (tx) => {
    const lanes = others.map(({ identityId }) => identityId);
    const post = await lockPost(tx, userId, postId, lanes);
    if (!post) throw new ReelayError('unknown_post');
    // Preparing a video takes minutes.
    if (video) await assertStillAuthorized(tx, credential);
    const waiting = editable(post, edit);
    const media = video?.kind === 'video' ? video.media : null;
    const planned = await planIn(tx, deps, { userId, post, waiting, edit, needsAccounts: media !== null });
    if (edit.description !== undefined) await setDescription(tx, postId, edit.description);
    const moved = edit.scheduled === undefined ? null : await editDate(tx, deps, userId, post, edit.scheduled);
    const { isScheduled, date } = moved ?? { isScheduled: post.scheduled, date: post.date };
    const kept = waiting.filter(({ id }) => !planned || planned.some(({ target }) => target?.id === id));
    const ids = kept.map(({ id }) => id);
    await moveTargets(tx, ids, moved?.date ?? null);
    const messages: Message[] = [
      ...(edit.description === undefined ? [] : [say('description_changed')]),
      ...(moved ? [say('time_changed', { dueAt: date.getTime() })] : []),
      ...(video ? [say(video.kind === 'video' ? 'video_changed' : 'cover_changed')] : []),
    ];
    await appendTimeline(tx, ids, messages.map(edited));
    const text = edit.description ?? post.description;
    if (planned) await writeAccounts(tx, { userId, post, edit, planned, media, text, isScheduled, date });
    if (video) await writeVideo(tx, { userId, post, video });
    await lowerLanes(tx, [...kept.map(({ identityId }) => identityId), ...lanes], userId);
    tx.afterCommit(deps.wake);
  });
}

const edited = (message: Message) => ({ event: 'edited', message });

interface ToPlan {
  userId: string;
  post: LockedPost;
  waiting: readonly LockedTarget[];
  edit: Edit;
  /** The accounts' files must be chosen again. */
  needsAccounts: boolean;
}

/** @returns null if the edit concerns no account */
async function planIn(
  tx: Queryable,
  deps: PostDeps,
  { userId, post, waiting, edit, needsAccounts }: ToPlan,
): Promise<PlannedAccount[] | null> {
  const { description, platforms, options } = edit;
  if ((description ?? platforms ?? options) === undefined && !needsAccounts) return null;
  const read = platforms ? lockAccounts : findAccounts;
  return plan(deps, { post, waiting, edit, found: await read(tx, userId, accountsOf(waiting, edit)) });
}

function plan(
  { config, connectors }: PostDeps,
  { post, waiting, edit, found }: Pick<ToPlan, 'post' | 'waiting' | 'edit'> & { found: readonly PostAccount[] },
): PlannedAccount[] {
  return planAccounts(post, waiting, edit, found, { sandbox: config.sandbox, connectors });
}

interface ToWrite {
  userId: string;
  post: LockedPost;
  edit: Edit;
  planned: readonly PlannedAccount[];
  /** The new video. */
  media: StoredVideo | null;
  /** The description after the edit. */
  text: string;
  isScheduled: boolean;
  date: Date;
}

/** Removes, changes and adds targets. */
async function writeAccounts(tx: Transaction, write: ToWrite): Promise<void> {
  const { userId, post, edit, planned, media, text, isScheduled, date } = write;
  const added = planned.filter(({ target }) => target === null);
  const kept = planned.flatMap(({ target, ...account }) => (target ? [{ ...account, target }] : []));
  if (edit.platforms)
    await keepTargets(
      tx,
      post.id,
      kept.map(({ target }) => target.id),
    );
  const ordered = await orderFiles(tx, post, media, media ? planned : added);
  const changed = kept.filter(({ changes }) => changes || media !== null);
  await setTargets(
    tx,
    { text, isNewVideo: media !== null },
    changed.map(({ id, target, caption, options }) => ({
      id: target.id,
      caption,
      options,
      renditionId: ordered.get(id)?.id ?? null,
    })),
  );
  const withOptions = changed.filter(({ changes }) => changes).map(({ target }) => target.id);
  await appendTimeline(tx, withOptions, [edited(say('options_changed'))]);
  for (const { why, targetIds } of filesOf(changed, ordered))
    await appendTimeline(tx, targetIds, [{ event: 'rendition', message: why }]);
  await insertTargets(
    tx,
    { id: post.id, userId, originId: post.id, date, text, first: planned.length },
    added.map(({ id, identityId, caption, options }) => ({
      ...{ id: uuidv7(), accountId: id, identityId, caption, options },
      rendition: ordered.get(id) ?? null,
    })),
    isScheduled ? say('scheduled', { dueAt: date.getTime() }) : say('queued'),
  );
  if (edit.platforms)
    await orderTargets(
      tx,
      post.id,
      planned.map(({ id }) => id),
    );
}

/** The renditions of kept targets. Pure. */
function filesOf(
  accounts: readonly { id: string; target: LockedTarget }[],
  ordered: ReadonlyMap<string, OrderedRendition>,
): { why: Message; targetIds: string[] }[] {
  const files = new Map<string, { why: Message; targetIds: string[] }>();
  for (const { id, target } of accounts) {
    const rendition = ordered.get(id);
    if (!rendition) continue;
    const { why, targetIds } = files.get(rendition.id) ?? { why: rendition.why, targetIds: [] };
    files.set(rendition.id, { why, targetIds: [...targetIds, target.id] });
  }
  return [...files.values()];
}

/** Queues the renditions that accounts need of a post's video. @returns renditions by account id */
async function orderFiles(
  tx: Transaction,
  { mediaId }: LockedPost,
  media: StoredVideo | null,
  accounts: readonly PlannedAccount[],
): Promise<Map<string, OrderedRendition>> {
  if (accounts.length === 0) return new Map();
  const source = media ?? (await readSourceVideo(tx, mediaId));
  if (!source) throw new ReelayError('video_gone');
  return orderRenditions(tx, { id: media?.id ?? mediaId, facts: source.facts }, accounts);
}

/** Gives the post its new video or cover. */
async function writeVideo(
  tx: Transaction,
  { userId, post, video }: { userId: string; post: LockedPost; video: NewVideo },
): Promise<void> {
  const { previewTimeMs } = video;
  if (video.kind === 'cover') {
    // Another edit may have replaced the video meanwhile.
    if (post.mediaId !== video.mediaId) throw apiError('video_changed_meanwhile');
    await setVideo(tx, post.id, { mediaId: video.mediaId, previewTimeMs });
    return setThumbnail(tx, video.mediaId, video.thumbnail);
  }
  await useUpload(tx, { userId, uploadId: video.uploadId, postId: post.id, mediaId: video.media.id });
  if (!(await confirmMedia(tx, video.media.id))) throw new ReelayError('storage_unavailable');
  await setVideo(tx, post.id, { mediaId: video.media.id, previewTimeMs });
  await releaseMedia(tx, [post.mediaId]);
}

async function editDate(
  tx: Transaction,
  { config }: PostDeps,
  userId: string,
  post: LockedPost,
  wished: number | null,
): Promise<{ isScheduled: boolean; date: Date }> {
  const when = whenToPost(wished, await databaseNow(tx));
  const counted = post.scheduled && post.ahead;
  if (when.scheduled && !counted) await assertScheduledLeft(tx, config.plans, userId);
  const date = await setDate(tx, post.id, when.scheduled, when.scheduled ? when.at : null);
  return { isScheduled: when.scheduled, date };
}
