/** Asks for the password before a security setting changes. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Failure } from '../../ui/failure.tsx';
import { PasswordField } from '../../ui/password-field.tsx';

interface ConfirmPasswordProps {
  /** Also the label of the confirm button. */
  title: string;
  /** Describes the change and what is lost. */
  text: string;
  isDangerous: boolean;
  isPending: boolean;
  error: Error | null;
  onConfirm(password: string): Promise<unknown>;
  onClose(): void;
}

export function ConfirmPassword(props: ConfirmPasswordProps) {
  const { title, text, isDangerous, isPending, error, onConfirm, onClose } = props;
  const t = useTranslations('settings');
  const tStates = useTranslations('states');
  const [password, setPassword] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await onConfirm(password);
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': tStates('close') }}>
      <form onSubmit={(event) => void submit(event).catch(() => {})}>
        <Stack>
          <Text>{text}</Text>
          <PasswordField
            label={t('password')}
            autoComplete="current-password"
            data-autofocus
            value={password}
            onChange={({ currentTarget }) => setPassword(currentTarget.value)}
          />
          <Failure error={error} texts={{ invalid_password: t('passwordWrong') }} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('cancel')}
            </Button>
            <Button type="submit" color={isDangerous ? 'red.9' : undefined} loading={isPending}>
              {title}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
