/** The page that composes a post: video, description, accounts, time, button. */
import { Grid, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { DescriptionField } from '../../ui/description-field.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SubmitArea } from './submit-area.tsx';
import { TimeField } from './time/time-field.tsx';
import { useCompose } from './use-compose.ts';
import { VideoPanel } from './video/video-panel.tsx';

const NoAccounts = lazyPart(async () => (await import('./no-accounts.tsx')).NoAccounts);
// Loaded on demand, because it is not needed without accounts.
const AccountPicker = lazyPart(async () => (await import('./account-picker.tsx')).AccountPicker, {
  Fallback: () => <Skeleton height={400} radius="md" />,
});
const CaptionCounts = lazyPart(async () => (await import('./options/caption-counts.tsx')).CaptionCounts);
const Preflight = lazyPart(async () => (await import('./preflight/preflight.tsx')).Preflight);
const Questions = lazyPart(async () => (await import('./options/questions.tsx')).Questions);
const OptionsDrawer = lazyPart(async () => (await import('./options/options-drawer.tsx')).OptionsDrawer, {
  isOverlay: true,
});

export function ComposePage() {
  const t = useTranslations('compose');
  const { accounts, draft, current, change, video, options, counts, isVideoLost, check, posting } = useCompose();
  const [openedId, openOptions] = useState<string | null>(null);
  const { chosen } = options;
  const opened = chosen.find(({ account }) => account.id === openedId);
  return (
    <Stack>
      <PageTitle>{t('title')}</PageTitle>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, sm: 5, lg: 4 }}>
          <VideoPanel
            video={video}
            accounts={chosen.map(({ account }) => account)}
            captionOf={(account) => (account && draft.options[account.id]?.caption) ?? draft.description}
            isLost={isVideoLost}
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
            {chosen.length > 0 && <CaptionCounts chosen={chosen} counts={counts} onOptions={openOptions} />}

            {accounts.length === 0 ? (
              <NoAccounts />
            ) : (
              <AccountPicker
                accounts={accounts}
                chosen={chosen}
                onChange={(ids) => change({ accounts: ids })}
                onOptions={openOptions}
              />
            )}
            {chosen.length > 0 && <Questions options={options} onOptions={openOptions} />}
            <TimeField at={draft.at} accounts={current.accounts} onChange={(at) => change({ at })} />
            {chosen.length > 0 && (
              <Preflight
                check={check.result}
                error={check.error}
                draft={current}
                counts={counts}
                options={options}
                onChange={change}
                onOptions={openOptions}
              />
            )}

            <SubmitArea
              chosen={chosen}
              at={draft.at}
              problem={posting.problem}
              isSending={posting.isSending}
              error={posting.error}
              onSubmit={posting.submit}
              onSubmitAnother={posting.submitAnother}
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
