/** State and actions of the compose page. The draft is the only state; all other values are derived from it. */

import { useDebouncedValue } from '@mantine/hooks';
import type { NewPost, Platform } from '@reelay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo } from 'react';
import {
  type AccountOptions,
  changesAfterPost,
  type Draft,
  isTooLong,
  NO_OPTIONS,
  parseDraft,
  problemOf,
  scheduledAt,
} from '../../drafts/draft.ts';
import { newKey } from '../../drafts/draft-store.ts';
import { useDraft, useDraftStore } from '../../drafts/use-upload.tsx';
import { accountsQuery } from '../../queries/accounts.ts';
import { useClient } from '../../queries/client.ts';
import { useCreatePost } from '../../queries/posts.ts';
import { chosenAccounts, sentOptions } from './options/chosen-accounts.ts';
import { useCaptionCounts } from './options/use-caption-counts.ts';
import { useOptions } from './options/use-options.ts';
import { useCheck } from './preflight/use-check.ts';
import { isRefused, useLostUpload, useVideo } from './video/use-video.ts';

/** Debounce delay of requests while the user types, in ms. */
const TYPING_MS = 600;

export function useCompose() {
  useStartTime();
  const { data: accounts } = useSuspenseQuery(accountsQuery(useClient()));
  const draft = useDraft();
  const { change } = useDraftStore();
  const video = useVideo();
  const current = useMemo(() => withKnownAccounts(draft, accounts), [draft, accounts]);
  const options = useOptions(current, accounts, useChangeOptions());
  const settled = useSettled(current);
  const settledOptions = sentOptions(chosenAccounts(settled, accounts, options.forms));
  const counts = useCaptionCounts({
    platforms: settled.accounts,
    description: settled.description,
    options: settledOptions,
  });
  const check = useCheck(settled, settledOptions, video.blocker === null && !isTooLong(settled.description));
  const { create, submit } = usePosting();
  const isUnknownToCheck = isRefused(check.error, 'unknown_upload');
  const isUnknownToPost = isRefused(create.error, 'unknown_upload');
  // What the service said about a video leaves with it.
  const isOf = (id: string | undefined) => id !== undefined && id === draft.upload?.id;
  const unknownId = isUnknownToPost ? create.variables?.uploadId : isUnknownToCheck ? settled.upload?.id : undefined;
  return {
    accounts,
    /** As stored; {@link current} has only accounts that can post. */
    draft,
    current,
    change,
    video,
    options,
    counts,
    /** The service no longer has the uploaded video. */
    isVideoLost: useLostUpload(unknownId ?? null),
    check: {
      /** The result for the draft's current video. */
      result: draft.upload?.id === settled.upload?.id ? check.data : undefined,
      error: isUnknownToCheck || !isOf(settled.upload?.id) ? null : check.error,
    },
    posting: {
      problem: video.blocker ?? (draft.pending ? ('uploading' as const) : problemOf(current, Date.now())),
      isSending: create.isPending,
      error: isUnknownToPost || !isOf(create.variables?.uploadId) ? null : create.error,
      submit: () => submit(current, sentOptions(options.chosen)),
      /** Posts the same draft as a separate post, after the service refused the reused idempotency key. */
      submitAnother() {
        const key = newKey();
        change({ key });
        submit({ ...current, key }, sentOptions(options.chosen));
      },
    },
  };
}

/** Applies the time that the calendar passed in the URL. */
function useStartTime(): void {
  const navigate = useNavigate();
  const { change } = useDraftStore();
  const { at } = useSearch({ from: '/signed-in/' });
  useEffect(() => {
    if (at === undefined) return;
    change({ at });
    void navigate({ to: '/', replace: true });
  }, [at, change, navigate]);
}

function withKnownAccounts(draft: Draft, accounts: readonly Platform[]): Draft {
  const known = new Set(accounts.filter(({ status }) => status === 'CONNECTED').map(({ id }) => id));
  return { ...draft, accounts: draft.accounts.filter((id) => known.has(id)) };
}

/** The debounced draft. */
function useSettled(current: Draft): Draft {
  // Compared as text, because equal drafts can be different objects: upload progress must not restart the delay.
  const [text] = useDebouncedValue(JSON.stringify({ ...current, pending: null }), TYPING_MS);
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

/** Creates the post, removes the posted values from the draft, and opens the post. */
function usePosting() {
  const navigate = useNavigate();
  const router = useRouter();
  const { change } = useDraftStore();
  const create = useCreatePost();
  const post = async (sent: Draft, options: NonNullable<NewPost['options']>) => {
    const at = scheduledAt(sent);
    const { historyId } = await create.mutateAsync({
      uploadId: sent.upload?.id ?? '',
      platforms: sent.accounts,
      description: sent.description,
      previewTime: sent.previewTime,
      options,
      idempotencyKey: sent.key,
      ...(sent.fit === null ? {} : { fit: sent.fit }),
      ...(at === null ? {} : { scheduled: at }),
    });
    change((draft) => changesAfterPost(draft, sent, newKey()));
    // The user may have opened another page before the response arrived.
    if (router.state.location.pathname === '/') await navigate({ to: '/posts/$id', params: { id: historyId } });
  };
  return {
    create,
    /** Failures are in `create.error`. */
    submit: (...sent: Parameters<typeof post>) => void post(...sent).catch(() => {}),
  };
}
