/** State and actions of the page that composes a post. */
import type { NewPost } from '@reelay/sdk';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { changesAfterPost, type Draft, problemOf, scheduledAt, sentAdjustments } from '../../drafts/draft.ts';
import { newKey } from '../../drafts/draft-store.ts';
import { useDraftStore } from '../../drafts/use-upload.tsx';
import { useCreatePost } from '../../queries/posts.ts';
import { sentOptions } from './options/chosen-accounts.ts';
import { useComposer, useRefusals } from './use-composer.ts';

export function useCompose() {
  useStartTime();
  const composing = useComposer();
  const { draft, current, change, video, options } = composing;
  const { create, submit } = usePosting();
  const { isVideoLost, check, error } = useRefusals(composing, {
    error: create.error,
    uploadId: create.variables?.uploadId,
  });
  return {
    composing,
    isVideoLost,
    check,
    posting: {
      problem: video.blocker ?? (draft.pending ? ('uploading' as const) : problemOf(current, Date.now())),
      isSending: create.isPending,
      error,
      submit: () => submit(current, sentOptions(options.chosen)),
      /** Posts the same draft as a separate post, after the service refused the reused idempotency key. */
      submitAnother() {
        const key = newKey();
        change({ key, saved: null });
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
      ...sentAdjustments(sent),
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
