/** Keeps the draft of this browser and those of the service in step. */
import { ReelayApiError, type ReelayClient } from '@reelay/sdk';
import { emptyDraft, isBlank } from './draft.ts';
import { type DraftStore, newKey } from './draft-store.ts';
import { contentOf, fieldsOf, hasChanges, isStorable, textOf } from './stored-draft.ts';

const isCode = (error: unknown, code: string) => error instanceof ReelayApiError && error.code === code;
const isUnknown = (error: unknown) => isCode(error, 'unknown_draft');

/**
 * Saves the draft if it has changes and can be stored. One whose input was removed is deleted on the service.
 * @throws ReelayApiError `draft_changed` if another device has changed it, `unknown_draft` if it was posted or deleted
 */
export async function saveDraft({ drafts }: ReelayClient, store: DraftStore): Promise<void> {
  const sent = store.get();
  if (!hasChanges(sent) || !isStorable(sent)) return;
  const { key, saved } = sent;
  if (isBlank(sent)) {
    await drafts.delete(key).catch((error: unknown) => {
      if (!isUnknown(error)) throw error;
    });
    store.change((now) => (now.key === key ? { saved: null } : {}));
    return;
  }
  const { version } = await drafts.save(key, { version: saved?.version ?? 0, ...contentOf(sent) });
  // The draft may have been posted or replaced in the meantime.
  store.change((now) => (now.key === key ? { saved: { version, text: textOf(sent) } } : {}));
}

/**
 * Saves the draft before another takes its place. If another device has changed, posted or deleted it, what this browser has
 * becomes a draft of its own.
 */
export async function keepDraft(client: ReelayClient, store: DraftStore): Promise<void> {
  if (!isStorable(store.get())) becomeNew(store);
  try {
    await saveDraft(client, store);
  } catch (error) {
    if (!isUnknown(error) && !isCode(error, 'draft_changed')) throw error;
    becomeNew(store);
    await saveDraft(client, store);
  }
}

/** Makes what this browser has a draft of its own, which the service does not have yet. */
export function becomeNew(store: DraftStore): void {
  store.change({ key: newKey(), saved: null });
}

/**
 * Follows what another device did with the draft, unless this browser has changes of its own.
 * @returns whether the draft was posted or deleted, so that this browser has an empty one
 */
export async function followService({ drafts }: ReelayClient, store: DraftStore): Promise<boolean> {
  const { key, saved } = store.get();
  if (!saved) return false;
  const found = await drafts.get(key).catch((error: unknown) => {
    if (isUnknown(error)) return null;
    throw error;
  });
  const now = store.get();
  if (now.key !== key || now.pending || hasChanges(now) || now.saved?.version !== saved.version) return false;
  if (!found) store.change(blankDraft(store));
  else if (found.version > saved.version) store.change(fieldsOf(found));
  return !found;
}

/**
 * Opens a draft of the service. What is not saved of the present one is lost.
 * @returns the name of its video, if that is no longer stored
 */
export async function openDraft({ drafts }: ReelayClient, store: DraftStore, id: string): Promise<string | null> {
  const found = await drafts.get(id);
  store.change(fieldsOf(found));
  return found.video?.uploadId === null ? found.video.name : null;
}

/** Deletes a draft on the service and, if it is open, here. */
export async function deleteDraft({ drafts }: ReelayClient, store: DraftStore, id: string): Promise<void> {
  await drafts.delete(id).catch((error: unknown) => {
    if (!isUnknown(error)) throw error;
  });
  if (store.get().key === id) store.change(blankDraft(store));
}

/** A new draft for the accounts of the present one. */
export function blankDraft(store: DraftStore) {
  return { ...emptyDraft(newKey()), accounts: store.get().accounts };
}
