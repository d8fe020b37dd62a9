import { ActionIcon, Button, Group, SegmentedControl, Text } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { IconChevronLeft, IconChevronRight } from '../../ui/icons/index.ts';
import { VIEWS, type View } from './range.ts';

interface ToolbarProps {
  view: View;
  /** Heading: the shown month or week. */
  heading: string;
  zone: string;
  onView(view: View): void;
  onTurn(direction: -1 | 1): void;
  onToday(): void;
}

export function Toolbar({ view, heading, zone, onView, onTurn, onToday }: ToolbarProps) {
  const t = useTranslations('calendar');
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="xs" wrap="nowrap">
        <Button variant="default" flex="none" onClick={onToday}>
          {t('today')}
        </Button>
        <ActionIcon
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={t(`previous.${view}`)}
          onClick={() => onTurn(-1)}
        >
          <IconChevronLeft aria-hidden />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" size="lg" aria-label={t(`next.${view}`)} onClick={() => onTurn(1)}>
          <IconChevronRight aria-hidden />
        </ActionIcon>
        <Text fw={600} aria-live="polite">
          {heading}
        </Text>
      </Group>
      <Group gap="sm">
        <Text size="sm" c="dimmed">
          {t('zone', { zone })}
        </Text>
        <SegmentedControl
          aria-label={t('view')}
          value={view}
          onChange={onView}
          data={VIEWS.map((value) => ({ value, label: t(`views.${value}`) }))}
        />
      </Group>
    </Group>
  );
}
