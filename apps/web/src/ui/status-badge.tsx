import { Badge } from '@mantine/core';
import type { PostResult } from '@reelay/sdk';
import {
  IconAlertTriangle,
  IconCalendarTime,
  IconCheck,
  IconClock,
  IconQuestionMark,
  IconX,
} from '@tabler/icons-react';
import { useTranslations } from 'use-intl';

const LOOKS = {
  SUCCESS: { color: 'green', Icon: IconCheck },
  PENDING: { color: 'yellow', Icon: IconClock },
  SCHEDULED: { color: 'blue', Icon: IconCalendarTime },
  UNKNOWN: { color: 'orange', Icon: IconQuestionMark },
  PARTLY: { color: 'orange', Icon: IconAlertTriangle },
  FAILED: { color: 'red', Icon: IconX },
} as const;

/** How a target is shown, or all targets of a post. */
export type TargetLook = keyof typeof LOOKS;

/** How a target is shown. A failed target may be published, if its outcome is unknown. */
export function lookOf({ status, message }: Pick<PostResult, 'status' | 'message'>, isScheduled: boolean): TargetLook {
  if (status === 'PENDING' && isScheduled) return 'SCHEDULED';
  return message === 'outcome_unknown' ? 'UNKNOWN' : status;
}

/** The key of `theme.colors` that stands for a state. */
export function colorOf(look: TargetLook): string {
  return LOOKS[look].color;
}

/** The sign of a state. Decorative: its word stands next to it. */
export function StatusIcon({ look, size = 14 }: { look: TargetLook; size?: number }) {
  const { color, Icon } = LOOKS[look];
  return <Icon size={size} color={`var(--mantine-color-${color}-filled)`} aria-hidden />;
}

/** The state of targets, by color, shape and word. @param props.count shown if there are several */
export function StatusBadge({ look, count = 1 }: { look: TargetLook; count?: number }) {
  const t = useTranslations('status');
  return (
    <Badge color={colorOf(look)} variant="light" leftSection={<StatusIcon look={look} />}>
      {count > 1 ? `${t(look)} (${count})` : t(look)}
    </Badge>
  );
}
