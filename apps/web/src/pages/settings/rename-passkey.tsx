import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import type { Passkey } from '@reelay/sdk';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useRenamePasskey } from '../../queries/passkeys.ts';
import { Failure } from '../../ui/failure.tsx';

/** In UTF-16 units. */
const MAX_NAME = 100;

export function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose(): void }) {
  const t = useTranslations('settings');
  const tStates = useTranslations('states');
  const [name, setName] = useState(passkey.name);
  const rename = useRenamePasskey();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await rename.mutateAsync({ id: passkey.id, name });
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('passkeyRenameTitle')}
      centered
      closeButtonProps={{ 'aria-label': tStates('close') }}
    >
      <form onSubmit={(event) => void submit(event).catch(() => {})}>
        <Stack>
          <TextInput
            label={t('passkeyName')}
            required
            maxLength={MAX_NAME}
            data-autofocus
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Failure error={rename.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={rename.isPending} disabled={name.trim() === ''}>
              {t('passkeyRename')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
