/** Adds a rule by keyboard. It reports a loop before the request; the service refuses loops, too. */
import { Alert, Button, Group, Modal, MultiSelect, Select, Stack, Text } from '@mantine/core';
import type { Platform, Rule } from '@reelay/sdk';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useAddRule } from '../../queries/add-rule.ts';
import { Failure } from '../../ui/failure.tsx';
import { accountLabel } from './account-label.ts';
import { arrowsOf, refusalOf } from './picture/graph.ts';
import { sharedDestinations } from './shared-destinations.ts';
import { SharedNotice } from './shared-notice.tsx';

interface AddRuleProps {
  accounts: readonly Platform[];
  rules: readonly Rule[];
  onClose(): void;
}

export function AddRule({ accounts, rules, onClose }: AddRuleProps) {
  const t = useTranslations('reposts');
  const tStates = useTranslations('states');
  const add = useAddRule();
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState<string[]>([]);
  const choices = accounts.map((account) => ({ value: account.id, label: accountLabel(account) }));
  const arrows = arrowsOf(rules);
  const loop = to.map((id) => refusalOf(arrows, from ?? '', id)).find((refusal) => refusal?.kind === 'loop');
  const path = loop?.path.map((id) => choices.find(({ value }) => value === id)?.label ?? id).join(' → ');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    await add.mutateAsync({ from: from ?? '', to });
    onClose();
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('addTitle')}
      centered
      closeButtonProps={{ 'aria-label': tStates('close') }}
    >
      <form onSubmit={(event) => void submit(event).catch(() => {})}>
        <Stack>
          <Select
            label={t('from')}
            description={t('fromHint')}
            data={choices}
            value={from}
            onChange={(value) => {
              setFrom(value);
              setTo(to.filter((id) => id !== value));
            }}
            searchable
            required
          />
          <MultiSelect
            label={t('to')}
            data={choices.filter(({ value }) => value !== from)}
            value={to}
            onChange={setTo}
            searchable
            required
          />
          <Text size="sm" c="dimmed">
            {t('addHint')}
          </Text>
          <SharedNotice shared={sharedDestinations(rules, { id: null, from, to })} />
          {path && (
            <Alert color="red" role="alert">
              {t('loopOf', { path })}
            </Alert>
          )}
          <Failure error={add.error} texts={{ circular_dependency: t('loop'), duplicate_rule: t('duplicate') }} />
          <Group justify="flex-end">
            <Button type="submit" loading={add.isPending} disabled={!from || to.length === 0 || loop !== undefined}>
              {t('add')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
