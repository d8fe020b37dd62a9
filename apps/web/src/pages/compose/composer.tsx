/** The fields of a post: video, description, accounts, options and time. */
import { Grid, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { descriptionLength, isTooLong, MAX_DESCRIPTION } from '../../drafts/draft.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { AccountPicker } from './account-picker.tsx';
import classes from './composer.module.css';
import { CaptionField } from './snippets/caption-field.tsx';
import { TimeField } from './time/time-field.tsx';
import type { Composing, useRefusals } from './use-composer.ts';
import type { PreviewedPost } from './video/preview/phone-preview.tsx';

const NoAccounts = lazyPart(async () => (await import('./no-accounts.tsx')).NoAccounts);
const CaptionCounts = lazyPart(async () => (await import('./options/caption-counts.tsx')).CaptionCounts);
const Preflight = lazyPart(async () => (await import('./preflight/preflight.tsx')).Preflight);
const Questions = lazyPart(async () => (await import('./options/questions.tsx')).Questions);
const OptionsDrawer = lazyPart(async () => (await import('./options/options-drawer.tsx')).OptionsDrawer, {
  isOverlay: true,
});

interface ComposerProps {
  title: string;
  /** Beside the title. */
  bar?: ReactNode;
  /** Between the title and the fields. */
  notice?: ReactNode;
  composing: Composing;
  check: ReturnType<typeof useRefusals>['check'];
  video: ReactNode;
  /** Whether accounts cannot be added or removed. */
  isFixed?: boolean;
  /** The end of the form. @param openOptions opens the options of an account */
  children(openOptions: (id: string) => void): ReactNode;
}

export function Composer({ title, bar, notice, composing, check, video, isFixed = false, children }: ComposerProps) {
  const { accounts, draft, current, change, options, counts } = composing;
  const [openedId, openOptions] = useState<string | null>(null);
  const { chosen } = options;
  const { description } = draft;
  const t = useTranslations('compose');
  const opened = chosen.find(({ account }) => account.id === openedId);
  return (
    <Stack>
      <Group justify="space-between">
        <PageTitle>{title}</PageTitle>
        {bar}
      </Group>
      {notice}
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, sm: 5, lg: 4 }}>
          <div className={classes.video}>{video}</div>
        </Grid.Col>
        <Grid.Col span={{ base: 12, sm: 7, lg: 8 }}>
          <Stack>
            <CaptionField
              label={t('description')}
              minRows={4}
              maxRows={14}
              value={description}
              onChange={(changed) => change({ description: changed })}
              error={
                isTooLong(description) &&
                t('descriptionTooLong', { count: descriptionLength(description), max: MAX_DESCRIPTION })
              }
            />
            {chosen.length > 0 && <CaptionCounts chosen={chosen} counts={counts} onOptions={openOptions} />}

            {accounts.length === 0 ? (
              <NoAccounts />
            ) : (
              <AccountPicker
                accounts={accounts}
                chosen={chosen}
                isFixed={isFixed}
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

            {children(openOptions)}
          </Stack>
        </Grid.Col>
      </Grid>
      {opened && (
        <OptionsDrawer
          each={opened}
          description={description}
          counts={counts}
          options={options}
          onClose={() => openOptions(null)}
        />
      )}
    </Stack>
  );
}

/** What the preview shows: the accounts, and the texts of each. */
export function previewOf({ draft, options: { chosen } }: Composing): PreviewedPost {
  return {
    accounts: chosen.map(({ account }) => account),
    textOf(account) {
      const own = account && draft.options[account.id];
      const title = own?.values.title;
      return { title: typeof title === 'string' ? title : '', caption: own?.caption ?? draft.description };
    },
  };
}
