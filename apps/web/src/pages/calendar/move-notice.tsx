import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { TimedNotice } from '../../ui/timed-notice.tsx';
import type { Notice } from './use-moves.ts';
import type { ZoneText } from './zone-text.ts';

interface MoveNoticeProps {
  notice: Notice | null;
  text: ZoneText;
  onUndo(notice: Extract<Notice, { kind: 'moved' }>): void;
  onClose(): void;
}

/** Shows the result of a move. */
export function MoveNotice({ notice, text, onUndo, onClose }: MoveNoticeProps) {
  const t = useTranslations('calendar');
  const sentenceOf = (shown: Notice) => {
    const time = text.moment(shown.to);
    if (shown.kind === 'refused') return t(`refused.${shown.reason}`, { time, reason: shown.text });
    if (shown.kind === 'moved' && shown.skipped) return t('movedBehind', { time, skipped: text.wall(shown.skipped) });
    return t(shown.kind, { time });
  };
  return (
    <TimedNotice
      event={notice}
      text={notice && sentenceOf(notice)}
      action={
        notice?.kind === 'moved' && (
          <Button size="compact-sm" variant="light" onClick={() => onUndo(notice)}>
            {t('undo')}
          </Button>
        )
      }
      closeLabel={t('close')}
      isAlert={notice?.kind === 'refused'}
      onClose={onClose}
    />
  );
}
