/** Saves and deletes drafts. */
import { isDeepStrictEqual } from 'node:util';
import type { Database, Queryable } from '../db/database.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { isUuid } from '../lib/ids.ts';
import { lockPlan } from '../plans/plan-store.ts';
import { keepUpload } from '../uploads/keep.ts';
import { removeUpload } from '../uploads/remove.ts';
import type { UploadDeps } from '../uploads/types.ts';
import { shortenExpiry } from '../uploads/upload-store.ts';
import { countDrafts, findDraft, insertDraft, isShared, removeDraft, updateDraft } from './draft-store.ts';
import type { Draft, DraftContent, DraftVideo } from './types.ts';

/** Drafts of one user. */
export const MAX_DRAFTS = 100;

export interface SentDraft extends Omit<DraftContent, 'video'> {
  id: string;
  /** The version that is replaced; 0: the draft is new. */
  version: number;
  video: (Pick<DraftVideo, 'name' | 'lastModified'> & { uploadId: string }) | null;
}

/**
 * Adds or replaces a draft, and keeps its video for 30 days. A repeated request succeeds, because the first response may
 * have been lost.
 * @throws ReelayError `draft_changed`, `unknown_draft`, `too_many_drafts`; as {@link keepUpload}
 */
export function saveDraft(db: Database, userId: string, { id, version, video, ...rest }: SentDraft): Promise<Draft> {
  return db.transaction(async (tx) => {
    await lockPlan(tx, userId);
    const before = await findDraft(tx, userId, id);
    const kept = video && { ...video, bytes: (await keepUpload(tx, userId, video.uploadId)).bytes };
    const content: DraftContent = { ...rest, video: kept };
    if (before?.version === version + 1 && isDeepStrictEqual(contentOf(before), content)) return before;
    if (before && before.version !== version) throw new ReelayError('draft_changed');
    if (version === 0) {
      await assertDraftsLeft(tx, userId);
      await insertDraft(tx, userId, id, content);
    } else if (!(await updateDraft(tx, userId, id, content))) throw new ReelayError('unknown_draft');
    const replaced = before?.video?.uploadId;
    if (replaced && replaced !== kept?.uploadId && !(await isShared(tx, replaced, id)))
      await shortenExpiry(tx, userId, replaced);
    return readDraft(tx, userId, id);
  });
}

function contentOf({ id, version, changedAt, ...content }: Draft): DraftContent {
  return content;
}

/** @throws ReelayError `too_many_drafts` when one more draft would exceed the limit */
export async function assertDraftsLeft(tx: Queryable, userId: string): Promise<void> {
  if ((await countDrafts(tx, userId)) >= MAX_DRAFTS) throw new ReelayError('too_many_drafts');
}

/** @throws ReelayError `unknown_draft` */
export async function readDraft(db: Queryable, userId: string, id: string): Promise<Draft> {
  const found = isUuid(id) ? await findDraft(db, userId, id) : null;
  if (!found) throw new ReelayError('unknown_draft');
  return found;
}

/** Deletes a draft and its video, unless another draft has the same video. @throws ReelayError `unknown_draft` */
export async function deleteDraft(
  deps: Pick<UploadDeps, 'db' | 'uploadFiles'>,
  userId: string,
  id: string,
): Promise<void> {
  if (!isUuid(id)) throw new ReelayError('unknown_draft');
  const uploadId = await deps.db.transaction(async (tx) => {
    await lockPlan(tx, userId);
    const { video } = await readDraft(tx, userId, id);
    const own = video?.uploadId && !(await isShared(tx, video.uploadId, id)) ? video.uploadId : null;
    // Should the removal fail, the video expires as if it had never been in a draft.
    if (own) await shortenExpiry(tx, userId, own);
    await removeDraft(tx, userId, id);
    return own;
  });
  if (uploadId) await removeUpload(deps, { userId, id: uploadId });
}
