import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Failure } from './failure.tsx';

interface ConfirmDialogProps {
  title: string;
  /** Describes what is lost. */
  text: string;
  action: string;
  isPending: boolean;
  error: Error | null;
  onConfirm(): Promise<unknown>;
  onClose(): void;
}

/** Asks for confirmation of a destructive action. It closes on success, and shows the error on failure. */
export function ConfirmDialog({ title, text, action, isPending, error, onConfirm, onClose }: ConfirmDialogProps) {
  const t = useTranslations('states');
  const confirm = async () => {
    await onConfirm();
    onClose();
  };
  return (
    <Modal opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        <Text>{text}</Text>
        <Failure error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('keep')}
          </Button>
          <Button color="red.9" loading={isPending} onClick={() => void confirm().catch(() => {})}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
