/** The button that opens the notifications, with the number of unread ones. The list is loaded on the first press. */
import { ActionIcon, Indicator } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { usePolling } from '../../live/use-live.ts';
import { useClient } from '../../queries/client.ts';
import { unreadQuery } from '../../queries/notifications.ts';
import { IconBell } from '../../ui/icons/index.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { withMoreTexts } from '../more-texts.tsx';

const Panel = lazyPart(
  withMoreTexts(async () => (await import('./panel.tsx')).default),
  { isOverlay: true },
);

/** How often the number is read while live updates do not arrive, in ms. */
const POLL_MS = 30_000;
/** Larger numbers do not fit into the badge. */
const MAX_SHOWN = 99;

export function Bell() {
  const t = useTranslations('shell');
  const { data: unread = 0 } = useQuery({ ...unreadQuery(useClient()), refetchInterval: usePolling(POLL_MS) });
  const [isOpen, { open, close }] = useDisclosure();
  const [isLoaded, setIsLoaded] = useState(false);
  return (
    <>
      <Indicator
        label={unread > MAX_SHOWN ? `${MAX_SHOWN}+` : unread}
        disabled={unread === 0}
        color="red.8"
        size={18}
        offset={6}
        styles={{ indicator: { pointerEvents: 'none' } }}
      >
        <ActionIcon
          variant="subtle"
          size="lg"
          color="gray"
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          aria-label={t('bell', { count: unread })}
          onClick={() => {
            setIsLoaded(true);
            open();
          }}
        >
          <IconBell aria-hidden />
        </ActionIcon>
      </Indicator>
      {isLoaded && <Panel isOpen={isOpen} onClose={close} />}
    </>
  );
}
