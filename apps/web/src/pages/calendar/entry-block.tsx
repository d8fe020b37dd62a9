/** A post in the grid of a month or a week. */

import { ActionIcon, Box, Image, VisuallyHidden } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CSSProperties, DragEvent } from 'react';
import { useTranslations } from 'use-intl';
import { IconClockEdit, IconUsers } from '../../ui/icons/index.ts';
import { mediaAddress } from '../../ui/media-address.ts';
import { colorOf, StatusIcon } from '../../ui/status-badge.tsx';
import classes from './calendar.module.css';
import { startDrag } from './drag.ts';
import type { Entry } from './entries.ts';
import type { ZoneText } from './zone-text.ts';

interface EntryBlockProps {
  entry: Entry;
  text: ZoneText;
  style?: CSSProperties | undefined;
  /** Whether a thumbnail and a second line fit. */
  isTall?: boolean;
  onChangeTime(entry: Entry): void;
  onDrag(entry: Entry): void;
}

export function EntryBlock({ entry, text, style, isTall = false, onChangeTime, onDrag }: EntryBlockProps) {
  const t = useTranslations('calendar');
  const tStatus = useTranslations('status');
  const color = colorOf(entry.status);
  const words = entry.words || t('noDescription');
  const time = text.time(entry.at);
  const start = (event: DragEvent<HTMLElement>) => {
    startDrag(event, entry.id);
    // A browser cancels a drag if its source gets `pointer-events: none` while the drag starts.
    setTimeout(() => onDrag(entry));
  };
  return (
    <Box
      className={classes.block}
      style={style}
      __vars={{
        '--entry-background': `var(--mantine-color-${color}-light)`,
        '--entry-edge': `var(--mantine-color-${color}-filled)`,
      }}
      data-status={entry.status}
      data-tall={isTall || undefined}
      draggable={entry.isMovable}
      onDragStart={entry.isMovable ? start : undefined}
    >
      <Link to="/posts/$id" params={{ id: entry.id }} className={classes.blockLink} draggable={false} title={words}>
        {isTall && (
          <Image
            src={mediaAddress(entry.filename)}
            alt=""
            className={classes.blockPicture}
            loading="lazy"
            draggable={false}
          />
        )}
        <StatusIcon look={entry.status} />
        <VisuallyHidden>{tStatus(entry.status)}</VisuallyHidden>
        <time className={classes.blockTime} dateTime={new Date(entry.at).toISOString()}>
          {time}
        </time>
        <span className={classes.blockWords} dir="auto" translate="no">
          {words}
        </span>
        <span className={classes.blockAccounts}>
          <IconUsers size={12} aria-hidden />
          <span aria-hidden>{entry.accounts}</span>
          <VisuallyHidden>{t('accounts', { count: entry.accounts })}</VisuallyHidden>
        </span>
      </Link>
      {entry.isMovable && (
        <ActionIcon
          className={classes.blockChange}
          size={22}
          variant="default"
          aria-label={t('changeOf', { post: `${time} ${words}` })}
          title={t('change')}
          onClick={() => onChangeTime(entry)}
        >
          <IconClockEdit size={14} aria-hidden />
        </ActionIcon>
      )}
    </Box>
  );
}
