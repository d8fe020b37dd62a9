/** Groups of accounts to select together. Loaded when there are groups, or selected accounts to save as one. */
import { Button, Group, Space } from '@mantine/core';
import type { AccountGroup } from '@reelay/sdk';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useDeleteGroup, useRenameGroup, useSaveGroup } from '../../../queries/account-group-changes.ts';
import { Failure } from '../../../ui/failure.tsx';
import { IconBookmarkPlus } from '../../../ui/icons/index.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { usableOf } from './group-names.ts';

// Loaded on demand, because most users have no groups and need neither menu nor dialog.
const GroupMenu = lazyPart(async () => (await import('./group-menu.tsx')).GroupMenu, {
  Fallback: () => <Space w={30} />,
});
const GroupName = lazyPart(async () => (await import('./group-name.tsx')).GroupName, { isOverlay: true });

/** A long name is truncated to fit a narrow screen. */
const CUT_LABEL = { label: { display: 'block', lineHeight: '30px', textOverflow: 'ellipsis' } } as const;

interface AccountGroupsProps {
  groups: readonly AccountGroup[];
  usable: readonly string[];
  chosen: readonly string[];
  onChoose(ids: string[]): void;
}

export function AccountGroups({ groups, usable, chosen, onChoose }: AccountGroupsProps) {
  const t = useTranslations('postOptions');
  const save = useSaveGroup();
  const rename = useRenameGroup();
  const remove = useDeleteGroup();
  /** The group to rename, or `new`; null: no dialog is open. */
  const [naming, setNaming] = useState<AccountGroup | 'new' | null>(null);
  const isChosen = (group: AccountGroup) => {
    const ids = usableOf(group, usable);
    return ids.length === chosen.length && ids.every((id) => chosen.includes(id));
  };
  const isSaved = groups.some(isChosen);
  const ask = (about: AccountGroup | 'new') => {
    save.reset();
    rename.reset();
    setNaming(about);
  };
  const close = () => setNaming(null);
  return (
    <Group gap="xs" miw={0}>
      {groups.map((group) => (
        <Group key={group.id} gap={0} wrap="nowrap" maw="100%" role="group" aria-label={group.name}>
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
          <GroupMenu name={group.name} onRename={() => ask(group)} onDelete={() => remove.mutate(group.id)} />
        </Group>
      ))}
      {chosen.length > 0 && !isSaved && (
        <Button
          size="compact-sm"
          h={30}
          variant="subtle"
          leftSection={<IconBookmarkPlus size={16} aria-hidden />}
          onClick={() => ask('new')}
        >
          {t('group.save')}
        </Button>
      )}
      <Failure error={remove.error} />
      {naming !== null && (
        <GroupName
          name={naming === 'new' ? '' : naming.name}
          others={groups.filter((group) => group !== naming).map(({ name }) => name)}
          isPending={save.isPending || rename.isPending}
          error={save.error ?? rename.error}
          onClose={close}
          onSave={(name) => {
            if (naming === 'new') save.mutate({ name, accounts: [...chosen] }, { onSuccess: close });
            else rename.mutate({ id: naming.id, name }, { onSuccess: close });
          }}
        />
      )}
    </Group>
  );
}
