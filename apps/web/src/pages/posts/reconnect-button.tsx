/** Reconnects an account on which a post failed, and then retries the post on it. */
import { Button } from '@mantine/core';
import type { PostResult } from '@reelay/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { accountsQuery, catalogQuery } from '../../queries/accounts.ts';
import { useClient } from '../../queries/client.ts';
import { accountName } from '../../ui/account-name.tsx';
import { IconPlugConnected } from '../../ui/icons/index.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { platformName } from '../../ui/platform-icon.tsx';

const ConnectDialog = lazyPart(async () => (await import('../../ui/connect/connect-dialog.tsx')).ConnectDialog, {
  isOverlay: true,
});

interface ReconnectButtonProps {
  /** Id of the post. */
  post: string;
  result: PostResult;
  /** Whether reconnecting helps although the platform still accepts the access. */
  isConnectedToo: boolean;
  /** The account is connected again. */
  onConnected(): void;
}

export function ReconnectButton({ post, result, isConnectedToo, onConnected }: ReconnectButtonProps) {
  const t = useTranslations('post');
  const client = useClient();
  const { data: accounts } = useQuery(accountsQuery(client));
  const { data: catalog } = useQuery(catalogQuery(client));
  const [isOpen, setIsOpen] = useState(false);
  const account = accounts?.find(({ id }) => id === result.id);
  const entry = catalog?.find(({ platform }) => platform === result.platform);
  // A disconnected account is not listed, and is connected on the page of accounts.
  if (!account || !entry || (account.status === 'CONNECTED' && !isConnectedToo)) return null;
  const platform = platformName(result.platform);
  return (
    <>
      <Button
        size="compact-xs"
        leftSection={<IconPlugConnected size={14} aria-hidden />}
        aria-label={t('reconnectAs', { platform, account: accountName(result) })}
        onClick={() => setIsOpen(true)}
      >
        {t('reconnect', { platform })}
      </Button>
      {isOpen && (
        <ConnectDialog
          entry={entry}
          account={account}
          retryPost={post}
          onConnected={onConnected}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
