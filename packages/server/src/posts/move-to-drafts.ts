/** Turns a scheduled post into a draft. */
import { findDraft, insertDraft } from '../drafts/draft-store.ts';
import { assertDraftsLeft, readDraft } from '../drafts/service.ts';
import { type Draft, type DraftContent, type DraftOptions, type DraftVideo, WHOLE_VIDEO } from '../drafts/types.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { isUuid } from '../lib/ids.ts';
import { lockPlan } from '../plans/plan-store.ts';
import { keepUpload } from '../uploads/keep.ts';
import { removeUpload } from '../uploads/remove.ts';
import type { UploadDeps } from '../uploads/types.ts';
import { assertCancellable, cancelLocked } from './cancel.ts';
import { type LockedPost, lockPost, readPost, wasCancelled } from './change-store.ts';
import { copyVideo } from './copy-video.ts';

type Deps = Pick<UploadDeps, 'db' | 'storage' | 'config' | 'uploadFiles'>;

export interface PostToMove {
  postId: string;
  /** Chosen by the caller. */
  draftId: string;
  /** Name of the video in the draft. */
  videoName: string;
  /** Input of the accounts' forms, by account id. */
  values: Readonly<Record<string, DraftOptions['values']>>;
}

/**
 * Copies the video, then cancels the post and adds the draft in one transaction. A repeated request succeeds, because the
 * first response may have been lost.
 * @throws ReelayError `unknown_post`, `not_cancellable`, `draft_changed` for the id of another draft, `too_many_drafts`;
 * as {@link copyVideo}
 */
export async function moveToDrafts(deps: Deps, userId: string, move: PostToMove): Promise<Draft> {
  const { db } = deps;
  const { postId, draftId, videoName } = move;
  if (!isUuid(postId)) throw new ReelayError('unknown_post');
  const found = await readPost(db, userId, postId);
  if (!found && (await wasCancelled(db, userId, postId))) {
    const moved = await findDraft(db, userId, draftId);
    if (moved) return moved;
  }
  // Before the copy, which takes long. Both are checked again when the post is locked.
  assertCancellable(found);
  await assertDraftsLeft(db, userId);
  const { uploadId, bytes } = await copyVideo(deps, userId, postId);
  try {
    return await db.transaction(async (tx) => {
      const post = await lockPost(tx, userId, postId);
      await lockPlan(tx, userId);
      await cancelLocked(tx, userId, post);
      if (await findDraft(tx, userId, draftId)) throw new ReelayError('draft_changed');
      await assertDraftsLeft(tx, userId);
      await keepUpload(tx, userId, uploadId);
      const video = { uploadId, name: videoName, bytes, lastModified: null };
      await insertDraft(tx, userId, draftId, contentOf(post as LockedPost, move.values, video));
      return readDraft(tx, userId, draftId);
    });
  } catch (error) {
    // Any other failure may follow the commit, and then the draft has the copy. If not, the copy expires.
    if (error instanceof ReelayError && REFUSALS.includes(error.code))
      await removeUpload(deps, { userId, id: uploadId }).catch(() => {});
    throw error;
  }
}

/** Refusals of the transaction, after which nothing of it is stored. */
const REFUSALS: readonly string[] = ['unknown_post', 'not_cancellable', 'draft_changed', 'too_many_drafts'];

/** The post as a draft, with all of its accounts. */
function contentOf(
  { description, targets, date, previewTimeMs }: LockedPost,
  values: PostToMove['values'],
  video: DraftVideo,
): DraftContent {
  const inOrder = targets.toSorted((one, other) => one.position - other.position);
  const options = inOrder.map(({ accountId, caption }): [string, DraftOptions] => [
    accountId,
    { caption, values: values[accountId] ?? {} },
  ]);
  return {
    description,
    platforms: inOrder.map(({ accountId }) => accountId),
    options: Object.fromEntries(options),
    scheduled: date.getTime(),
    previewTime: previewTimeMs / 1_000,
    fit: null,
    ...WHOLE_VIDEO,
    video,
  };
}
