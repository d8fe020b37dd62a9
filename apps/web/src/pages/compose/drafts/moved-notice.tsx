/** Tells that a scheduled post became the draft on this page, and undoes it. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Draft } from '../../../drafts/draft.ts';
import { textOf } from '../../../drafts/stored-draft.ts';
import { NOTICE_MS, TimedNotice } from '../../../ui/timed-notice.tsx';

interface MovedNoticeProps {
  draft: Draft;
  /** Whether the draft can be posted without a change. */
  canUndo: boolean;
  /** Schedules the draft again. */
  onUndo(): void;
}

/** Shown until the draft is changed. */
export function MovedNotice({ draft, canUndo, onUndo }: MovedNoticeProps) {
  const t = useTranslations('drafts');
  const move = useLocation({ select: ({ state }) => state.movedPost });
  const [first] = useState(() => textOf(draft));
  const [isOpen, { close }] = useDisclosure(move !== undefined && Date.now() < move.at + NOTICE_MS);
  const isShown = isOpen && move?.draftId === draft.key && textOf(draft) === first;
  return (
    <TimedNotice
      event={isShown ? move : null}
      text={isShown ? t('moved') : null}
      action={
        canUndo && (
          <Button size="compact-sm" variant="light" onClick={onUndo}>
            {t('undo')}
          </Button>
        )
      }
      closeLabel={t('close')}
      onClose={close}
    />
  );
}
