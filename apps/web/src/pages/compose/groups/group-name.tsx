/** Asks for the name of a group. */
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Failure } from '../../../ui/failure.tsx';
import { MAX_NAME, nameOf } from './group-names.ts';

interface GroupNameProps {
  /** "": a new group. */
  name: string;
  /** Names of the other groups. */
  others: readonly string[];
  isPending: boolean;
  error: Error | null;
  onSave(name: string): void;
  onClose(): void;
}

export function GroupName({ name, others, isPending, error, onSave, onClose }: GroupNameProps) {
  const t = useTranslations('postOptions');
  const [typed, setTyped] = useState(name);
  const wanted = nameOf(typed);
  return (
    <Modal
      opened
      onClose={onClose}
      title={name === '' ? t('group.save') : t('group.rename')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted !== '' && !isPending) onSave(wanted);
        }}
      >
        <Stack>
          <TextInput
            label={t('group.name')}
            description={name === '' ? t('group.hint') : undefined}
            data-autofocus
            maxLength={MAX_NAME}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          {others.includes(wanted) && (
            <Text size="sm" role="status">
              {t('group.replaces', { name: wanted })}
            </Text>
          )}
          <Failure error={error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" disabled={wanted === ''} loading={isPending}>
              {t('save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
