import { Badge } from '@mantine/core';
import type { PostStatus } from '@reelay/sdk';
import { IconCheck, IconClock, IconX } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';

const LOOKS = {
  SUCCESS: { color: 'green', Icon: IconCheck },
  PENDING: { color: 'yellow', Icon: IconClock },
  FAILED: { color: 'red', Icon: IconX },
} as const;

/** The state of a target, by color, shape and word. */
export function StatusBadge({ status, isScheduled = false }: { status: PostStatus; isScheduled?: boolean }) {
  const t = useTranslations('status');
  const { color, Icon } = LOOKS[status];
  return (
    <Badge
      color={color}
      variant="light"
      leftSection={<Icon size={14} color={`var(--mantine-color-${color}-filled)`} aria-hidden />}
    >
      {status === 'PENDING' && isScheduled ? t('SCHEDULED') : t(status)}
    </Badge>
  );
}
