/** An upload that is not finished, and whose file this tab does not have: another tab sends it, or it must be chosen again. */
import { Alert } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { PendingUpload } from '../../../drafts/draft.ts';
import { percentOf } from '../../../drafts/transfer-rate.ts';
import { useDraft, useIsElsewhere } from '../../../drafts/use-upload.tsx';
import { IconInfoCircle } from '../../../ui/icons/index.ts';
import { VideoDrop } from './video-drop.tsx';

interface UnfinishedVideoProps {
  pending: PendingUpload;
  onChoose(file: File): void;
}

export function UnfinishedVideo({ pending, onChoose }: UnfinishedVideoProps) {
  const t = useTranslations('composeVideo');
  const { name, sent, bytes } = pending;
  if (useIsElsewhere(useDraft()))
    return (
      <Alert color="blue" icon={<IconInfoCircle aria-hidden />} role="status">
        {t('elsewhere', { name })}
      </Alert>
    );
  return (
    <>
      <Alert color="blue" icon={<IconInfoCircle aria-hidden />} title={t('unfinished')}>
        {t('continue', { name, percent: percentOf(sent, bytes) })}
      </Alert>
      <VideoDrop title={t('chooseAgain', { name })} onChoose={onChoose} />
    </>
  );
}
