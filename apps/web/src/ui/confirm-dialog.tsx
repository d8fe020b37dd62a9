import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Failure } from './failure.tsx';

interface ConfirmDialogProps {
  title: string;
  /** Describes what is lost. */
  text: string;
  action: string;
  /** Of the button that closes the dialog. Default: "Keep". */
  keep?: string;
  isPending: boolean;
  error: Error | null;
  onConfirm(): Promise<unknown>;
  onClose(): void;
  /** An action that destroys nothing, as the main one. */
  instead?: { action: string; isPending: boolean; onConfirm(): Promise<unknown> };
}

/** Asks for confirmation of a destructive action. It closes on success, and shows the error on failure. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, text, action, keep, isPending, error, onConfirm, onClose, instead } = props;
  const t = useTranslations('states');
  const close = (confirmed: Promise<unknown>) => void confirmed.then(onClose, () => {});
  return (
    <Modal opened onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        <Text>{text}</Text>
        <Failure error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {keep ?? t('keep')}
          </Button>
          <Button
            {...(instead ? { color: 'red', variant: 'light' } : { color: 'red.9' })}
            loading={isPending}
            onClick={() => close(onConfirm())}
          >
            {action}
          </Button>
          {instead && (
            <Button loading={instead.isPending} onClick={() => close(instead.onConfirm())}>
              {instead.action}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
