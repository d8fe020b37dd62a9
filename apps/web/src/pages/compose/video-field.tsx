/** Choosing a video: drop or choose, upload with progress, play, and choose the cover. */
import { Box, Button, Group, Progress, Slider, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconMovie, IconUpload, IconX } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Failure } from '../../ui/failure.tsx';
import type { Draft } from './draft.ts';
import type { UploadState } from './use-upload.ts';

interface VideoFieldProps {
  file: File | null;
  upload: Draft['upload'];
  sending: UploadState | null;
  error: Error | null;
  previewTime: number;
  onChoose(file: File): void;
  onRemove(): void;
  onPreviewTime(seconds: number): void;
}

export function VideoField(props: VideoFieldProps) {
  const t = useTranslations('compose');
  const { file, upload, sending, error } = props;
  if (!file && !upload)
    return (
      <Stack>
        <Dropzone
          onDrop={([chosen]) => chosen && props.onChoose(chosen)}
          accept={['video/*']}
          multiple={false}
          h={{ base: 220, sm: 420 }}
          aria-label={t('chooseVideo')}
        >
          <Stack align="center" justify="center" mih={180} ta="center" style={{ pointerEvents: 'none' }}>
            <Dropzone.Accept>
              <IconUpload size={48} aria-hidden />
            </Dropzone.Accept>
            <Dropzone.Reject>
              <IconX size={48} aria-hidden />
            </Dropzone.Reject>
            <Dropzone.Idle>
              <IconMovie size={48} aria-hidden />
            </Dropzone.Idle>
            <Text fw={600}>{t('dropVideo')}</Text>
            <Text size="sm" c="dimmed">
              {t('videoHint')}
            </Text>
          </Stack>
        </Dropzone>
        <Failure error={error} />
      </Stack>
    );
  return (
    <Stack>
      {file ? <Player {...props} file={file} /> : <Text>{t('uploadedBefore', { name: upload?.name ?? '' })}</Text>}
      {sending && <UploadProgress state={sending} />}
      <Failure error={error} />
      <Group>
        <Button variant="default" leftSection={<IconX size={16} aria-hidden />} onClick={props.onRemove}>
          {t('removeVideo')}
        </Button>
        {error && file && <Button onClick={() => props.onChoose(file)}>{t('uploadAgain')}</Button>}
      </Group>
    </Stack>
  );
}

function UploadProgress({ state }: { state: UploadState }) {
  const t = useTranslations('compose');
  const format = useFormatter();
  const percent = state.total > 0 ? Math.floor((state.sent / state.total) * 100) : 0;
  const speed = format.number(state.speed / 1_000_000, { maximumFractionDigits: 1 });
  return (
    <Box>
      <Progress value={percent} animated aria-label={t('uploading')} />
      <Text size="sm" c="dimmed" aria-live="polite">
        {state.isWaiting ? t('uploadWaiting') : t('uploadProgress', { percent, speed })}
      </Text>
    </Box>
  );
}

function Player({ file, previewTime, onPreviewTime }: VideoFieldProps & { file: File }) {
  const t = useTranslations('compose');
  const video = useRef<HTMLVideoElement>(null);
  const [seconds, setSeconds] = useState(0);
  const url = useMemo(() => URL.createObjectURL(file), [file]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  const seek = (to: number) => {
    if (video.current) {
      video.current.pause();
      video.current.currentTime = to;
    }
  };
  return (
    <Stack>
      {/* biome-ignore lint/a11y/useMediaCaption: captions are part of the user's video, if it has any */}
      <video
        ref={video}
        src={url}
        controls
        playsInline
        preload="metadata"
        aria-label={t('preview')}
        style={{ width: '100%', maxHeight: 480, aspectRatio: '9 / 16', background: '#000', borderRadius: 16 }}
        onLoadedMetadata={({ currentTarget: { duration } }) => setSeconds(Number.isFinite(duration) ? duration : 0)}
      />
      {seconds > 0 && (
        <Box>
          <Text size="sm" fw={500}>
            {t('cover')}
          </Text>
          <Slider
            min={0}
            max={Math.floor(seconds * 10) / 10}
            step={0.1}
            value={Math.min(previewTime, seconds)}
            onChange={seek}
            onChangeEnd={onPreviewTime}
            label={(value) => t('seconds', { value: value.toFixed(1) })}
            thumbLabel={t('cover')}
          />
          <Text size="sm" c="dimmed">
            {t('coverHint')}
          </Text>
        </Box>
      )}
    </Stack>
  );
}
