/** The frame of the reference: header, list of operations (in a drawer on narrow screens), and the page. */
import { ActionIcon, Anchor, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSettings } from '@reelay/web/ui/icons/index.ts';
import { lazyPart } from '@reelay/web/ui/lazy-part.tsx';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import classes from './layout.module.css';
import { OperationList } from './operation-list.tsx';
import { PlaceLink, usePlace } from './place.tsx';

const OperationsDrawer = lazyPart(async () => (await import('./operations-drawer.tsx')).default, { isOverlay: true });
const PreferencesMenu = lazyPart(async () => (await import('./preferences-menu.tsx')).default, {
  Fallback: () => <PreferencesButton />,
  isOverlay: true,
});

/** @param props.isReady whether there are operations to list */
export function Layout({ isReady, children }: { isReady: boolean; children: ReactNode }) {
  const t = useTranslations('reference');
  const shell = useTranslations('shell');
  const [isOpen, { toggle, close }] = useDisclosure();
  const [wasOpen, setWasOpen] = useState(false);
  const [search, setSearch] = useState('');
  const { visit } = usePlace();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a visit of another page closes the drawer
  useEffect(close, [visit]);
  const open = () => {
    setWasOpen(true);
    toggle();
  };
  const list = isReady && <OperationList search={search} onSearch={setSearch} />;
  return (
    <>
      <Anchor href="#content" className="skip-link">
        {shell('skip')}
      </Anchor>
      <header className={classes.header}>
        <Group gap="xs" wrap="nowrap">
          <Burger opened={isOpen} onClick={open} hiddenFrom="md" size="sm" aria-label={t('menu')} />
          <Anchor component={PlaceLink} to="" underline="never" c="inherit">
            <Group gap="xs" wrap="nowrap">
              <img src="/app/icon.svg" width="28" height="28" alt="" />
              <Text span fw={700} size="lg">
                Reelay <span className={classes.product}>API</span>
              </Text>
            </Group>
          </Anchor>
        </Group>
        <Group gap="xs" wrap="nowrap">
          <Anchor href="/app/" size="sm">
            {t('dashboard')}
          </Anchor>
          <Preferences />
        </Group>
      </header>
      <nav className={classes.aside} aria-label={t('operations')}>
        {list}
      </nav>
      {wasOpen && (
        <OperationsDrawer isOpen={isOpen} onClose={close}>
          {list}
        </OperationsDrawer>
      )}
      <main id="content" tabIndex={-1} className={classes.main}>
        {children}
      </main>
    </>
  );
}

function Preferences() {
  const t = useTranslations('reference');
  const [isAsked, setIsAsked] = useState(false);
  if (isAsked) return <PreferencesMenu label={t('preferences')} />;
  return <PreferencesButton onClick={() => setIsAsked(true)} />;
}

/** The button of the menu before the menu is loaded. */
function PreferencesButton({ onClick }: { onClick?: () => void }) {
  const t = useTranslations('reference');
  return (
    <ActionIcon
      variant="subtle"
      size="lg"
      color="gray"
      aria-label={t('preferences')}
      aria-haspopup="menu"
      onClick={onClick}
    >
      <IconSettings size={20} aria-hidden />
    </ActionIcon>
  );
}
