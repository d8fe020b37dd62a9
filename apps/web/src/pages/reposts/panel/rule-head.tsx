/** The head of the panel: the rule's accounts, state and source, with buttons to pause and delete it. */
import { Button, Group, Stack, Text } from '@mantine/core';
import type { Rule } from '@reelay/sdk';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { useRemoveRule } from '../../../queries/rules.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { IconArrowRight, IconTrash } from '../../../ui/icons/index.ts';
import { AccountChip } from '../account-chip.tsx';
import { PauseButton } from '../pause-button.tsx';
import { RuleState } from '../rule-state.tsx';
import { sharedDestinations } from '../shared-destinations.ts';
import { SharedNotice } from '../shared-notice.tsx';
import { SourceNotice } from '../source-notice.tsx';

interface RuleHeadProps {
  rules: readonly Rule[];
  rule: Rule;
  onDeleted(): void;
}

export function RuleHead({ rules, rule, onDeleted }: RuleHeadProps) {
  const t = useTranslations('reposts');
  const remove = useRemoveRule();
  const [isDeleting, setIsDeleting] = useState(false);
  const older = rule.options.backCatalog?.items.length ?? 0;
  return (
    <Stack gap="sm">
      <Group gap="md">
        <AccountChip account={rule.from} />
        <IconArrowRight role="img" aria-label={t('to')} />
        {rule.to.map((account) => (
          <AccountChip key={account.id} account={account} />
        ))}
      </Group>
      <SourceNotice rule={rule} />
      <SharedNotice shared={sharedDestinations(rules, idsOf(rule))} />
      <Checks watch={rule.watch} />
      <Group gap="xs">
        <RuleState isPaused={rule.isPaused} />
        <PauseButton rule={rule} variant="default" />
        <Button
          size="xs"
          variant="subtle"
          color="red"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => setIsDeleting(true)}
        >
          {t('delete')}
        </Button>
      </Group>
      {rule.isPaused && (
        <Text size="sm" c="dimmed">
          {t(rule.between === 'keep' ? 'pauseHintKeep' : 'pauseHint')}
        </Text>
      )}
      {isDeleting && (
        <ConfirmDialog
          title={t('deleteTitle')}
          text={t('deleteHint', { older })}
          action={t('delete')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={async () => {
            await remove.mutateAsync(rule.id);
            onDeleted();
          }}
          onClose={() => setIsDeleting(false)}
        />
      )}
    </Stack>
  );
}

const idsOf = ({ id, from, to }: Rule) => ({ id, from: from.id, to: to.map((account) => account.id) });

function Checks({ watch }: Pick<Rule, 'watch'>) {
  const t = useTranslations('reposts');
  const format = useFormatter();
  if (watch.mode === 'own') return null;
  const at = (time: string) => format.dateTime(new Date(time), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Text size="sm" c="dimmed">
      {watch.checkedAt ? t('checked', { time: at(watch.checkedAt) }) : t('notChecked')}
      {watch.nextCheckAt && ` · ${t('nextCheck', { time: at(watch.nextCheckAt) })}`}
      {watch.readsToday !== undefined && watch.readLimit !== undefined && (
        <>
          <br />
          {t('reads', {
            reads: watch.readsToday,
            limit: watch.readLimit,
            cost: format.number(watch.costToday ?? 0, { minimumFractionDigits: 2, maximumFractionDigits: 4 }),
          })}
        </>
      )}
    </Text>
  );
}
