/** The chosen rule at the side of the page: its state, activity, options, older posts and a dry run. */
import { Alert, Button, Drawer, Group, Stack, Tabs, Text } from '@mantine/core';
import type { Rule } from '@reelay/sdk';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { ActivityList } from './activity-list.tsx';
import { CatalogTab } from './catalog-tab.tsx';
import { DryRun } from './dry-run.tsx';
import { OptionsTab } from './options-tab.tsx';
import { RuleHead } from './rule-head.tsx';
import { UnsavedDialog } from './unsaved-dialog.tsx';
import { useOptionsForm } from './use-options-form.ts';

const TABS = ['activity', 'options', 'older', 'preview'] as const;

/** @param rule null: it was deleted meanwhile */
export function RulePanel({ rule, onClose }: { rule: Rule | null; onClose(): void }) {
  const t = useTranslations('reposts');
  const [isDirty, setIsDirty] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  return (
    <Drawer
      opened
      onClose={() => (isDirty ? setIsLeaving(true) : onClose())}
      position="right"
      size="xl"
      title={t('rule')}
      closeButtonProps={{ 'aria-label': t('graph.close') }}
    >
      {rule ? (
        <Content rule={rule} onDirty={setIsDirty} onClose={onClose} />
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
      {isLeaving && <UnsavedDialog onDiscard={onClose} onClose={() => setIsLeaving(false)} />}
    </Drawer>
  );
}

interface ContentProps {
  rule: Rule;
  onDirty(isDirty: boolean): void;
  onClose(): void;
}

function Content({ rule, onDirty, onClose }: ContentProps) {
  const t = useTranslations('reposts');
  const form = useOptionsForm(rule, onDirty);
  return (
    <Stack>
      <RuleHead rule={rule} onDeleted={onClose} />
      <Tabs defaultValue="activity" keepMounted={false}>
        <Tabs.List>
          {TABS.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {t(tab)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {form.isDirty && (
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
          <CatalogTab rule={rule} />
        </Tabs.Panel>
        <Tabs.Panel value="preview" pt="md">
          <DryRun rule={rule} form={form} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
