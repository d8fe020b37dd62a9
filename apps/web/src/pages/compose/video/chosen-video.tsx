/** The chosen video: its upload, checks, preview and cover. Loaded when a file is chosen. */
import { Alert, Text } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { UploadJob } from '../../../drafts/upload-machine.ts';
import { useDraft, useDraftStore, useUpload } from '../../../drafts/use-upload.tsx';
import { IconInfoCircle } from '../../../ui/icons/index.ts';
import { CoverPicker } from './cover-picker.tsx';
import { PhonePreview } from './phone-preview.tsx';
import { UploadStatus } from './upload-status.tsx';
import type { VideoState } from './use-video.ts';
import { VideoChecks } from './video-checks.tsx';

export interface ChosenVideoProps {
  video: VideoState;
  accounts: readonly Platform[];
  captionOf(account: Platform | undefined): string;
}

export function ChosenVideo({ job, video, accounts, captionOf }: ChosenVideoProps & { job: UploadJob }) {
  const t = useTranslations('composeVideo');
  const { fit, previewTime } = useDraft();
  const { change } = useDraftStore();
  const { manager } = useUpload();
  const { file, facts, problems } = video;
  const url = useObjectUrl(facts ? file : null);
  const seconds = facts?.seconds ?? 0;
  return (
    <>
      {job.replaced && job.status !== 'done' && (
        <Alert color="blue" icon={<IconInfoCircle aria-hidden />} role="status">
          {t('otherFile', { chosen: job.file.name, before: job.replaced })}
        </Alert>
      )}
      <UploadStatus job={job} manager={manager} />
      {facts === undefined && problems.length === 0 && <Text size="sm">{t('checking')}</Text>}
      <VideoChecks facts={facts} problems={problems} fit={fit} onFit={(chosen) => change({ fit: chosen })} />
      {(url !== null || facts === null) && (
        <PhonePreview url={url} accounts={accounts} captionOf={captionOf} fit={fit} cover={previewTime} />
      )}
      {url !== null && seconds > 0 && (
        <CoverPicker
          url={url}
          seconds={seconds}
          value={previewTime}
          onChange={(chosen) => change({ previewTime: chosen })}
        />
      )}
    </>
  );
}

/** An object URL of the file, revoked when the component unmounts. */
function useObjectUrl(file: File | null): string | null {
  const [made, setMade] = useState<{ file: File; url: string } | null>(null);
  useEffect(() => {
    if (!file) return;
    const url = URL.createObjectURL(file);
    setMade({ file, url });
    return () => URL.revokeObjectURL(url);
  }, [file]);
  return file !== null && made?.file === file ? made.url : null;
}
