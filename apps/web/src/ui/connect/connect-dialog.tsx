/** Asks for the input to connect or reconnect an account, and opens the platform's consent page if there is one. */
import { Button, Modal, Stack, Text } from '@mantine/core';
import type { ConnectablePlatform, Platform } from '@reelay/sdk';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useConnect } from '../../queries/accounts.ts';
import { accountName } from '../account-name.tsx';
import { Failure } from '../failure.tsx';
import { ConnectField } from './connect-field.tsx';
import { fieldsOf, filledIn, valueIn } from './connect-fields.ts';

interface ConnectDialogProps {
  entry: ConnectablePlatform;
  /** The account to reconnect; null connects a new one. */
  account: Platform | null;
  /** Id of a post to retry on the account once it is reconnected. */
  retryPost?: string;
  /** The account was connected without a consent page. */
  onConnected?(): void;
  onClose(): void;
}

export function ConnectDialog({ entry, account, retryPost, onConnected, onClose }: ConnectDialogProps) {
  const t = useTranslations('accounts');
  const tStates = useTranslations('states');
  const connect = useConnect(retryPost);
  const [given, setGiven] = useState<Record<string, string>>({});
  const fields = fieldsOf(entry);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const again = account ? { account: account.id, ...(account.sandbox ? { sandbox: true } : {}) } : {};
    const { url } = await connect.mutateAsync({ platform: entry.platform, ...again, ...filledIn(fields, given) });
    if (url) return;
    onConnected?.();
    onClose();
  };
  const title = account
    ? t('reconnectTitle', { name: accountName(account) })
    : t('connectTitle', { platform: entry.name });
  return (
    <Modal opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': tStates('close') }}>
      <form onSubmit={(event) => void submit(event).catch(() => {})}>
        <Stack>
          {account && <Text>{t('reconnectHint')}</Text>}
          {fields.map((field) => (
            <ConnectField
              key={field.name}
              field={field}
              value={valueIn(field, given)}
              onChange={(value) => setGiven((before) => ({ ...before, [field.name]: value }))}
            />
          ))}
          <Failure error={connect.error} />
          <Button type="submit" loading={connect.isPending}>
            {account ? t('reconnect') : t('connectButton')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
