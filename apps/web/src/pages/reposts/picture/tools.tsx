/** The toolbar of the picture: search, zoom and reset. */
import { ActionIcon, Button, Group, Select, Switch } from '@mantine/core';
import type { Platform } from '@reelay/sdk';
import { type FitViewOptions, useReactFlow } from '@xyflow/react';
import { useTranslations } from 'use-intl';
import { IconMaximize, IconMinus, IconPlus } from '../../../ui/icons/index.ts';
import { accountLabel } from '../account-label.ts';
import { NODE } from './layout.ts';

interface ToolsProps {
  accounts: readonly Platform[];
  found: string | null;
  isFiltered: boolean;
  fit: FitViewOptions;
  onFind(id: string | null): void;
  onFilter(isFiltered: boolean): void;
  /** null: the user moved no account. */
  onTidy: (() => void) | null;
}

export function Tools({ accounts, found, isFiltered, fit, onFind, onFilter, onTidy }: ToolsProps) {
  const t = useTranslations('reposts.graph');
  const flow = useReactFlow();
  const find = (id: string | null) => {
    onFind(id);
    const node = id === null ? undefined : flow.getNode(id);
    if (!node) return;
    const { x, y } = node.position;
    void flow.setCenter(x + NODE.width / 2, y + NODE.height / 2, { zoom: 1 });
  };
  const views = [
    { label: t('zoomIn'), Icon: IconPlus, run: () => flow.zoomIn() },
    { label: t('zoomOut'), Icon: IconMinus, run: () => flow.zoomOut() },
    { label: t('fit'), Icon: IconMaximize, run: () => flow.fitView(fit) },
  ];
  return (
    <Group gap="xs">
      <Select
        aria-label={t('find')}
        placeholder={t('find')}
        data={accounts.map((account) => ({ value: account.id, label: accountLabel(account) }))}
        value={found}
        onChange={find}
        searchable
        clearable
        w={220}
        size="sm"
      />
      <ActionIcon.Group>
        {views.map(({ label, Icon, run }) => (
          <ActionIcon key={label} variant="default" size={36} aria-label={label} onClick={() => void run()}>
            <Icon size={16} aria-hidden />
          </ActionIcon>
        ))}
      </ActionIcon.Group>
      <Switch
        label={t('onlyRules')}
        checked={isFiltered}
        onChange={({ currentTarget }) => onFilter(currentTarget.checked)}
      />
      {onTidy && (
        <Button variant="default" onClick={onTidy}>
          {t('tidy')}
        </Button>
      )}
    </Group>
  );
}
