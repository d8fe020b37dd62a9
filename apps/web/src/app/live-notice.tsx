import { Paper, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useLiveState } from '../live/use-live.ts';
import { IconPlugConnectedX } from '../ui/icons/index.ts';
import classes from './live-notice.module.css';

/** A connection that is restored within this time, in ms, causes no notice. */
const GRACE_MS = 1_000;

/** Warns that the page may be out of date while live updates do not arrive. Screen readers announce it. */
export function LiveNotice() {
  const t = useTranslations('shell');
  const isDown = useLiveState() === 'down';
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    if (!isDown) return setIsShown(false);
    const timer = setTimeout(() => setIsShown(true), GRACE_MS);
    return () => clearTimeout(timer);
  }, [isDown]);
  return (
    <div role="status" className={classes.place}>
      {isShown && (
        <Paper withBorder shadow="md" radius="xl" px="md" py={6} className={classes.notice}>
          <IconPlugConnectedX size={16} aria-hidden />
          <Text size="sm">{t('reconnecting')}</Text>
        </Paper>
      )}
    </div>
  );
}
