import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';
import {
  IconAlertTriangle,
  IconCalendarTime,
  IconCheck,
  IconClock,
  IconQuestionMark,
  IconRefresh,
  IconX,
} from './icons/index.ts';
import type { TargetLook } from './target-look.ts';

const LOOKS = {
  SUCCESS: { color: 'green', Icon: IconCheck },
  PENDING: { color: 'yellow', Icon: IconClock },
  SCHEDULED: { color: 'blue', Icon: IconCalendarTime },
  RETRYING: { color: 'orange', Icon: IconRefresh },
  UNKNOWN: { color: 'orange', Icon: IconQuestionMark },
  PARTLY: { color: 'orange', Icon: IconAlertTriangle },
  FAILED: { color: 'red', Icon: IconX },
} as const satisfies Record<TargetLook, unknown>;

/** The key of `theme.colors` for a state. */
export function colorOf(look: TargetLook): string {
  return LOOKS[look].color;
}

/** The icon of a state. Decorative: the text is next to it. */
export function StatusIcon({ look, size = 14 }: { look: TargetLook; size?: number }) {
  const { color, Icon } = LOOKS[look];
  return <Icon size={size} color={`var(--mantine-color-${color}-filled)`} aria-hidden />;
}

/** The state of targets: color, icon and text. @param props.count shown if there are several */
export function StatusBadge({ look, count = 1 }: { look: TargetLook; count?: number }) {
  const t = useTranslations('status');
  return (
    <Badge color={colorOf(look)} variant="light" flex="none" leftSection={<StatusIcon look={look} />}>
      {count > 1 ? `${t(look)} (${count})` : t(look)}
    </Badge>
  );
}
