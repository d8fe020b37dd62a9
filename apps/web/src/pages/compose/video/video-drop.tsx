/** Selects a video: by drop, paste or file dialog. It refuses files that cannot be a video. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconAlertCircle, IconMovie, IconUpload } from '../../../ui/icons/index.ts';
import { DropArea } from './drop-area.tsx';
import { EXTENSIONS, fileProblem, VIDEO_LIMITS, type VideoProblem } from './video-check.ts';

interface VideoDropProps {
  /** Absent: what can be done here. */
  title?: string;
  isCompact?: boolean;
  onChoose(file: File): void;
}

const ACCEPT = ['video/*', ...EXTENSIONS.map((each) => `.${each}`)].join(',');

export function VideoDrop({ title, isCompact = false, onChoose }: VideoDropProps) {
  const t = useTranslations('composeVideo');
  const [refused, setRefused] = useState<{ name: string; problem: VideoProblem | 'several' } | null>(null);
  const input = useRef<HTMLInputElement>(null);
  // Nothing can be dropped or pasted on a phone, but it has a camera.
  const isTouch = useMediaQuery('(pointer: coarse)', false, { getInitialValueInEffect: false });
  const take = (files: readonly File[]) => {
    const [file, ...others] = files;
    if (!file) return;
    const problem = others.length > 0 ? 'several' : fileProblem(file);
    setRefused(problem && { name: file.name, problem });
    if (!problem) onChoose(file);
  };
  const record = () => {
    input.current?.setAttribute('capture', 'environment');
    input.current?.click();
    input.current?.removeAttribute('capture');
  };
  useWindowEvent('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    // Ignores pictures and text that are pasted into the description.
    if (!files.some((file) => fileProblem(file) !== 'wrongKind')) return;
    event.preventDefault();
    take(files);
  });
  const icon = { size: isCompact ? 28 : 48, 'aria-hidden': true } as const;
  return (
    <Stack gap="sm">
      <DropArea accept={ACCEPT} height={isCompact ? 140 : { base: 220, sm: 420 }} input={input} onFiles={take}>
        {(isOver) => (
          <Stack align="center" justify="center" ta="center" gap="xs">
            {isOver ? <IconUpload {...icon} /> : <IconMovie {...icon} />}
            <Text fw={600}>{title ?? t(isTouch ? 'choose' : 'drop')}</Text>
            <Text size="sm" c="dimmed">
              {t('hint', {
                min: VIDEO_LIMITS.minSeconds,
                max: VIDEO_LIMITS.maxSeconds,
                size: Math.floor(VIDEO_LIMITS.bytes / 2 ** 20),
              })}
            </Text>
          </Stack>
        )}
      </DropArea>
      {isTouch && title === undefined && (
        <Button variant="default" size="md" onClick={record}>
          {t('record')}
        </Button>
      )}
      {refused && (
        <Alert
          color="red"
          role="alert"
          icon={<IconAlertCircle aria-hidden />}
          title={t('refused', { name: refused.name })}
        >
          {t(`problem.${refused.problem}`)}
        </Alert>
      )}
    </Stack>
  );
}
