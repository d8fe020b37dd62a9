import { Alert } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { IconAlertCircle } from '../../../ui/icons/index.ts';

/** The service no longer has the uploaded video. */
export function LostVideo() {
  const t = useTranslations('composeVideo');
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert">
      {t('expired')}
    </Alert>
  );
}
