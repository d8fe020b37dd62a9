/** Explains which posts the source of a rule cannot deliver, or why it is not read. */
import { Group, Text } from '@mantine/core';
import type { Rule } from '@reelay/sdk';
import { useTranslations } from 'use-intl';
import { IconAlertTriangle } from '../../ui/icons/index.ts';

/** The notes about a rule's source; empty if it delivers all posts. */
export function sourceWarnings({ watch }: Pick<Rule, 'watch'>): string[] {
  return [watch.problem ?? '', watch.text].filter((text) => text !== '');
}

/** @param props.isShort shows a summary; the panel of the rule has the whole text */
export function SourceNotice({ rule, isShort = false }: { rule: Pick<Rule, 'watch'>; isShort?: boolean }) {
  const t = useTranslations('reposts');
  const warnings = sourceWarnings(rule);
  if (warnings.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('deliversAll')}
      </Text>
    );
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <IconAlertTriangle
        size={18}
        color="var(--mantine-color-orange-filled)"
        style={{ flex: 'none', marginTop: 1 }}
        role="img"
        aria-label={t('graph.notices')}
      />
      <Text size="sm" {...(isShort ? { lineClamp: 2, title: warnings.join(' ') } : {})}>
        {warnings.join(' ')}
      </Text>
    </Group>
  );
}
