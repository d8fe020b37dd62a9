/** The video of the post: choosing it, what is known about it, and its upload. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { percentOf } from '../../../drafts/transfer-rate.ts';
import { useDraft, useIsElsewhere, useUpload } from '../../../drafts/use-upload.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import type { ChosenVideoProps } from './chosen-video.tsx';
import { VideoDrop } from './video-drop.tsx';

const ChosenVideo = lazyPart(async () => (await import('./chosen-video.tsx')).ChosenVideo, { Fallback: Checking });

export function VideoField(chosen: ChosenVideoProps) {
  const t = useTranslations('composeVideo');
  const draft = useDraft();
  const { job, manager } = useUpload();
  const isElsewhere = useIsElsewhere(draft);
  const { pending, upload } = draft;
  const choose = (file: File) => manager.choose(file);
  if (!job && !pending && !upload) return <VideoDrop title={t('drop')} onChoose={choose} />;
  return (
    <Stack>
      {job && <ChosenVideo job={job} {...chosen} />}
      {!job && upload && (
        <>
          <Group gap={6} wrap="nowrap" align="flex-start">
            <IconCheck size={18} aria-hidden style={{ flex: 'none', marginTop: 3 }} />
            <Text style={{ overflowWrap: 'anywhere' }}>{t('uploaded', { name: upload.name })}</Text>
          </Group>
          {upload.lastModified !== null && <VideoDrop title={t('chooseForPreview')} isCompact onChoose={choose} />}
        </>
      )}
      {!job && pending && isElsewhere && (
        <Alert color="blue" icon={<IconInfoCircle aria-hidden />} role="status">
          {t('elsewhere', { name: pending.name })}
        </Alert>
      )}
      {!job && pending && !isElsewhere && (
        <>
          <Alert color="blue" icon={<IconInfoCircle aria-hidden />} title={t('unfinished')}>
            {t('continue', { name: pending.name, percent: percentOf(pending.sent, pending.bytes) })}
          </Alert>
          <VideoDrop title={t('chooseAgain', { name: pending.name })} onChoose={choose} />
        </>
      )}
      <Group>
        <Button variant="default" leftSection={<IconX size={16} aria-hidden />} onClick={() => manager.remove()}>
          {t('remove')}
        </Button>
      </Group>
    </Stack>
  );
}

function Checking() {
  const t = useTranslations('composeVideo');
  return <Text size="sm">{t('checking')}</Text>;
}
