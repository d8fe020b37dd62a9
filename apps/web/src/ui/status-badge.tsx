import { Badge } from '@mantine/core';
import type { PostResult } from '@reelay/sdk';
import { IconCalendarTime, IconCheck, IconClock, IconQuestionMark, IconX } from '@tabler/icons-react';
import type { PostStatus } from '@reelay/sdk';
import { IconAlertTriangle, IconCalendarTime, IconCheck, IconClock, IconX } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';

const LOOKS = {
  SUCCESS: { color: 'green', Icon: IconCheck },
  PENDING: { color: 'yellow', Icon: IconClock },
  SCHEDULED: { color: 'blue', Icon: IconCalendarTime },
  UNKNOWN: { color: 'orange', Icon: IconQuestionMark },
  FAILED: { color: 'red', Icon: IconX },
} as const;

export type TargetLook = keyof typeof LOOKS;

/** How a target is shown. A failed target may be published, if its outcome is unknown. */
export function lookOf({ status, message }: Pick<PostResult, 'status' | 'message'>, isScheduled: boolean): TargetLook {
  if (status === 'PENDING' && isScheduled) return 'SCHEDULED';
  return message === 'outcome_unknown' ? 'UNKNOWN' : status;
}

/** The state of targets, by color, shape and word. @param props.count shown if there are several */
export function StatusBadge({ look, count = 1 }: { look: TargetLook; count?: number }) {
  const t = useTranslations('status');
  const { color, Icon } = LOOKS[look];
  return (
    <Badge
      color={color}
      variant="light"
      leftSection={<Icon size={14} color={`var(--mantine-color-${color}-filled)`} aria-hidden />}
    >
      {count > 1 ? `${t(look)} (${count})` : t(look)}
  PARTLY: { color: 'orange', Icon: IconAlertTriangle },
  FAILED: { color: 'red', Icon: IconX },
} as const;

/** The state of a target, or of all targets of a post. */
export type ShownStatus = keyof typeof LOOKS;

/** The key of `theme.colors` that stands for a state. */
export function statusColor(status: ShownStatus): string {
  return LOOKS[status].color;
}

/** The sign of a state. Decorative: its word stands next to it. */
export function StatusIcon({ status, size = 14 }: { status: ShownStatus; size?: number }) {
  const { color, Icon } = LOOKS[status];
  return <Icon size={size} color={`var(--mantine-color-${color}-filled)`} aria-hidden />;
}

interface StatusBadgeProps {
  status: PostStatus | ShownStatus;
  /** Whether a pending target waits for its time. */
  isScheduled?: boolean;
}

/** The state of a target, by color, shape and word. */
export function StatusBadge({ status, isScheduled = false }: StatusBadgeProps) {
  const t = useTranslations('status');
  const shown = status === 'PENDING' && isScheduled ? 'SCHEDULED' : status;
  return (
    <Badge color={statusColor(shown)} variant="light" leftSection={<StatusIcon status={shown} />}>
      {t(shown)}
    </Badge>
  );
}
