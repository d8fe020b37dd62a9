/** The draft's video if this tab does not have its file: uploaded, being sent by another tab, or unfinished. */
import { Alert, Group, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { percentOf } from '../../../drafts/transfer-rate.ts';
import { useDraft, useIsElsewhere } from '../../../drafts/use-upload.tsx';
import { IconCheck, IconInfoCircle } from '../../../ui/icons/index.ts';
import { VideoDrop } from './video-drop.tsx';

export function StoredVideo({ onChoose }: { onChoose(file: File): void }) {
  const t = useTranslations('composeVideo');
  const draft = useDraft();
  const { pending, upload } = draft;
  const isElsewhere = useIsElsewhere(draft);
  return (
    <>
      {upload && (
        <>
          <Group gap={6} wrap="nowrap" align="flex-start">
            <IconCheck size={18} aria-hidden style={{ flex: 'none', marginTop: 3 }} />
            <Text style={{ overflowWrap: 'anywhere' }}>{t('uploaded', { name: upload.name })}</Text>
          </Group>
          {upload.lastModified !== null && <VideoDrop title={t('chooseForPreview')} isCompact onChoose={onChoose} />}
        </>
      )}
      {pending && isElsewhere && (
        <Alert color="blue" icon={<IconInfoCircle aria-hidden />} role="status">
          {t('elsewhere', { name: pending.name })}
        </Alert>
      )}
      {pending && !isElsewhere && (
        <>
          <Alert color="blue" icon={<IconInfoCircle aria-hidden />} title={t('unfinished')}>
            {t('continue', { name: pending.name, percent: percentOf(pending.sent, pending.bytes) })}
          </Alert>
          <VideoDrop title={t('chooseAgain', { name: pending.name })} onChoose={onChoose} />
        </>
      )}
    </>
  );
}
