/** The chosen or stored video: its upload, checks, preview and cover. Loaded when there is one. */
import { Alert, Group, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { UploadJob } from '../../../drafts/upload-machine.ts';
import { useDraft, useDraftStore, useUpload } from '../../../drafts/use-upload.tsx';
import { IconCheck, IconInfoCircle } from '../../../ui/icons/index.ts';
import { PreviewProgress } from '../../../ui/preview-progress.tsx';
import { partOf } from './part.ts';
import { PhonePreview, type PreviewedPost } from './preview/phone-preview.tsx';
import type { VideoSource } from './read-facts.ts';
import { UploadStatus } from './upload-status.tsx';
import type { VideoState } from './use-video.ts';
import { VideoChecks } from './video-checks.tsx';
import { VideoEditor } from './video-editor.tsx';

export interface ChosenVideoProps extends PreviewedPost {
  video: VideoState;
}

/** @param job null: this tab does not have the file of the finished upload */
export function ChosenVideo({ job, video, accounts, textOf }: ChosenVideoProps & { job: UploadJob | null }) {
  const t = useTranslations('composeVideo');
  const draft = useDraft();
  const { fit, upload } = draft;
  const { change } = useDraftStore();
  const { manager } = useUpload();
  const { source, facts, problems, making } = video;
  const url = useUrl(facts ? source : null);
  const seconds = facts?.seconds ?? null;
  const part = seconds === null ? { start: 0, end: null } : partOf(draft, seconds);
  const cover = part.start + draft.previewTime;
  /** The edge of the part that was moved last, in seconds; null: the cover is shown. */
  const [moved, setMoved] = useState<number | null>(null);
  const isCropped = fit === 'crop' && problems.includes('notVertical');
  return (
    <>
      {job?.replaced && job.status !== 'done' && (
        <Alert color="blue" icon={<IconInfoCircle aria-hidden />} role="status">
          {t('otherFile', { chosen: job.file.name, before: job.replaced })}
        </Alert>
      )}
      {job && <UploadStatus job={job} manager={manager} />}
      {!job && upload && (
        <Group gap={6} wrap="nowrap" align="flex-start">
          <IconCheck size={18} aria-hidden style={{ flex: 'none', marginTop: 3 }} />
          <Text style={{ overflowWrap: 'anywhere' }}>{t('uploaded', { name: upload.name })}</Text>
        </Group>
      )}
      {facts === undefined && problems.length === 0 && <Text size="sm">{t('checking')}</Text>}
      {making !== null && <PreviewProgress done={making} />}
      <VideoChecks facts={facts} problems={problems} fit={fit} onFit={(chosen) => change({ fit: chosen })} />
      {(url !== null || facts === null) && (
        <PhonePreview
          url={url}
          isMaking={making !== null}
          accounts={accounts}
          textOf={textOf}
          shown={{ fit, cropPosition: draft.cropPosition, start: part.start, end: part.end, at: moved ?? cover }}
        />
      )}
      {url !== null && facts && (
        <VideoEditor
          url={url}
          facts={facts}
          isCropped={isCropped}
          isTooLong={problems.includes('tooLong')}
          draft={draft}
          change={change}
          onMoved={setMoved}
        />
      )}
    </>
  );
}

/** For a file, an object URL that is revoked when the component unmounts. */
function useUrl(source: VideoSource | null): string | null {
  const [made, setMade] = useState<{ file: File; url: string } | null>(null);
  useEffect(() => {
    if (source === null || typeof source === 'string') return;
    const url = URL.createObjectURL(source);
    setMade({ file: source, url });
    return () => URL.revokeObjectURL(url);
  }, [source]);
  if (typeof source === 'string') return source;
  return source !== null && made?.file === source ? made.url : null;
}
