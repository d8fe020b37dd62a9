/** The menu of the signed-in user: appearance, language, sign-out. Loaded when it is first opened. */
import { Menu, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRouteContext } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { keepDraft } from '../drafts/save-draft.ts';
import { useDraftStore, useForgetWork } from '../drafts/use-upload.tsx';
import { useClient } from '../queries/client.ts';
import { useSignOut } from '../queries/session.ts';
import { Failure } from '../ui/failure.tsx';
import { IconLogout } from '../ui/icons/index.ts';
import { useChooseLanguage } from '../ui/user-language.ts';
import { PreferenceItems } from './preferences.tsx';
import { UserIcon } from './user-icon.tsx';

/** Opens when it is first rendered, because pressing the placeholder button loads it. */
export function UserMenu() {
  const t = useTranslations('shell');
  const tStates = useTranslations('states');
  const { user } = useRouteContext({ from: '/signed-in' });
  const chooseLanguage = useChooseLanguage();
  const signOut = useSignOut();
  const forgetWork = useForgetWork();
  const client = useClient();
  const drafts = useDraftStore();
  const [isOpen, { open, close }] = useDisclosure();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The menu returns the focus to the previously focused element, but this button has replaced the pressed one.
    button.current?.focus();
    open();
  }, [open]);
  const leave = async () => {
    // What cannot be saved is lost with what the browser keeps.
    await keepDraft(client, drafts).catch(() => {});
    await signOut.mutateAsync();
    await forgetWork().catch(() => {});
    // A full page load, so that no data of the user stays in memory.
    window.location.assign('/app/sign-in');
  };
  return (
    <>
      <Menu position="bottom-end" width={240} opened={isOpen} onChange={(next) => (next ? open() : close())}>
        <Menu.Target>
          <UserIcon ref={button} />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label translate="no">{user.email}</Menu.Label>
          <PreferenceItems onLanguage={chooseLanguage} />
          <Menu.Divider />
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave().catch(() => {})}>
            {t('signOut')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={signOut.isError}
        onClose={signOut.reset}
        title={t('signOut')}
        centered
        closeButtonProps={{ 'aria-label': tStates('close') }}
      >
        <Failure error={signOut.error} />
      </Modal>
    </>
  );
}
