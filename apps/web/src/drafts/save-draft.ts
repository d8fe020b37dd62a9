/** Keeps the draft of this browser and those of the service in step. */
import type { ReelayClient } from '@reelay/sdk';
import { isRefused } from '../queries/refused.ts';
import { type Draft, emptyDraft, isBlank } from './draft.ts';
import { type DraftStore, newKey } from './draft-store.ts';
import { contentOf, fieldsOf, hasChanges, isDue, isStorable, textOf } from './stored-draft.ts';

/** @returns null for a draft that was posted or deleted. Other refusals are thrown. */
const unlessGone = (error: unknown): null => {
  if (isRefused(error, 'unknown_draft')) return null;
  throw error;
};

/**
 * Saves the draft if it has changes and can be stored. One whose input was removed is deleted on the service.
 * @throws ReelayApiError `draft_changed` if another device has changed it, `unknown_draft` if it was posted or deleted
 */
export async function saveDraft({ drafts }: ReelayClient, store: DraftStore): Promise<void> {
  const sent = store.get();
  if (!isDue(sent)) return;
  const { key } = sent;
  const saved = await send(drafts, sent);
  // The draft may have been posted or replaced in the meantime.
  store.change((now) => (now.key === key ? { saved } : {}));
}

/** @returns what the service has then */
async function send(drafts: ReelayClient['drafts'], sent: Draft): Promise<Draft['saved']> {
  const { key, saved } = sent;
  if (isBlank(sent)) {
    await drafts.delete(key).catch(unlessGone);
    return null;
  }
  const { version } = await drafts.save(key, { version: saved?.version ?? 0, ...contentOf(sent) });
  return { version, text: textOf(sent) };
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
    if (!isRefused(error, 'unknown_draft') && !isRefused(error, 'draft_changed')) throw error;
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
  const found = await drafts.get(key).catch(unlessGone);
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
  await drafts.delete(id).catch(unlessGone);
  if (store.get().key === id) store.change(blankDraft(store));
}

/** A new draft for the accounts of the present one. */
export function blankDraft(store: DraftStore) {
  return { ...emptyDraft(newKey()), accounts: store.get().accounts };
}
