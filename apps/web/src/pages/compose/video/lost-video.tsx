import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';

/** The service no longer has the uploaded video. */
export function LostVideo() {
  const t = useTranslations('composeVideo');
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert">
      {t('expired')}
    </Alert>
  );
}
