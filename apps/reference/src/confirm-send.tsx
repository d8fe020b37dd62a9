import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { MethodBadge } from './method-badge.tsx';
import type { Operation } from './operations.ts';

interface ConfirmSendProps {
  operation: Operation;
  warning: 'destroys' | 'publishes';
  onSend(): Promise<void>;
  onClose(): void;
}

/** Asks before a request is sent that cannot be undone. */
export function ConfirmSend({ operation, warning, onSend, onClose }: ConfirmSendProps) {
  const t = useTranslations('reference');
  const states = useTranslations('states');
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('confirmTitle', { name: operation.summary })}
      centered
      closeButtonProps={{ 'aria-label': states('close') }}
    >
      <Stack>
        <Group gap="xs" wrap="nowrap">
          <MethodBadge method={operation.method} />
          <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere' }}>
            {operation.path}
          </Text>
        </Group>
        <Text>{t(`confirm.${warning}`)}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button color={warning === 'destroys' ? 'red.9' : undefined} onClick={() => void onSend()}>
            {t('sendAnyway')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
