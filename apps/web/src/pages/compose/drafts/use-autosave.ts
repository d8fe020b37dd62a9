/** Saves the draft on the service while the user composes it. */
import { useDebouncedValue } from '@mantine/hooks';
import { isFinal } from '@reelay/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { becomeNew, blankDraft, followService, openDraft, saveDraft } from '../../../drafts/save-draft.ts';
import { hasChanges, isDue, textOf } from '../../../drafts/stored-draft.ts';
import { useDraft, useDraftStore } from '../../../drafts/use-upload.tsx';
import { useClient } from '../../../queries/client.ts';
import { draftKeys } from '../../../queries/keys.ts';
import { isRefused } from '../../../queries/refused.ts';

/** How long the draft must be unchanged before it is saved, in ms. */
const SETTLED_MS = 1_500;

/** How long a save that failed for now is not tried again, in ms. */
const RETRY_MS = 15_000;

/** What another device did with the draft while this browser has changes of its own. */
export type Conflict = 'changed' | 'gone';

/** @param isPosting whether the draft is being posted, which saves it anyway */
export function useAutosave(isPosting: boolean) {
  const client = useClient();
  const queries = useQueryClient();
  const store = useDraftStore();
  const draft = useDraft();
  const [wasRemoved, setWasRemoved] = useState(false);
  const save = useCallback(async () => {
    await saveDraft(client, store);
    await queries.invalidateQueries({ queryKey: draftKeys.all });
  }, [client, store, queries]);
  const { mutate, variables, error, isPending, reset } = useMutation({
    mutationFn: (_text: string) => save(),
  });
  const text = textOf(draft);
  const [settled] = useDebouncedValue(text, SETTLED_MS);
  const isPassing = error !== null && !isFinal(error);
  useEffect(() => {
    if (!isPassing) return;
    const timer = setTimeout(reset, RETRY_MS);
    return () => clearTimeout(timer);
  }, [isPassing, reset]);
  // What was refused is not sent again unless it was changed.
  const wasRefused = error !== null && variables === text;
  const mustSave = settled === text && isDue(draft) && !isPosting && !isPending && !wasRefused;
  useEffect(() => {
    if (mustSave) mutate(settled);
  }, [mustSave, settled, mutate]);
  useFollowing(setWasRemoved);
  useEffect(
    () => () => {
      // What cannot be saved now is kept by the browser until the page is opened again.
      void save().catch(() => {});
    },
    [save],
  );
  const conflict = conflictOf(error);
  return {
    isSaving: isPending,
    /** The service does not take the draft now. It is tried again. */
    isWaiting: isPassing,
    isSaved: draft.saved !== null && !hasChanges(draft),
    /** Why the draft cannot be saved. */
    failure: conflict ? null : error,
    conflict,
    /** The draft was posted or deleted on another device. */
    wasRemoved,
    /** Keeps what this browser has as a draft of its own. */
    keepOwn() {
      reset();
      becomeNew(store);
    },
    /** Drops what this browser has. @throws ReelayApiError if the other version cannot be read */
    async dropOwn() {
      if (conflict === 'gone') store.change(blankDraft(store));
      else await openDraft(client, store, store.get().key);
      reset();
    },
  };
}

function conflictOf(error: Error | null): Conflict | null {
  if (isRefused(error, 'draft_changed')) return 'changed';
  return isRefused(error, 'unknown_draft') ? 'gone' : null;
}

/** Reads the draft when the page is opened or shown again. */
function useFollowing(setWasRemoved: (isRemoved: boolean) => void): void {
  const client = useClient();
  const store = useDraftStore();
  const follow = useCallback(() => {
    if (document.visibilityState !== 'visible') return;
    void followService(client, store).then(setWasRemoved, () => {});
  }, [client, store, setWasRemoved]);
  useEffect(() => {
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => document.removeEventListener('visibilitychange', follow);
  }, [follow]);
}
