import { ActionIcon, Menu } from '@mantine/core';
import { PreferenceItems } from '@reelay/web/app/preferences.tsx';
import { IconSettings } from '@reelay/web/ui/icons/index.ts';

/** The open menu of language and appearance. Loaded when it is asked for. */
export default function PreferencesMenu({ label }: { label: string }) {
  return (
    <Menu position="bottom-end" width={220} defaultOpened>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" color="gray" aria-label={label}>
          <IconSettings size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <PreferenceItems />
      </Menu.Dropdown>
    </Menu>
  );
}
