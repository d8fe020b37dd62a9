/** One counter per account. */
import { Stack, Text, UnstyledButton, VisuallyHidden } from '@mantine/core';
import type { CaptionCount, Platform } from '@reelay/sdk';
import { useTranslations } from 'use-intl';
import { accountName } from '../../../ui/account-name.tsx';
import { IconAlertCircle, IconAlertTriangle } from '../../../ui/icons/index.ts';
import { PlatformIcon, platformName } from '../../../ui/platform-icon.tsx';
import classes from './caption-counts.module.css';
import { byUrgency, levelOf } from './caption-level.ts';
import type { ChosenAccount } from './chosen-accounts.ts';
import type { CaptionCounts as Counts } from './use-caption-counts.ts';

interface CaptionCountsProps {
  chosen: readonly ChosenAccount[];
  counts: Counts;
  onOptions(id: string): void;
}

export function CaptionCounts({ chosen, counts: { byAccount }, onOptions }: CaptionCountsProps) {
  const t = useTranslations('postOptions');
  const accounts = new Map(chosen.map(({ account }) => [account.id, account]));
  const counts = chosen.flatMap(({ account }) => byAccount.get(account.id) ?? []).sort(byUrgency);
  if (counts.length === 0) return null;
  const rejected = counts.filter((count) => levelOf(count) === 'rejected');
  return (
    <Stack gap={4}>
      <ul className={classes.line} aria-label={t('counters')}>
        {counts.map((count) => {
          const account = accounts.get(count.id);
          return (
            account && (
              <li key={count.id}>
                <Chip count={count} account={account} onOptions={onOptions} />
              </li>
            )
          );
        })}
      </ul>
      <div aria-live="polite">
        {rejected.map((count) => {
          const account = accounts.get(count.id);
          return (
            account && (
              <Text key={count.id} size="sm" c="var(--mantine-color-error)">
                {t('captionProblem', {
                  name: accountName(account),
                  platform: platformName(account.platform),
                  problem: count.problem ?? t('overLimit'),
                })}
              </Text>
            )
          );
        })}
      </div>
    </Stack>
  );
}

function Chip({ count, account, onOptions }: { count: CaptionCount; account: Platform; onOptions(id: string): void }) {
  const t = useTranslations('postOptions');
  const name = accountName(account);
  const level = levelOf(count);
  const place = t('place', { name, platform: platformName(account.platform) });
  return (
    <UnstyledButton className={classes.chip} data-level={level} onClick={() => onOptions(account.id)} title={place}>
      <VisuallyHidden>{place}</VisuallyHidden>
      <PlatformIcon platform={account.platform} size={14} />
      {level === 'near' && <IconAlertTriangle size={14} aria-hidden />}
      {level === 'rejected' && <IconAlertCircle size={14} aria-hidden />}
      {t('ratio', { count: count.length, limit: count.limit })}
      <VisuallyHidden>{t(`unit.${count.unit}`)}</VisuallyHidden>
    </UnstyledButton>
  );
}

/** The counter of one account as a line of text. */
export function Counter({ count }: { count: CaptionCount | undefined }) {
  const t = useTranslations('postOptions');
  if (!count) return null;
  const level = levelOf(count);
  return (
    <Text size="sm" c={level === 'rejected' ? 'var(--mantine-color-error)' : 'dimmed'} aria-live="polite">
      {t('used', { count: count.length, limit: count.limit, unit: t(`unit.${count.unit}`) })}
      {count.problem && ` ${count.problem}`}
    </Text>
  );
}
