import { ActionIcon, Menu } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { IconDots, IconPencil, IconTrash } from '../../../ui/icons/index.ts';

interface GroupMenuProps {
  name: string;
  onRename(): void;
  onDelete(): void;
}

/** The actions on a group of accounts. */
export function GroupMenu({ name, onRename, onDelete }: GroupMenuProps) {
  const t = useTranslations('postOptions');
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label={t('group.menu', { name })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onRename}>
          {t('group.rename')}
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
          {t('group.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
