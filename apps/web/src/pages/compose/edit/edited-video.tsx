/** The video of a post that is changed: the stored one with its cover, or another one. */

import { NumberInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useDraft, useDraftStore, useUpload } from '../../../drafts/use-upload.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { mediaAddress } from '../../../ui/media-address.ts';
import { PreviewProgress } from '../../../ui/preview-progress.tsx';
import { videoUrl } from '../../../ui/stored-video.ts';
import type { ChosenVideoProps } from '../video/chosen-video.tsx';
import { CoverPicker } from '../video/cover-picker.tsx';
import { PhonePreview } from '../video/preview/phone-preview.tsx';
import { usePlayable } from '../video/use-playable.ts';
import { VIDEO_LIMITS } from '../video/video-check.ts';
import { VideoDrop } from '../video/video-drop.tsx';
import { VideoField } from '../video/video-field.tsx';

const LostVideo = lazyPart(async () => (await import('../video/lost-video.tsx')).LostVideo);

interface EditedVideoProps extends ChosenVideoProps {
  postId: string;
  /** Of the thumbnail. */
  filename: string;
  /** Whether the video cannot be changed. */
  isFixed: boolean;
  /** The service no longer has the new video. */
  isLost: boolean;
  /** Position of the cover of the stored video, in seconds. */
  before: number;
}

export function EditedVideo({ postId, filename, isFixed, isLost, before, ...chosen }: EditedVideoProps) {
  const t = useTranslations('post');
  const { pending, upload, previewTime } = useDraft();
  const { change } = useDraftStore();
  const { job, manager } = useUpload();
  const stored = { of: 'post', id: postId } as const;
  const isOther = Boolean(job || pending || upload);
  const { source, facts, making } = usePlayable(isOther ? null : videoUrl(stored), stored);
  // Only a new video is a file.
  const url = facts && typeof source === 'string' ? source : null;
  if (isOther)
    return (
      <VideoField
        {...chosen}
        removeText={t('keepVideo')}
        onRemove={() => {
          manager.remove();
          change({ previewTime: before });
        }}
      />
    );
  return (
    <Stack>
      {isLost && <LostVideo />}
      {making !== null && <PreviewProgress done={making} />}
      <PhonePreview
        url={url}
        isMaking={making !== null}
        picture={mediaAddress(filename)}
        accounts={chosen.accounts}
        textOf={chosen.textOf}
        shown={{ fit: null, cropPosition: 0, start: 0, end: null, at: previewTime }}
      />
      {!isFixed && (
        <>
          {url !== null && facts?.seconds ? (
            <CoverPicker
              url={url}
              seconds={facts.seconds}
              value={previewTime}
              onChange={(chosen) => change({ previewTime: chosen })}
            />
          ) : (
            facts === null && making === null && <CoverField before={before} />
          )}
          <VideoDrop
            title={t('replaceVideo')}
            isCompact
            onChoose={(file) => {
              change({ previewTime: 0 });
              manager.choose(file);
            }}
          />
        </>
      )}
    </Stack>
  );
}

/** The position of the cover in a stored video that the browser cannot play. */
function CoverField({ before }: { before: number }) {
  const t = useTranslations('post');
  const { change } = useDraftStore();
  const { previewTime } = useDraft();
  const [typed, setTyped] = useState<number | string>(previewTime);
  return (
    <NumberInput
      label={t('coverAt')}
      description={t('coverHint')}
      value={typed}
      min={0}
      max={VIDEO_LIMITS.maxSeconds}
      step={0.5}
      decimalScale={1}
      onChange={(value) => {
        setTyped(value);
        change({ previewTime: typeof value === 'number' ? value : before });
      }}
    />
  );
}
