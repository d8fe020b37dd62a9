/** Asks whether to use the video that another app shared. It is stored until it is uploaded or removed. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { identityOf, isSameFile } from '../../../drafts/draft.ts';
import {
  chooseSharedVideo,
  forgetSharedVideo,
  readSharedVideo,
  type SharedVideo as Shared,
} from '../../../drafts/shared-video.ts';
import { useDraft, useDraftStore, useUpload } from '../../../drafts/use-upload.tsx';
import { IconAlertCircle, IconShare3 } from '../../../ui/icons/index.ts';
import { fileProblem } from './video-check.ts';

export function SharedVideo() {
  const t = useTranslations('composeVideo');
  const { shared: outcome } = useSearch({ from: '/signed-in/' });
  const { pending, upload } = useDraft();
  const { job, manager } = useUpload();
  const { change } = useDraftStore();
  const [shared, setShared] = useState<Shared | null>(null);
  const [chosen, setChosen] = useState<File | null>(null);
  const unfinished = (job && identityOf(job.file)) ?? pending;
  const before = unfinished ?? upload;
  const resume = (file: File) => {
    if (!job || !isSameFile(identityOf(job.file), identityOf(file))) manager.choose(file);
    setChosen(file);
  };
  const choose = async ({ file, text }: Shared) => {
    change(({ description }) => (description.trim() === '' && text !== '' ? { description: text } : {}));
    // If this fails, a reload requires the user to choose the file again.
    await chooseSharedVideo(file).catch(() => {});
    setShared(null);
    resume(file);
  };
  const continueUpload = useEffectEvent((file: File) => {
    // A page that was closed at the end of the upload may not have deleted it.
    if (unfinished && isSameFile(unfinished, identityOf(file))) resume(file);
    else void forgetSharedVideo('chosen').catch(() => {});
  });
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const [asked, taken] = [await readSharedVideo('shared'), await readSharedVideo('chosen')];
      if (!isCurrent) return;
      setShared(asked);
      if (taken) continueUpload(taken.file);
    };
    void read().catch(() => {});
    return () => {
      isCurrent = false;
    };
  }, []);
  const discard = () => {
    setShared(null);
    void forgetSharedVideo('shared').catch(() => {});
  };
  const isOver =
    chosen !== null && (!job || job.status === 'done' || !isSameFile(identityOf(job.file), identityOf(chosen)));
  const end = useEffectEvent(() => {
    setChosen(null);
    void forgetSharedVideo('chosen').catch(() => {});
  });
  useEffect(() => {
    if (isOver) end();
  }, [isOver]);

  if (outcome === 'failed' && !job)
    return (
      <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />} title={t('shareFailed')}>
        {t('shareFailedHint')}
      </Alert>
    );
  if (!shared) return null;
  const problem = fileProblem(shared.file);
  return (
    <Alert
      color={problem ? 'red' : 'blue'}
      role={problem ? 'alert' : 'status'}
      icon={<IconShare3 aria-hidden />}
      title={t(problem ? 'refused' : 'shared', { name: shared.file.name })}
    >
      <Stack gap="sm">
        <Text size="sm">{problem ? t(`problem.${problem}`) : t(before ? 'sharedHint' : 'sharedQuestion')}</Text>
        <Group gap="xs">
          {!problem && <Button onClick={() => void choose(shared)}>{t(before ? 'useShared' : 'takeShared')}</Button>}
          <Button variant="default" onClick={discard}>
            {t('discardShared')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
