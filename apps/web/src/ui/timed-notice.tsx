/** A short message above the page, with an action. */
import { Affix, Group, Notification, Text } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

/** How long a notice is shown, in ms. */
export const NOTICE_MS = 10_000;

interface TimedNoticeProps {
  /** Null: there is no notice. Screen readers read one that replaces it. */
  text: string | null;
  action?: ReactNode;
  /** What it reports. The time starts again for another event. */
  event: unknown;
  closeLabel: string;
  /** Whether it reports a failure. Then it stays until it is closed. */
  isAlert?: boolean;
  onClose(): void;
}

/** Its time stops while the pointer or the focus is on it. */
export function TimedNotice({ text, action, event, closeLabel, isAlert = false, onClose }: TimedNoticeProps) {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (!event || isAlert || isHeld) return;
    const timer = setTimeout(onClose, NOTICE_MS);
    return () => clearTimeout(timer);
  }, [event, isAlert, isHeld, onClose]);
  return (
    <Affix position={{ bottom: PLACE, left: 16, right: 16 }} style={{ pointerEvents: 'none' }}>
      <div role={isAlert ? 'alert' : 'status'}>
        {text !== null && (
          <Notification
            // The region around it is the status or the alert.
            role="presentation"
            color={isAlert ? 'red' : 'green'}
            withBorder
            maw={440}
            mx="auto"
            style={{ pointerEvents: 'auto' }}
            onClose={onClose}
            closeButtonProps={{ 'aria-label': closeLabel }}
            onMouseEnter={() => setIsHeld(true)}
            onMouseLeave={() => setIsHeld(false)}
            onFocus={() => setIsHeld(true)}
            onBlur={() => setIsHeld(false)}
          >
            <Group justify="space-between" wrap="nowrap">
              <Text size="sm" c="var(--mantine-color-text)">
                {text}
              </Text>
              {action}
            </Group>
          </Notification>
        )}
      </div>
    </Affix>
  );
}

/** Above the bars at the bottom of the page. */
const PLACE = 'calc(1rem + var(--app-shell-footer-offset, 0px) + var(--submit-bar-height, 0px))';
