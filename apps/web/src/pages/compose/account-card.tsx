/** An account to select, with its caption and options. */
import { Badge, Button, Checkbox, Group, Paper, Stack, Text } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import { memo } from 'react';
import { useTranslations } from 'use-intl';
import { AccountAvatar } from '../../ui/account-avatar.tsx';
import { AccountName, accountName } from '../../ui/account-name.tsx';
import { IconAdjustments } from '../../ui/icons/index.ts';
import { platformName } from '../../ui/platform-icon.tsx';
import classes from './account-card.module.css';
import { type ChosenAccount, problemIn, unansweredIn } from './options/chosen-accounts.ts';
import { optionCount } from './options/form-state.ts';

interface AccountCardProps {
  account: Platform;
  /** undefined: not selected. */
  chosen: ChosenAccount | undefined;
  /** Whether it cannot be selected or removed. */
  isFixed: boolean;
  onOptions(id: string): void;
}

/** Rendered only when its account changes: there can be many. */
export const AccountCard = memo(function AccountCard({ account, chosen, isFixed, onOptions }: AccountCardProps) {
  const t = useTranslations('compose');
  const { id, platform, usernameImage, status, sandbox } = account;
  const name = accountName(account);
  // One that cannot post now can still be removed.
  const isDisabled = isFixed || (status !== 'CONNECTED' && !chosen);
  return (
    <Paper withBorder radius="md" className={classes.card} data-chosen={chosen !== undefined}>
      <Checkbox.Card value={id} disabled={isDisabled} p="sm" withBorder={false} radius="md" flex={1} miw={0}>
        <Group wrap="nowrap" gap="sm">
          <Checkbox.Indicator />
          <AccountAvatar platform={platform} image={usernameImage} name={name} />
          <Stack gap={0} miw={0}>
            <Text size="sm" fw={600} lineClamp={2} lh={1.3} style={{ overflowWrap: 'anywhere' }}>
              <AccountName name={name} />
            </Text>
            <Text size="sm" c="dimmed" truncate>
              {platformName(platform)}
            </Text>
            {sandbox && (
              <Badge size="xs" variant="outline" color="gray">
                {t('simulated')}
              </Badge>
            )}
            {status !== 'CONNECTED' && (
              <Text size="sm" c="var(--mantine-color-error)">
                {t('reconnectFirst')}
              </Text>
            )}
          </Stack>
        </Group>
      </Checkbox.Card>
      {chosen && <Side chosen={chosen} onOptions={onOptions} />}
    </Paper>
  );
});

/** The options of a selected account, and what is set or missing. */
function Side({ chosen, onOptions }: { chosen: ChosenAccount; onOptions(id: string): void }) {
  const t = useTranslations('postOptions');
  const { account, fields, options } = chosen;
  const open = unansweredIn(chosen);
  const set = optionCount(fields);
  const parts = [
    ...(options.caption === null ? [] : [t('hasCaption')]),
    ...(set > 0 ? [t('optionCount', { count: set })] : []),
  ];
  return (
    <Stack className={classes.side} gap={2} align="flex-end">
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconAdjustments size={16} aria-hidden />}
        aria-label={t('optionsFor', {
          name: accountName(account),
          platform: platformName(account.platform),
        })}
        onClick={() => onOptions(account.id)}
      >
        {t('options')}
      </Button>
      <Text
        size="xs"
        ta="end"
        c={problemIn(chosen) ? 'var(--mantine-color-error)' : open > 0 ? undefined : 'dimmed'}
        fw={open > 0 ? 600 : undefined}
      >
        {problemIn(chosen) ? t('invalid') : open > 0 ? t('unanswered', { count: open }) : parts.join(', ')}
      </Text>
    </Stack>
  );
}
