/** The video of the post: selection, checks and upload. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { useDraft, useUpload } from '../../../drafts/use-upload.tsx';
import { IconX } from '../../../ui/icons/index.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import type { ChosenVideoProps } from './chosen-video.tsx';
import { VideoDrop } from './video-drop.tsx';

const ChosenVideo = lazyPart(async () => (await import('./chosen-video.tsx')).ChosenVideo, { Fallback: Checking });
const UnfinishedVideo = lazyPart(async () => (await import('./unfinished-video.tsx')).UnfinishedVideo);

interface VideoFieldProps extends ChosenVideoProps {
  /** Default: "Remove video". */
  removeText?: string;
  onRemove?(): void;
}

export function VideoField({ removeText, onRemove, ...chosen }: VideoFieldProps) {
  const t = useTranslations('composeVideo');
  const { pending, upload } = useDraft();
  const { job, manager } = useUpload();
  const choose = (file: File) => manager.choose(file);
  if (!job && !pending && !upload) return <VideoDrop onChoose={choose} />;
  const isUnfinished = pending !== null && !job && !upload;
  return (
    <Stack>
      {isUnfinished ? <UnfinishedVideo pending={pending} onChoose={choose} /> : <ChosenVideo job={job} {...chosen} />}
      <Group>
        <Button variant="default" leftSection={<IconX size={16} aria-hidden />} onClick={onRemove ?? manager.remove}>
          {removeText ?? t('remove')}
        </Button>
      </Group>
    </Stack>
  );
}

function Checking() {
  const t = useTranslations('composeVideo');
  return <Text size="sm">{t('checking')}</Text>;
}
