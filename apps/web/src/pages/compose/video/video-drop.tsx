/** Selects a video: by drop, paste or file dialog. It refuses files that cannot be a video. */
import { Alert, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { useWindowEvent } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { IconAlertCircle, IconMovie, IconUpload } from '../../../ui/icons/index.ts';
import { EXTENSIONS, fileProblem, VIDEO_LIMITS, type VideoProblem } from './video-check.ts';

interface VideoDropProps {
  title: string;
  isCompact?: boolean;
  onChoose(file: File): void;
}

const ACCEPT = ['video/*', ...EXTENSIONS.map((each) => `.${each}`)].join(',');

export function VideoDrop({ title, isCompact = false, onChoose }: VideoDropProps) {
  const t = useTranslations('composeVideo');
  const [refused, setRefused] = useState<{ name: string; problem: VideoProblem | 'several' } | null>(null);
  const take = (files: readonly File[]) => {
    const [file, ...others] = files;
    if (!file) return;
    const problem = others.length > 0 ? 'several' : fileProblem(file);
    setRefused(problem && { name: file.name, problem });
    if (!problem) onChoose(file);
  };
  useWindowEvent('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    // Ignores pictures and text that are pasted into the description.
    if (!files.some((file) => fileProblem(file) !== 'wrongKind')) return;
    event.preventDefault();
    take(files);
  });
  return (
    <Stack gap="sm">
      <Dropzone
        onDrop={take}
        inputProps={{ accept: ACCEPT }}
        h={isCompact ? 140 : { base: 220, sm: 420 }}
        aria-label={t('choose')}
      >
        <Stack align="center" justify="center" mih={isCompact ? 100 : 180} ta="center" gap="xs">
          <Dropzone.Accept>
            <IconUpload size={isCompact ? 28 : 48} aria-hidden />
          </Dropzone.Accept>
          <Dropzone.Idle>
            <IconMovie size={isCompact ? 28 : 48} aria-hidden />
          </Dropzone.Idle>
          <Text fw={600}>{title}</Text>
          <Text size="sm" c="dimmed">
            {t('hint', {
              min: VIDEO_LIMITS.minSeconds,
              max: VIDEO_LIMITS.maxSeconds,
              size: Math.floor(VIDEO_LIMITS.bytes / 2 ** 20),
            })}
          </Text>
        </Stack>
      </Dropzone>
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
