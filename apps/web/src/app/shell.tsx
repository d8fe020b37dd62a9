/** The frame of every page: navigation, live updates, and the user's menu. */
import { Anchor, AppShell, Burger, Group, NavLink } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouteContext, useRouter, useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { IntlProvider, useLocale, useTimeZone, useTranslations } from 'use-intl';
import { WorkspaceProvider } from '../drafts/use-upload.tsx';
import { onSessionEnd } from '../live/session-end.ts';
import { LiveProvider, useLiveConnection } from '../live/use-live.ts';
import { useClient } from '../queries/client.ts';
import { signInOptionsQuery } from '../queries/session.ts';
import { userQuery } from '../queries/user.ts';
import { zoneOf } from '../time/zone-time.ts';
import { Brand } from '../ui/brand.tsx';
import { useUserLanguage } from '../ui/user-language.ts';
import { askToSignIn } from './ask-to-sign-in.ts';
import { BottomBar } from './bottom-bar.tsx';
import { LiveNotice } from './live-notice.tsx';
import { Bell } from './notifications/bell.tsx';
import { DAILY_PAGES, isAt, OPERATOR_PAGE, SANDBOX_PAGE, SETTINGS_PAGE } from './pages.ts';
import classes from './shell.module.css';
import { UserMenuButton } from './user-menu-button.tsx';

/** Id for the button that opens the navigation on narrow screens. */
const NAVIGATION_ID = 'navigation';

/** The pages beside the daily ones. The operator's pages appear once the user is loaded. */
function useOtherPages() {
  const client = useClient();
  const { data: user } = useQuery(userQuery(client));
  const { data: options } = useQuery(signInOptionsQuery(client));
  if (!user?.operator) return [SETTINGS_PAGE];
  return [SETTINGS_PAGE, ...(options?.sandbox ? [SANDBOX_PAGE] : []), OPERATOR_PAGE];
}

export function Shell() {
  const { user } = useRouteContext({ from: '/signed-in' });
  // Another tab may have signed in another user.
  return <UserShell key={user.id} userId={user.id} />;
}

function UserShell({ userId }: { userId: string }) {
  const { workspaceOf, firstStream } = useRouteContext({ from: '/signed-in' });
  const [workspace] = useState(() => workspaceOf(userId));
  const queries = useQueryClient();
  const router = useRouter();
  const live = useLiveConnection(userId, firstStream, () => askToSignIn(router, queries));
  useEffect(
    () => onSessionEnd(queries, workspace.manager, () => askToSignIn(router, queries)),
    [queries, router, workspace],
  );
  return (
    <LiveProvider value={live}>
      <WorkspaceProvider value={workspace}>
        <UserZone>
          <Frame />
          <LiveNotice />
        </UserZone>
      </WorkspaceProvider>
    </LiveProvider>
  );
}

/** Times are shown in the user's time zone. Until it is known, the browser's zone is used. */
function UserZone({ children }: { children: ReactNode }) {
  const locale = useLocale();
  const browserZone = useTimeZone() ?? 'UTC';
  const { data: user } = useQuery(userQuery(useClient()));
  return (
    <IntlProvider locale={locale} timeZone={zoneOf(user?.zone ?? '', browserZone).name}>
      {children}
    </IntlProvider>
  );
}

function Frame() {
  const t = useTranslations('shell');
  const others = useOtherPages();
  useUserLanguage();
  const [isOpen, { toggle, close }] = useDisclosure();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <AppShell
      header={{ height: 56 }}
      footer={{ height: { base: 56, sm: 0 } }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
      // It never ends: its end computes the styles of all elements again, a moment after each page is first shown.
      mod={{ resizing: true }}
    >
      <Anchor href="#content" className="skip-link">
        {t('skip')}
      </Anchor>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap" gap="xs">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={t('menu')}
              aria-expanded={isOpen}
              aria-controls={NAVIGATION_ID}
            />
            <Brand />
          </Group>
          <Group wrap="nowrap" gap="xs">
            <Bell />
            <UserMenuButton />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="xs"
        id={NAVIGATION_ID}
        className={classes.navigation}
        data-closed={!isOpen}
        aria-label={t('navigation')}
      >
        {[...DAILY_PAGES, ...others].map(({ to, name, Icon }) => (
          <NavLink
            key={to}
            component={Link}
            to={to}
            className={classes.entry}
            label={t(name)}
            leftSection={<Icon size={20} aria-hidden />}
            active={isAt(path, to)}
            aria-current={isAt(path, to) ? 'page' : undefined}
            onClick={close}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
      <BottomBar path={path} onChoose={close} />
    </AppShell>
  );
}
