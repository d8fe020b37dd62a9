/** The details of an account: access, daily posts and settings. */
import { Alert, Button, Center, Drawer, Group, Loader, Stack, Text } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { accountQuery } from '../../queries/accounts.ts';
import { useClient } from '../../queries/client.ts';
import { Failure } from '../../ui/failure.tsx';
import { IconAlertTriangle } from '../../ui/icons/index.ts';
import { UnsavedGuard } from '../../ui/unsaved-guard.tsx';
import { AccountAccess } from './account-access.tsx';
import { AccountHead } from './account-head.tsx';
import { AccountSettings } from './account-settings.tsx';
import { DisconnectDialog } from './disconnect-dialog.tsx';
import { PostsLeft } from './posts-left.tsx';

interface AccountPanelProps {
  account: Platform;
  onReconnect(): void;
  /** Navigates, so that unsaved changes are not lost silently. */
  onClose(): void;
}

export function AccountPanel({ account: listed, onReconnect, onClose }: AccountPanelProps) {
  const t = useTranslations('accounts');
  const tStates = useTranslations('states');
  const { data: account, error } = useQuery(accountQuery(useClient(), listed.id));
  const [isDirty, setIsDirty] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const problems = [listed.detail, ...listed.warnings.map(({ text }) => text)].filter((text) => text !== undefined);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={t('details')}
      closeButtonProps={{ 'aria-label': tStates('close') }}
    >
      <Stack gap="xl">
        <Stack gap="xs">
          <AccountHead account={listed} />
        </Stack>
        {problems.length > 0 && (
          <Alert color="orange" icon={<IconAlertTriangle aria-hidden />}>
            {problems.map((text) => (
              <Text key={text} size="sm">
                {text}
              </Text>
            ))}
          </Alert>
        )}
        <Failure error={error} />
        {!account && !error && (
          <Center mih={160}>
            <Loader aria-label={tStates('loading')} />
          </Center>
        )}
        {account && (
          <>
            <AccountAccess account={account} onReconnect={onReconnect} />
            {account.postsLeft && <PostsLeft left={account.postsLeft} />}
            <AccountSettings account={account} onDirty={setIsDirty} />
          </>
        )}
        <Group>
          <Button variant="subtle" color="red" onClick={() => setIsLeaving(true)}>
            {t('disconnect')}
          </Button>
        </Group>
      </Stack>
      {isLeaving && <DisconnectDialog account={listed} onClose={() => setIsLeaving(false)} />}
      <UnsavedGuard isDirty={isDirty} />
    </Drawer>
  );
}
