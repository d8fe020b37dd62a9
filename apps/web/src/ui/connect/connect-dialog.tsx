/** Asks for the input to connect or reconnect an account, and opens the platform's consent page if there is one. */
import { Button, Modal, PasswordInput, Select, Stack, Text, TextInput } from '@mantine/core';
import type { ConnectablePlatform, Platform } from '@reelay/sdk';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useConnect } from '../../queries/accounts.ts';
import { Failure } from '../failure.tsx';
import { useFormText } from '../rich-text.tsx';
import { fieldsOf, filledIn } from './connect-fields.ts';

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
  const textOf = useFormText();
  const connect = useConnect(retryPost);
  const [given, setGiven] = useState<Record<string, string>>({});
  const change = (name: string, value: string) => setGiven((before) => ({ ...before, [name]: value }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const again = account ? { account: account.id, ...(account.sandbox ? { sandbox: true } : {}) } : {};
    const { url } = await connect.mutateAsync({ platform: entry.platform, ...again, ...filledIn(given) });
    if (url) return;
    onConnected?.();
    onClose();
  };
  const title = account ? t('reconnectTitle', { name: account.username }) : t('connectTitle', { platform: entry.name });
  return (
    <Modal opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': tStates('close') }}>
      <form onSubmit={(event) => void submit(event).catch(() => {})}>
        <Stack>
          {account && <Text>{t('reconnectHint')}</Text>}
          {fieldsOf(entry).map(({ name, title: label, required, secret, values }) => {
            const common = {
              label: t(`field.${name}`),
              description: textOf(label),
              required,
              value: given[name] ?? '',
            };
            if (values)
              return (
                <Select
                  key={name}
                  {...common}
                  value={given[name] ?? null}
                  data={values.map((each) => ({ value: each.value, label: textOf(each.title) }))}
                  onChange={(value) => change(name, value ?? '')}
                />
              );
            const Input = secret ? PasswordInput : TextInput;
            return (
              <Input
                key={name}
                {...common}
                autoComplete="off"
                onChange={({ currentTarget: { value } }) => change(name, value)}
              />
            );
          })}
          <Failure error={connect.error} />
          <Button type="submit" loading={connect.isPending}>
            {account ? t('reconnect') : t('connectButton')}
          </Button>
        </Stack>
      </form>
    </Modal>
  );
}
