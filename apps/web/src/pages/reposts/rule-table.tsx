/** The rules as a table: the content of the picture for keyboards and screen readers. */
import { Button, Group, Stack, Table, Text } from '@mantine/core';
import type { Rule } from '@reelay/sdk';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { platformName } from '../../ui/platform-icon.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { matchesSearch } from '../../ui/text-search.ts';
import { AccountChip } from './account-chip.tsx';
import { accountLabel, accountLabels } from './account-label.ts';
import { PauseButton } from './pause-button.tsx';
import { RuleState } from './rule-state.tsx';
import classes from './rule-table.module.css';
import { SourceNotice } from './source-notice.tsx';

/** From this number of rules, a search field is shown. */
const SEARCH_FROM = 10;

interface RuleTableProps {
  rules: readonly Rule[];
  onOpen(id: string): void;
}

export function RuleTable({ rules, onOpen }: RuleTableProps) {
  const t = useTranslations('reposts');
  const [search, setSearch] = useState('');
  const isLong = rules.length >= SEARCH_FROM;
  const shown = isLong ? rules.filter((rule) => matchesSearch(search, textsOf(rule))) : rules;
  return (
    <>
      {isLong && <SearchField label={t('find')} value={search} onChange={setSearch} />}
      {shown.length === 0 ? <Text>{t('noMatch')}</Text> : <Rules rules={shown} onOpen={onOpen} />}
    </>
  );
}

/** The shown names of the accounts. */
const textsOf = ({ from, to }: Rule) =>
  [from, ...to].flatMap(({ platform, username, displayName }) => [platformName(platform), username, displayName ?? '']);

function Rules({ rules, onOpen }: RuleTableProps) {
  const t = useTranslations('reposts');
  return (
    <Table className={classes.table} role="table" verticalSpacing="sm" aria-label={t('title')}>
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {(['from', 'to', 'state', 'delivers', 'actions'] as const).map((column) => (
            <Table.Th key={column} role="columnheader" scope="col" data-column={column}>
              {t(column)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rules.map((rule) => (
          <Row key={rule.id} rule={rule} onOpen={() => onOpen(rule.id)} />
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ rule, onOpen }: { rule: Rule; onOpen(): void }) {
  const t = useTranslations('reposts');
  const names = { from: accountLabel(rule.from), to: accountLabels(rule.to) };
  return (
    <Table.Tr role="row" className={classes.row}>
      <Table.Td role="cell">
        <AccountChip account={rule.from} />
      </Table.Td>
      <Table.Td role="cell">
        <Text size="xs" c="dimmed" className={classes.label} aria-hidden>
          {t('toAccounts')}
        </Text>
        <Stack gap="xs">
          {rule.to.map((account) => (
            <AccountChip key={account.id} account={account} />
          ))}
        </Stack>
      </Table.Td>
      <Table.Td role="cell">
        <RuleState isPaused={rule.isPaused} />
      </Table.Td>
      <Table.Td role="cell">
        <SourceNotice rule={rule} isShort />
      </Table.Td>
      <Table.Td role="cell">
        <Group gap="xs">
          <Button size="xs" variant="default" aria-label={t('openRule', names)} onClick={onOpen}>
            {t('open')}
          </Button>
          <PauseButton
            rule={rule}
            variant="subtle"
            color="gray"
            c="var(--mantine-color-text)"
            label={t(rule.isPaused ? 'resumeRule' : 'pauseRule', names)}
          />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
