/** The user's passkeys, which replace password and code. */
import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { Passkey } from '@reelay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { passkeysHere, passkeysQuery, useAddPasskey, useRemovePasskey } from '../../queries/passkeys.ts';
import { signInOptionsQuery } from '../../queries/session.ts';
import { usePromptError } from '../../ui/prompt-error.ts';
import { ConfirmPassword } from './confirm-password.tsx';
import { RenamePasskey } from './rename-passkey.tsx';
import { Section } from './section.tsx';

type Asking = { to: 'add' } | { to: 'rename' | 'remove'; passkey: Passkey };

export function Passkeys() {
  const t = useTranslations('settings');
  const client = useClient();
  const { data: passkeys } = useSuspenseQuery(passkeysQuery(client));
  const { data: options } = useSuspenseQuery(signInOptionsQuery(client));
  const [asking, setAsking] = useState<Asking | null>(null);
  const add = useAddPasskey();
  const remove = useRemovePasskey();
  const addError = usePromptError(add.error);
  const ask = (next: Asking) => {
    add.reset();
    remove.reset();
    setAsking(next);
  };
  const close = () => setAsking(null);
  return (
    <Section id="passkeys" title={t('passkeys')} hint={t('passkeysHint')}>
      {passkeys.map((each) => (
        <PasskeyRow
          key={each.id}
          passkey={each}
          onRename={() => ask({ to: 'rename', passkey: each })}
          onRemove={() => ask({ to: 'remove', passkey: each })}
        />
      ))}
      <AddPasskey host={options.passkeyHost} isFirst={passkeys.length === 0} onAdd={() => ask({ to: 'add' })} />
      {asking?.to === 'add' && (
        <ConfirmPassword
          title={t('passkeyAdd')}
          text={t('passkeyPassword')}
          isDangerous={false}
          isPending={add.isPending}
          error={addError}
          onConfirm={(password) => add.mutateAsync(password)}
          onClose={close}
        />
      )}
      {asking?.to === 'rename' && <RenamePasskey passkey={asking.passkey} onClose={close} />}
      {asking?.to === 'remove' && (
        <ConfirmPassword
          title={t('passkeyRemove')}
          text={t('passkeyLost', { name: asking.passkey.name })}
          isDangerous
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={(password) => remove.mutateAsync({ id: asking.passkey.id, password })}
          onClose={close}
        />
      )}
    </Section>
  );
}

interface PasskeyRowProps {
  passkey: Passkey;
  onRename(): void;
  onRemove(): void;
}

function PasskeyRow({ passkey: { name, createdAt, lastUsedAt }, onRename, onRemove }: PasskeyRowProps) {
  const t = useTranslations('settings');
  const format = useFormatter();
  const day = (at: string) => format.dateTime(new Date(at), { dateStyle: 'medium' });
  const used = lastUsedAt ? t('passkeyUsed', { at: day(lastUsedAt) }) : t('passkeyUnused');
  return (
    <Group justify="space-between" component="article" aria-label={name}>
      <Stack gap={0} miw={0}>
        <Text fw={600} translate="no" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {`${t('passkeyAdded', { at: day(createdAt) })} · ${used}`}
        </Text>
      </Stack>
      <Group gap="xs">
        <Button size="xs" variant="subtle" onClick={onRename}>
          {t('passkeyRename')}
        </Button>
        <Button size="xs" variant="subtle" color="red" onClick={onRemove}>
          {t('passkeyRemove')}
        </Button>
      </Group>
    </Group>
  );
}

/** The button to add a passkey, or the reason why none can be added here. */
function AddPasskey({ host, isFirst, onAdd }: { host: string | null; isFirst: boolean; onAdd(): void }) {
  const t = useTranslations('settings');
  const availability = passkeysHere(host);
  if (availability === 'ready')
    return (
      <Group>
        <Button variant="default" onClick={onAdd}>
          {isFirst ? t('passkeyAdd') : t('passkeyAddMore')}
        </Button>
      </Group>
    );
  if (availability === 'unsupported') return <Text c="dimmed">{t('passkeyUnsupported')}</Text>;
  if (availability === 'no-host') return <Text c="dimmed">{t('passkeyNoHost')}</Text>;
  const { protocol, port, pathname } = window.location;
  const address = `${protocol}//${host}${port && `:${port}`}`;
  return (
    <Text c="dimmed">
      {t('passkeyOtherHost')} <Anchor href={address + pathname}>{address}</Anchor>
    </Text>
  );
}
