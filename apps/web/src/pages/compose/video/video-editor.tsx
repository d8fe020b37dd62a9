/** What can be changed of a video that the browser plays: the frame, the part that is posted, and the cover. */
import { Button, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Draft } from '../../../drafts/draft.ts';
import { IconCut } from '../../../ui/icons/index.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { CoverPicker } from './cover-picker.tsx';
import { firstPart, isTrimmed, partOf, withPart } from './part.ts';
import { VIDEO_LIMITS, type VideoFacts } from './video-check.ts';

const CropPicker = lazyPart(async () => (await import('./crop-picker.tsx')).CropPicker);
const PartPicker = lazyPart(async () => (await import('./part-picker.tsx')).PartPicker);

interface VideoEditorProps {
  /** URL of the video. */
  url: string;
  facts: VideoFacts;
  /** Whether the edges of the picture are cut off. */
  isCropped: boolean;
  /** Whether only a part can be posted. */
  isTooLong: boolean;
  draft: Draft;
  change(fields: Partial<Draft>): void;
  /** @param at position of an edge of the part that was moved, in seconds; null: the cover was moved */
  onMoved(at: number | null): void;
}

export function VideoEditor({ url, facts, isCropped, isTooLong, draft, change, onMoved }: VideoEditorProps) {
  const t = useTranslations('composeVideo');
  const [isOpen, setOpen] = useState(false);
  const seconds = facts.seconds ?? 0;
  const part = partOf(draft, seconds);
  const needsPart = isTooLong && !isTrimmed(draft);
  useEffect(() => {
    if (needsPart) change(withPart({ previewTime: 0, trimStart: null, trimEnd: null }, firstPart(seconds), seconds));
  }, [needsPart, seconds, change]);
  if (seconds <= 0) return null;
  const mayTrim = seconds > VIDEO_LIMITS.minSeconds && seconds <= VIDEO_LIMITS.maxTrimmedSeconds;
  const showsPart = mayTrim && (isOpen || isTooLong || isTrimmed(draft));
  return (
    <>
      {isCropped && (
        <CropPicker
          url={url}
          size={facts}
          at={part.start + draft.previewTime}
          value={draft.cropPosition}
          onChange={(cropPosition) => change({ cropPosition })}
        />
      )}
      {showsPart && (
        <PartPicker
          url={url}
          seconds={seconds}
          part={part}
          onChange={(chosen, moved) => {
            change(withPart(draft, chosen, seconds));
            onMoved(moved);
          }}
          onReset={
            isTooLong
              ? undefined
              : () => {
                  setOpen(false);
                  change(withPart(draft, { start: 0, end: seconds }, seconds));
                  onMoved(null);
                }
          }
        />
      )}
      <CoverPicker
        url={url}
        start={part.start}
        seconds={part.end - part.start}
        value={draft.previewTime}
        onChange={(previewTime) => {
          change({ previewTime });
          onMoved(null);
        }}
      />
      {mayTrim && !showsPart && (
        <Group>
          <Button
            variant="default"
            size="sm"
            leftSection={<IconCut size={16} aria-hidden />}
            onClick={() => setOpen(true)}
          >
            {t('trim')}
          </Button>
        </Group>
      )}
    </>
  );
}
