import { Badge } from '@mantine/core';
import type { PostResult } from '@reelay/sdk';
import { IconCalendarTime, IconCheck, IconClock, IconQuestionMark, IconX } from '@tabler/icons-react';
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
    </Badge>
  );
}
