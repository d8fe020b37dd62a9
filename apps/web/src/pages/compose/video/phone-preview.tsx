/** Preview of the post in a phone's feed. */
import { Box, NativeSelect, Stack, Text, UnstyledButton } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Draft } from '../../../drafts/draft.ts';
import { AccountAvatar } from '../../../ui/account-avatar.tsx';
import {
  IconHeart,
  IconMessageCircle,
  IconPlayerPlayFilled,
  IconShare3,
  IconVideoOff,
} from '../../../ui/icons/index.ts';
import { platformName } from '../../../ui/platform-icon.tsx';
import classes from './video.module.css';

interface PhonePreviewProps {
  /** Object URL of the video; null if the browser cannot play it. */
  url: string | null;
  /** URL of a picture that is shown without a video. */
  picture?: string;
  accounts: readonly Platform[];
  captionOf(account: Platform | undefined): string;
  fit: Draft['fit'];
  /** Position of the cover in seconds. */
  cover: number;
}

export function PhonePreview({ url, picture, accounts, captionOf, fit, cover }: PhonePreviewProps) {
  const t = useTranslations('composeVideo');
  const [chosen, setChosen] = useState('');
  const account = accounts.find(({ id }) => id === chosen) ?? accounts[0];
  const name = account ? account.displayName || account.username : t('yourAccount');
  return (
    <Stack gap="sm">
      <section className={classes.phone} aria-label={t('preview')}>
        {url === null ? <Still picture={picture} /> : <Player url={url} fit={fit} cover={cover} />}
        <div className={classes.overlay}>
          {account && (
            <Box c="var(--mantine-color-text)">
              <AccountAvatar platform={account.platform} image={account.usernameImage} name={name} />
            </Box>
          )}
          <Text size="sm" fw={700} truncate className={classes.name} translate="no">
            {name}
          </Text>
          <Caption key={account?.id ?? ''} text={captionOf(account)} />
        </div>
        <div className={classes.signs} aria-hidden>
          <IconHeart size={26} />
          <IconMessageCircle size={26} />
          <IconShare3 size={26} />
        </div>
      </section>
      {accounts.length > 1 && (
        <NativeSelect
          label={t('previewFor')}
          value={account?.id ?? ''}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={accounts.map(({ id, platform, username, displayName }) => ({
            value: id,
            label: `${platformName(platform)}: ${displayName || username}`,
          }))}
        />
      )}
    </Stack>
  );
}

/** A picture, or the sign for a missing one. */
function Still({ picture }: { picture: string | undefined }) {
  const [missing, setMissing] = useState<string | null>(null);
  if (picture !== undefined && picture !== missing)
    return <img src={picture} alt="" className={classes.still} onError={() => setMissing(picture)} />;
  return (
    <div className={classes.none}>
      <IconVideoOff size={40} aria-hidden />
    </div>
  );
}

function Player({ url, fit, cover }: { url: string; fit: Draft['fit']; cover: number }) {
  const t = useTranslations('composeVideo');
  const video = useRef<HTMLVideoElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    video.current?.pause();
    if (video.current) video.current.currentTime = cover;
  }, [cover]);
  const toggle = () => {
    if (!video.current) return;
    // The browser may block autoplay.
    if (video.current.paused) void video.current.play().catch(() => {});
    else video.current.pause();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: captions are part of the user's video, if it has any */}
      <video
        ref={video}
        src={url}
        className={classes.media}
        style={{ objectFit: fit === 'crop' ? 'cover' : 'contain' }}
        playsInline
        loop
        preload="auto"
        tabIndex={-1}
        aria-label={t('video')}
        onLoadedMetadata={({ currentTarget }) => {
          currentTarget.currentTime = cover;
        }}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
      />
      <UnstyledButton className={classes.play} onClick={toggle} aria-label={isPlaying ? t('stop') : t('play')}>
        {!isPlaying && (
          <span className={classes.disc}>
            <IconPlayerPlayFilled size={26} aria-hidden />
          </span>
        )}
      </UnstyledButton>
    </>
  );
}

/** Cut off after two lines, as in a feed. */
function Caption({ text }: { text: string }) {
  const t = useTranslations('composeVideo');
  const [isExpanded, setExpanded] = useState(false);
  const [isCut, setCut] = useState(false);
  const line = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const { current } = line;
    if (current && !isExpanded && text !== '') setCut(current.scrollHeight > current.clientHeight + 1);
    if (text === '') setCut(false);
  }, [text, isExpanded]);
  if (text.trim() === '') return null;
  return (
    <>
      <Text
        ref={line}
        size="sm"
        dir="auto"
        translate="no"
        lineClamp={isExpanded ? undefined : 2}
        className={`${classes.text} ${isExpanded ? classes.expanded : ''}`}
        tabIndex={isExpanded ? 0 : undefined}
      >
        {text}
      </Text>
      {(isCut || isExpanded) && (
        <UnstyledButton
          className={classes.more}
          fz="sm"
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {isExpanded ? t('less') : t('more')}
        </UnstyledButton>
      )}
    </>
  );
}
