/** The rules that lead to an account of the picture and from it. */
import { Anchor, CloseButton, Group, List, Paper, Text } from '@mantine/core';
import type { Platform, Rule } from '@reelay/sdk';
import { useTranslations } from 'use-intl';
import { accountLabel, accountLabels } from '../account-label.ts';
import classes from './picture.module.css';

interface AccountRulesProps {
  account: Platform;
  rules: readonly Rule[];
  onOpen(id: string): void;
  onClose(): void;
}

export function AccountRules({ account, rules, onOpen, onClose }: AccountRulesProps) {
  const t = useTranslations('reposts.graph');
  const tRule = useTranslations('reposts');
  const name = accountLabel(account);
  const own = [
    ...rules
      .filter(({ from }) => from.id === account.id)
      .map((rule) => ({ rule, text: t('rulesTo', { names: accountLabels(rule.to) }) })),
    ...rules
      .filter(({ to }) => to.some(({ id }) => id === account.id))
      .map((rule) => ({ rule, text: t('rulesFrom', { names: accountLabel(rule.from) }) })),
  ];
  const title = t('rulesOf', { name });
  return (
    <Paper withBorder shadow="md" p="sm" className={`${classes.rules} nowheel`} component="section" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <Text fw={600} size="sm">
          {title}
        </Text>
        <CloseButton size="sm" aria-label={t('close')} onClick={onClose} />
      </Group>
      {own.length === 0 && <Text size="sm">{t('noRules')}</Text>}
      <List size="sm" listStyleType="none" spacing={4} mt={4}>
        {own.map(({ rule, text }) => (
          <List.Item key={rule.id}>
            <Anchor component="button" type="button" size="sm" ta="start" onClick={() => onOpen(rule.id)}>
              {text}
            </Anchor>
            {rule.isPaused && ` · ${tRule('paused')}`}
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}
