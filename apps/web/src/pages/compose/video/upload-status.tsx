/** Progress of the upload, and a button to pause it. */
import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useFormatter, useTranslations } from 'use-intl';
import { percentOf, secondsLeft, speedOf } from '../../../drafts/transfer-rate.ts';
import type { UploadJob } from '../../../drafts/upload-machine.ts';
import type { UploadManager } from '../../../drafts/upload-manager.ts';
import { Failure } from '../../../ui/failure.tsx';
import { IconAlertCircle, IconCheck, IconPlayerPause, IconPlayerPlay } from '../../../ui/icons/index.ts';
import { useQuantities } from '../../../ui/quantities.tsx';
import { durationOf } from '../../../ui/units.ts';

export function UploadStatus({ job, manager }: { job: UploadJob; manager: UploadManager }) {
  const t = useTranslations('composeVideo');
  const { status, sent, file } = job;
  const percent = percentOf(sent, file.size);
  const isUnfinished = status === 'sending' || status === 'waiting' || status === 'paused';
  return (
    <Stack gap="xs">
      {isUnfinished && <Progress value={percent} aria-label={t('progress')} transitionDuration={200} />}
      {/* Announced when the state changes, not with every percent. */}
      <Text size="sm" c={status === 'done' ? undefined : 'dimmed'} role="status" component="div">
        {status === 'sending' && t('state.sending')}
        {status === 'waiting' && t('state.waiting')}
        {status === 'paused' && t('state.paused', { percent })}
        {status === 'done' && (
          <Group gap={6} wrap="nowrap">
            <IconCheck size={18} aria-hidden />
            {t('state.done')}
          </Group>
        )}
      </Text>
      {status === 'sending' && <Figures job={job} percent={percent} />}
      {status === 'failed' && <Failure error={job.error} />}
      {status === 'fileChanged' && (
        <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />} title={t('fileChanged')}>
          {t('fileChangedHint', { name: file.name })}
        </Alert>
      )}
      {status !== 'done' && (
        <Group gap="xs">
          {(status === 'sending' || status === 'waiting') && (
            <Button
              variant="default"
              leftSection={<IconPlayerPause size={16} aria-hidden />}
              onClick={() => manager.pause()}
            >
              {t('pause')}
            </Button>
          )}
          {status === 'waiting' && <Button onClick={() => manager.start()}>{t('tryNow')}</Button>}
          {(status === 'paused' || status === 'failed') && (
            <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => manager.start()}>
              {t('resume')}
            </Button>
          )}
        </Group>
      )}
    </Stack>
  );
}

function Figures({ job: { samples, sent, file }, percent }: { job: UploadJob; percent: number }) {
  const t = useTranslations('composeVideo');
  const format = useFormatter();
  const { bytes } = useQuantities();
  const speed = speedOf(samples);
  const left = secondsLeft(samples, file.size);
  const figures = [t('percent', { percent }), t('ofTotal', { sent: bytes(sent), total: bytes(file.size) })];
  if (speed !== null) figures.push(t('speed', { speed: bytes(speed) }));
  if (left !== null) {
    const { value, unit } = durationOf(Math.max(1, left));
    figures.push(t('left', { time: format.number(value, { style: 'unit', unit, unitDisplay: 'short' }) }));
  }
  return (
    <Text size="sm" c="dimmed">
      {figures.join(' · ')}
    </Text>
  );
}
