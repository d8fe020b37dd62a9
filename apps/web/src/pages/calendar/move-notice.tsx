import { Affix, Button, Group, Notification, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Notice } from './use-moves.ts';
import type { ZoneText } from './zone-text.ts';

interface MoveNoticeProps {
  notice: Notice | null;
  text: ZoneText;
  onUndo(notice: Extract<Notice, { kind: 'moved' }>): void;
  onClose(): void;
}

/** How long a success is shown, in ms. A refusal stays until it is closed. */
const SHOWN_MS = 10_000;

/** Shows the result of a move. Its timeout is paused while the pointer or the focus is on it. */
export function MoveNotice({ notice, text, onUndo, onClose }: MoveNoticeProps) {
  const t = useTranslations('calendar');
  const [isHeld, setIsHeld] = useState(false);
  const isRefused = notice?.kind === 'refused';
  useEffect(() => {
    if (!notice || isRefused || isHeld) return;
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => clearTimeout(timer);
  }, [notice, isRefused, isHeld, onClose]);
  const sentenceOf = (shown: Notice) => {
    const time = text.moment(shown.to);
    if (shown.kind === 'refused') return t(`refused.${shown.reason}`, { time, reason: shown.text });
    if (shown.kind === 'moved' && shown.skipped) return t('movedBehind', { time, skipped: text.wall(shown.skipped) });
    return t(shown.kind, { time });
  };
  return (
    <Affix position={{ bottom: 16, left: 16, right: 16 }} style={{ pointerEvents: 'none' }}>
      <div role={isRefused ? 'alert' : 'status'}>
        {notice && (
          <Notification
            // The region around it is the status or the alert.
            role="presentation"
            color={isRefused ? 'red' : 'green'}
            withBorder
            maw={440}
            mx="auto"
            style={{ pointerEvents: 'auto' }}
            onClose={onClose}
            closeButtonProps={{ 'aria-label': t('close') }}
            onMouseEnter={() => setIsHeld(true)}
            onMouseLeave={() => setIsHeld(false)}
            onFocus={() => setIsHeld(true)}
            onBlur={() => setIsHeld(false)}
          >
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" c="var(--mantine-color-text)">
                {sentenceOf(notice)}
              </Text>
              {notice.kind === 'moved' && (
                <Button size="compact-sm" variant="light" onClick={() => onUndo(notice)}>
                  {t('undo')}
                </Button>
              )}
            </Group>
          </Notification>
        )}
      </div>
    </Affix>
  );
}
