import { Badge } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { IconPlayerPause, IconPlayerPlay } from '../../ui/icons/index.ts';

/** The state of a rule: color, icon and text. */
export function RuleState({ isPaused }: { isPaused: boolean }) {
  const t = useTranslations('reposts');
  const Icon = isPaused ? IconPlayerPause : IconPlayerPlay;
  return (
    <Badge
      color={isPaused ? 'gray' : 'green'}
      variant="light"
      miw="max-content"
      leftSection={<Icon size={12} aria-hidden />}
    >
      {isPaused ? t('paused') : t('active')}
    </Badge>
  );
}
