/** What a new post and the change of a post have in common. The draft is the only state; all other values follow from it. */
import { useDebouncedValue } from '@mantine/hooks';
import type { Platform } from '@reelay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type AccountOptions, type Draft, isTooLong, NO_OPTIONS, parseDraft } from '../../drafts/draft.ts';
import { useDraft, useDraftStore } from '../../drafts/use-upload.tsx';
import { accountsQuery } from '../../queries/accounts.ts';
import { useClient } from '../../queries/client.ts';
import { isRefused } from '../../queries/refused.ts';
import { chosenAccounts, sentOptions } from './options/chosen-accounts.ts';
import { useCaptionCounts } from './options/use-caption-counts.ts';
import { useOptions } from './options/use-options.ts';
import { useCheck } from './preflight/use-check.ts';
import { useLostUpload, useVideo } from './video/use-video.ts';

/** Debounce delay of requests while the user types, in ms. */
const TYPING_MS = 600;

export type Composing = ReturnType<typeof useComposer>;

/** @param kept ids of accounts that stay chosen although they cannot post now; always the same array */
export function useComposer(kept?: readonly string[]) {
  const { data: accounts } = useSuspenseQuery(accountsQuery(useClient()));
  const draft = useDraft();
  const { change } = useDraftStore();
  const video = useVideo();
  const current = useMemo(() => withKnownAccounts(draft, accounts, kept), [draft, accounts, kept]);
  const options = useOptions(current, accounts, useChangeOptions());
  const settled = useSettled(current);
  const settledOptions = sentOptions(chosenAccounts(settled, accounts, options.forms));
  const counts = useCaptionCounts({
    platforms: settled.accounts,
    description: settled.description,
    options: settledOptions,
  });
  const check = useCheck(settled, settledOptions, video.blocker === null && !isTooLong(settled.description));
  return {
    accounts,
    /** As stored; {@link current} has only accounts that can post. */
    draft,
    current,
    change,
    video,
    options,
    counts,
    /** The debounced draft, and what the service expects of it. */
    settled,
    check,
  };
}

interface Sent {
  error: Error | null;
  uploadId: string | undefined;
}

/** What the service said about the video leaves with it. @param sent the last attempt to send the draft */
export function useRefusals({ draft, settled, check }: Composing, sent: Sent) {
  const isUnknownToCheck = isRefused(check.error, 'unknown_upload');
  const isUnknown = isRefused(sent.error, 'unknown_upload');
  const isOf = (id: string | undefined) => id !== undefined && id === draft.upload?.id;
  const unknownId = isUnknown ? sent.uploadId : isUnknownToCheck ? settled.upload?.id : undefined;
  return {
    /** The service no longer has the uploaded video. */
    isVideoLost: useLostUpload(unknownId ?? null),
    check: {
      /** The result for the draft's current video. */
      result: draft.upload?.id === settled.upload?.id ? check.data : undefined,
      error: isUnknownToCheck || !isOf(settled.upload?.id) ? null : check.error,
    },
    error: isUnknown || sent.uploadId !== draft.upload?.id ? null : sent.error,
  };
}

function withKnownAccounts(draft: Draft, accounts: readonly Platform[], kept: readonly string[] = []): Draft {
  const known = new Set(accounts.filter(({ status }) => status === 'CONNECTED').map(({ id }) => id));
  for (const id of kept) known.add(id);
  return { ...draft, accounts: draft.accounts.filter((id) => known.has(id)) };
}

/** The debounced draft. */
function useSettled(current: Draft): Draft {
  // Compared as text, because equal drafts can be different objects: progress and saving must not restart the delay.
  const [text] = useDebouncedValue(JSON.stringify({ ...current, pending: null, saved: null }), TYPING_MS);
  return useMemo(() => parseDraft(text, ''), [text]);
}

function useChangeOptions() {
  const { change } = useDraftStore();
  return useCallback(
    (id: string, update: (before: AccountOptions) => AccountOptions) =>
      change(({ options }) => ({ options: { ...options, [id]: update(options[id] ?? NO_OPTIONS) } })),
    [change],
  );
}
