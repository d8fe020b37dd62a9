import { Anchor, Modal, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { contactLink } from './contact-link.ts';

interface AskOperatorProps {
  platform: string;
  /** The operator's email address or https URL; null if unknown. */
  contact: string | null;
  onClose(): void;
}

/** Explains that only the operator can set up a platform. */
export function AskOperator({ platform, contact, onClose }: AskOperatorProps) {
  const t = useTranslations('accounts');
  const tStates = useTranslations('states');
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('notSetUpTitle', { platform })}
      centered
      closeButtonProps={{ 'aria-label': tStates('close') }}
    >
      <Stack>
        <Text>{t('notSetUpHint', { platform })}</Text>
        {contact ? (
          <Text>
            {t('askAt')}{' '}
            <Anchor href={contactLink(contact, t('askSubject', { platform }))} target="_blank" rel="noreferrer">
              {contact}
            </Anchor>
          </Text>
        ) : (
          <Text>{t('askOperator')}</Text>
        )}
      </Stack>
    </Modal>
  );
}
