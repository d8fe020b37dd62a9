/** One post on a phone. The first frame is its poster, loaded when the phone is visible; the video plays on demand. */
import { ActionIcon, Group, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import type { SandboxPost } from '@reelay/sdk';
import { useEffect, useRef, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { IconExternalLink } from '../../ui/icons/index.ts';
import { PlatformIcon, platformName } from '../../ui/platform-icon.tsx';
import { PlayButton } from '../../ui/play-button.tsx';
import classes from './sandbox.module.css';

interface PhoneFrameProps {
  post: SandboxPost;
  isPlaying: boolean;
  onPlay(): void;
}

export function PhoneFrame({ post, isPlaying, onPlay }: PhoneFrameProps) {
  const t = useTranslations('sandbox');
  const format = useFormatter();
  const { platform, username, text, url, publishedAt } = post;
  const name = `${platformName(platform)}: ${username}`;
  return (
    <article className={classes.phone} aria-label={name}>
      <Group className={classes.bar} gap="xs" wrap="nowrap">
        <PlatformIcon platform={platform} size={18} />
        <Text size="sm" fw={600} truncate flex={1}>
          {platformName(platform)}
        </Text>
        {/^https?:/.test(url) && (
          <ActionIcon
            component="a"
            href={url}
            target="_blank"
            rel="noreferrer"
            variant="transparent"
            size="sm"
            c="inherit"
            aria-label={`${t('open')}: ${name}`}
          >
            <IconExternalLink size={18} aria-hidden />
          </ActionIcon>
        )}
      </Group>
      <Screen post={post} name={name} isPlaying={isPlaying} onPlay={onPlay} />
      <div className={classes.caption}>
        <Text size="sm" fw={600} truncate translate="no">
          {username}
        </Text>
        <Text size="sm" lineClamp={2} dir="auto" translate="no" className={classes.text}>
          {text || t('noCaption')}
        </Text>
        <Text size="xs" className={classes.time}>
          <time dateTime={publishedAt}>
            {format.dateTime(new Date(publishedAt), { dateStyle: 'medium', timeStyle: 'short' })}
          </time>
        </Text>
      </div>
    </article>
  );
}

function Screen({ post, name, isPlaying, onPlay }: PhoneFrameProps & { name: string }) {
  const t = useTranslations('sandbox');
  const { ref, inViewport } = useInViewport();
  const video = useRef<HTMLVideoElement>(null);
  const [wasSeen, setWasSeen] = useState(false);
  useEffect(() => {
    if (inViewport) setWasSeen(true);
  }, [inViewport]);
  useEffect(() => {
    // If the browser blocks autoplay, the controls remain.
    if (isPlaying) void video.current?.play().catch(() => {});
    else video.current?.pause();
  }, [isPlaying]);
  return (
    <div ref={ref} className={classes.screen}>
      {wasSeen && (
        // biome-ignore lint/a11y/useMediaCaption: captions are part of the user's video, if it has any
        <video
          ref={video}
          className={classes.video}
          src={`${post.video}#t=0.1`}
          preload="metadata"
          playsInline
          loop
          controls={isPlaying}
          tabIndex={isPlaying ? 0 : -1}
          aria-label={name}
        />
      )}
      {!isPlaying && <PlayButton label={t('play', { name })} onClick={onPlay} />}
    </div>
  );
}
