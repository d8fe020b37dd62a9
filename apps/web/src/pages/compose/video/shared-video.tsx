/** Takes the video that another app has shared. It is kept until it is uploaded or removed. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertCircle, IconShare3 } from '@tabler/icons-react';
import { useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { identityOf, isSameFile } from '../../../drafts/draft.ts';
import { forgetSharedVideo, readSharedVideo } from '../../../drafts/shared-video.ts';
import { useDraft, useUpload } from '../../../drafts/use-upload.tsx';
import { fileProblem } from './video-check.ts';

export function SharedVideo() {
  const t = useTranslations('composeVideo');
  const { shared: outcome } = useSearch({ from: '/signed-in/' });
  const { pending, upload } = useDraft();
  const { job, manager } = useUpload();
  const [shared, setShared] = useState<File | null>(null);
  const [isChosen, setChosen] = useState(false);
  const isIt = (file: File | undefined) => file && shared && isSameFile(identityOf(file), identityOf(shared));
  const choose = (file: File) => {
    if (!job || !isSameFile(identityOf(job.file), identityOf(file))) manager.choose(file);
    setChosen(true);
  };
  const take = useEffectEvent((file: File) => {
    setShared(file);
    const before = (job && identityOf(job.file)) ?? pending ?? upload;
    // Another site can make the browser share something, so nothing is replaced without asking.
    if (fileProblem(file) === null && (!before || isSameFile(before, identityOf(file)))) choose(file);
  });
  useEffect(() => {
    let isCurrent = true;
    void readSharedVideo()
      .then((file) => file && isCurrent && take(file))
      .catch(() => {});
    return () => {
      isCurrent = false;
    };
  }, []);
  const forget = () => {
    setShared(null);
    void forgetSharedVideo().catch(() => {});
  };
  const isOver = isChosen && (!isIt(job?.file) || job?.status === 'done');
  const end = useEffectEvent(forget);
  useEffect(() => {
    if (isOver) end();
  }, [isOver]);

  if (outcome === 'failed' && !job)
    return (
      <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />} title={t('shareFailed')}>
        {t('shareFailedHint')}
      </Alert>
    );
  if (!shared || isChosen) return null;
  const problem = fileProblem(shared);
  return (
    <Alert
      color={problem ? 'red' : 'blue'}
      role={problem ? 'alert' : 'status'}
      icon={<IconShare3 aria-hidden />}
      title={t(problem ? 'refused' : 'shared', { name: shared.name })}
    >
      <Stack gap="sm">
        <Text size="sm">{problem ? t(`problem.${problem}`) : t('sharedHint')}</Text>
        <Group gap="xs">
          {!problem && <Button onClick={() => choose(shared)}>{t('useShared')}</Button>}
          <Button variant="default" onClick={forget}>
            {t('discardShared')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
