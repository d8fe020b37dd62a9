/** The side panel of the selected rule: state, activity, options, older posts and a dry run. */
import { Alert, Button, Drawer, Group, Stack, Tabs, Text } from '@mantine/core';
import type { Rule } from '@reelay/sdk';
import { useTranslations } from 'use-intl';
import { UnsavedGuard } from '../../../ui/unsaved-guard.tsx';
import { ActivityList } from './activity-list.tsx';
import { CatalogTab } from './catalog-tab.tsx';
import { DryRun } from './dry-run.tsx';
import { OptionsTab } from './options-tab.tsx';
import { RuleHead } from './rule-head.tsx';
import { useCatalogForm } from './use-catalog-form.ts';
import { useOptionsForm } from './use-options-form.ts';

const TABS = ['activity', 'options', 'older', 'preview'] as const;
export type RuleTab = (typeof TABS)[number];

interface RulePanelProps {
  rules: readonly Rule[];
  /** null: the rule was deleted. */
  rule: Rule | null;
  /** The tab that is open first. */
  firstTab?: RuleTab;
  /** Navigates, so that unsaved changes are not lost silently. */
  onClose(): void;
  onDeleted(): void;
}

export function RulePanel({ rules, rule, firstTab = 'activity', onClose, onDeleted }: RulePanelProps) {
  const t = useTranslations('reposts');
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title={t('rule')}
      closeButtonProps={{ 'aria-label': t('graph.close') }}
    >
      {rule ? (
        <Content rules={rules} rule={rule} firstTab={firstTab} onDeleted={onDeleted} />
      ) : (
        <Stack>
          <Alert>{t('gone')}</Alert>
          <Group>
            <Button variant="default" onClick={onClose}>
              {t('graph.close')}
            </Button>
          </Group>
        </Stack>
      )}
    </Drawer>
  );
}

interface ContentProps extends Omit<RulePanelProps, 'onClose'> {
  rule: Rule;
  firstTab: RuleTab;
}

function Content({ rules, rule, firstTab, onDeleted }: ContentProps) {
  const t = useTranslations('reposts');
  const form = useOptionsForm(rule);
  const catalog = useCatalogForm(rule);
  const isDirty = form.isDirty || catalog.isDirty;
  return (
    <Stack>
      <RuleHead rules={rules} rule={rule} onDeleted={onDeleted} />
      <Tabs defaultValue={firstTab} keepMounted={false}>
        <Tabs.List>
          {TABS.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {t(tab)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {isDirty && (
          <Text size="sm" c="dimmed" mt="xs" role="status">
            {t('unsaved')}
          </Text>
        )}
        <Tabs.Panel value="activity" pt="md">
          <ActivityList rule={rule} />
        </Tabs.Panel>
        <Tabs.Panel value="options" pt="md">
          <OptionsTab rule={rule} form={form} />
        </Tabs.Panel>
        <Tabs.Panel value="older" pt="md">
          <CatalogTab rule={rule} form={catalog} />
        </Tabs.Panel>
        <Tabs.Panel value="preview" pt="md">
          <DryRun rule={rule} form={form} />
        </Tabs.Panel>
      </Tabs>
      <UnsavedGuard isDirty={isDirty} />
    </Stack>
  );
}
