import type { Platform } from '@reelay/sdk';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { accountQuery, useDisconnect } from '../../queries/accounts.ts';
import { useClient } from '../../queries/client.ts';
import { accountName } from '../../ui/account-name.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';

/** Asks for confirmation before an account is disconnected, and lists what is lost. */
export function DisconnectDialog({ account, onClose }: { account: Platform; onClose(): void }) {
  const t = useTranslations('accounts');
  const disconnect = useDisconnect();
  const { data } = useQuery(accountQuery(useClient(), account.id));
  return (
    <ConfirmDialog
      title={t('disconnectTitle', { name: accountName(account) })}
      text={data ? t('disconnectLost', data.disconnecting) : t('disconnectHint')}
      action={t('disconnect')}
      isPending={disconnect.isPending}
      error={disconnect.error}
      onConfirm={() => disconnect.mutateAsync(account.id)}
      onClose={onClose}
    />
  );
}
