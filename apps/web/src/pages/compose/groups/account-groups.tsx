/** Groups of accounts to select together. Loaded when there are groups, or selected accounts to save as one. */
import { Button, Group, Space } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import {
  type AccountGroup,
  renameGroup,
  saveGroup,
  usableOf,
  type useAccountGroups,
} from '../../../drafts/account-groups.ts';
import { IconBookmarkPlus } from '../../../ui/icons/index.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';

// Loaded on demand, because most users have no groups and need neither menu nor dialog.
const GroupMenu = lazyPart(async () => (await import('./group-menu.tsx')).GroupMenu, {
  Fallback: () => <Space w={30} />,
});
const GroupName = lazyPart(async () => (await import('./group-name.tsx')).GroupName, { isOverlay: true });

/** A long name is truncated to fit a narrow screen. */
const CUT_LABEL = { label: { display: 'block', lineHeight: '30px', textOverflow: 'ellipsis' } } as const;

interface AccountGroupsProps {
  groups: readonly AccountGroup[];
  setGroups: ReturnType<typeof useAccountGroups>[1];
  usable: readonly string[];
  chosen: readonly string[];
  onChoose(ids: string[]): void;
}

export function AccountGroups({ groups, setGroups, usable, chosen, onChoose }: AccountGroupsProps) {
  const t = useTranslations('postOptions');
  /** The name of the group to rename; "" to save a new one. */
  const [naming, setNaming] = useState<string | null>(null);
  const names = groups.map(({ name }) => name);
  const isChosen = (group: AccountGroup) => {
    const ids = usableOf(group, usable);
    return ids.length === chosen.length && ids.every((id) => chosen.includes(id));
  };
  const isSaved = groups.some(isChosen);
  return (
    <Group gap="xs" miw={0}>
      {groups.map((group) => (
        <Group key={group.name} gap={0} wrap="nowrap" maw="100%" role="group" aria-label={group.name}>
          <Button
            size="compact-sm"
            title={group.name}
            h={30}
            styles={CUT_LABEL}
            variant={isChosen(group) ? 'filled' : 'default'}
            aria-pressed={isChosen(group)}
            disabled={usableOf(group, usable).length === 0}
            onClick={() => onChoose(usableOf(group, usable))}
          >
            {t('group.choose', { name: group.name, count: usableOf(group, usable).length })}
          </Button>
          <GroupMenu
            name={group.name}
            onRename={() => setNaming(group.name)}
            onDelete={() => setGroups((all) => all.filter(({ name }) => name !== group.name))}
          />
        </Group>
      ))}
      {chosen.length > 0 && !isSaved && (
        <Button
          size="compact-sm"
          h={30}
          variant="subtle"
          leftSection={<IconBookmarkPlus size={16} aria-hidden />}
          onClick={() => setNaming('')}
        >
          {t('group.save')}
        </Button>
      )}
      {naming !== null && (
        <GroupName
          name={naming}
          others={names.filter((name) => name !== naming)}
          onClose={() => setNaming(null)}
          onSave={(name) => {
            setGroups((all) => (naming === '' ? saveGroup(all, name, chosen) : renameGroup(all, naming, name)));
            setNaming(null);
          }}
        />
      )}
    </Group>
  );
}
