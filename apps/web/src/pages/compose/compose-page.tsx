/** Composing a post: video, description, accounts, time, one button. */
import { Grid, Skeleton, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
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
import { DescriptionField } from '../../ui/description-field.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { NoAccounts } from './no-accounts.tsx';
import { chosenAccounts, sentOptions } from './options/chosen-accounts.ts';
import { useCaptionCounts } from './options/use-caption-counts.ts';
import { useOptions } from './options/use-options.ts';
import { useCheck } from './preflight/use-check.ts';
import { SubmitArea } from './submit-area.tsx';
import { TimeField } from './time/time-field.tsx';
import { isRefused, useLostUpload, useVideo } from './video/use-video.ts';
import { VideoPanel } from './video/video-panel.tsx';

// Nothing of this is needed without accounts.
const AccountPicker = lazyPart(async () => (await import('./account-picker.tsx')).AccountPicker, {
  Fallback: () => <Skeleton height={400} radius="md" />,
});
const CaptionCounts = lazyPart(async () => (await import('./options/caption-counts.tsx')).CaptionCounts);
const Preflight = lazyPart(async () => (await import('./preflight/preflight.tsx')).Preflight);
const Questions = lazyPart(async () => (await import('./options/questions.tsx')).Questions);
const OptionsDrawer = lazyPart(async () => (await import('./options/options-drawer.tsx')).OptionsDrawer, {
  isOverlay: true,
});

/** Pause in typing after which the service is asked, in ms. */
const TYPING_MS = 600;

export function ComposePage() {
  const t = useTranslations('compose');
  const navigate = useNavigate();
  const router = useRouter();
  const { data: accounts } = useSuspenseQuery(accountsQuery(useClient()));
  const draft = useDraft();
  const { change } = useDraftStore();
  const changeOptions = useCallback(
    (id: string, update: (before: AccountOptions) => AccountOptions) =>
      change(({ options }) => ({ options: { ...options, [id]: update(options[id] ?? NO_OPTIONS) } })),
    [change],
  );
  const { at: startedAt } = useSearch({ from: '/signed-in/' });
  useEffect(() => {
    if (startedAt === undefined) return;
    change({ at: startedAt });
    void navigate({ to: '/', replace: true });
  }, [startedAt, change, navigate]);
  const video = useVideo();
  const create = useCreatePost();
  const current = useMemo(() => {
    const known = new Set(accounts.filter(({ status }) => status === 'CONNECTED').map(({ id }) => id));
    return { ...draft, accounts: draft.accounts.filter((id) => known.has(id)) };
  }, [draft, accounts]);
  // As text, because equal drafts are other objects: progress of the upload must not start the pause again.
  const [settledText] = useDebouncedValue(JSON.stringify({ ...current, pending: null }), TYPING_MS);
  const settled = useMemo(() => parseDraft(settledText, ''), [settledText]);
  const options = useOptions(current, accounts, changeOptions);
  const settledOptions = sentOptions(chosenAccounts(settled, accounts, options.forms));
  const counts = useCaptionCounts({
    platforms: settled.accounts,
    description: settled.description,
    options: settledOptions,
  });
  const check = useCheck(settled, settledOptions, video.blocker === null && !isTooLong(settled.description));
  const isUploadUnknown = isRefused(check.error, 'unknown_upload');
  const isPostedUnknown = isRefused(create.error, 'unknown_upload');
  const unknownId = isPostedUnknown ? create.variables?.uploadId : isUploadUnknown ? settled.upload?.id : undefined;
  const isLost = useLostUpload(unknownId ?? null);
  const [openedId, openOptions] = useState<string | null>(null);
  const opened = options.chosen.find(({ account }) => account.id === openedId);

  const submit = async (sent: Draft) => {
    const at = scheduledAt(sent);
    const post = await create.mutateAsync({
      uploadId: sent.upload?.id ?? '',
      platforms: sent.accounts,
      description: sent.description,
      previewTime: sent.previewTime,
      options: sentOptions(options.chosen),
      idempotencyKey: sent.key,
      ...(sent.fit === null ? {} : { fit: sent.fit }),
      ...(at === null ? {} : { scheduled: at }),
    });
    change((draft) => changesAfterPost(draft, sent, newKey()));
    // The response can take a while, in which the user may have opened another page.
    if (router.state.location.pathname === '/') await navigate({ to: '/posts/$id', params: { id: post.historyId } });
  };
  const submitAnother = () => {
    const key = newKey();
    change({ key });
    void submit({ ...current, key }).catch(() => {});
  };
  return (
    <Stack>
      <PageTitle>{t('title')}</PageTitle>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, sm: 5, lg: 4 }}>
          <VideoPanel
            video={video}
            accounts={options.chosen.map(({ account }) => account)}
            captionOf={(account) => (account && draft.options[account.id]?.caption) ?? draft.description}
            isLost={isLost}
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 7, lg: 8 }}>
          <Stack>
            <DescriptionField
              minRows={4}
              maxRows={14}
              value={draft.description}
              onChange={(description) => change({ description })}
            />
            {options.chosen.length > 0 && (
              <CaptionCounts chosen={options.chosen} counts={counts} onOptions={openOptions} />
            )}

            {accounts.length === 0 ? (
              <NoAccounts />
            ) : (
              <AccountPicker
                accounts={accounts}
                chosen={options.chosen}
                onChange={(ids) => change({ accounts: ids })}
                onOptions={openOptions}
              />
            )}
            {options.chosen.length > 0 && <Questions options={options} onOptions={openOptions} />}
            <TimeField at={draft.at} accounts={current.accounts} onChange={(at) => change({ at })} />
            {options.chosen.length > 0 && (
              <Preflight
                check={draft.upload?.id === settled.upload?.id ? check.data : undefined}
                error={isUploadUnknown ? null : check.error}
                draft={current}
                counts={counts}
                options={options}
                onChange={change}
                onOptions={openOptions}
              />
            )}

            <SubmitArea
              chosen={options.chosen}
              at={draft.at}
              problem={video.blocker ?? (draft.pending ? 'uploading' : problemOf(current, Date.now()))}
              isSending={create.isPending}
              error={isPostedUnknown ? null : create.error}
              onSubmit={() => void submit(current).catch(() => {})}
              onSubmitAnother={submitAnother}
              onOptions={openOptions}
            />
          </Stack>
        </Grid.Col>
      </Grid>
      {opened && (
        <OptionsDrawer
          each={opened}
          description={draft.description}
          counts={counts}
          options={options}
          onClose={() => openOptions(null)}
        />
      )}
    </Stack>
  );
}
