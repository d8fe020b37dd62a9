/** The frame of every page: navigation, language, color scheme, and the user's menu. */
import {
  ActionIcon,
  Anchor,
  AppShell,
  Burger,
  Group,
  Menu,
  NavLink,
  Text,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  IconCalendar,
  IconDeviceMobile,
  IconHistory,
  IconLogout,
  IconPencilPlus,
  IconRepeat,
  IconServerCog,
  IconSettings,
  IconUserCircle,
  IconUsersGroup,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouteContext, useRouter, useRouterState } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { CATALOGS, LANGUAGE_NAMES, type Language } from '../messages/index.ts';
import { currentUserQuery } from '../service/operator.ts';
import { useClient } from '../service/service-client.ts';
import { signInOptionsQuery, useSignOut } from '../service/session.ts';
import { LiveProvider, useLiveConnection } from '../service/use-live.ts';
import { useLanguage } from './language.tsx';
import { LiveNotice } from './live-notice.tsx';

const PAGES = [
  { to: '/', name: 'compose', Icon: IconPencilPlus },
  { to: '/posts', name: 'posts', Icon: IconHistory },
  { to: '/calendar', name: 'calendar', Icon: IconCalendar },
  { to: '/accounts', name: 'accounts', Icon: IconUsersGroup },
  { to: '/reposts', name: 'reposts', Icon: IconRepeat },
  { to: '/settings', name: 'settings', Icon: IconSettings },
] as const;

const SANDBOX_PAGE = { to: '/sandbox', name: 'sandbox', Icon: IconDeviceMobile } as const;
const OPERATOR_PAGE = { to: '/operator', name: 'operator', Icon: IconServerCog } as const;

/** The pages that this user can open. Those of the operator appear once the service has said who the user is. */
function usePages() {
  const client = useClient();
  const { data: user } = useQuery(currentUserQuery(client));
  const { data: options } = useQuery(signInOptionsQuery(client));
  if (!user?.operator) return PAGES;
  return [...PAGES, ...(options?.sandbox ? [SANDBOX_PAGE] : []), OPERATOR_PAGE];
}

export function Shell() {
  const { user } = useRouteContext({ from: '/signed-in' });
  const queries = useQueryClient();
  const router = useRouter();
  const live = useLiveConnection(user.id, () => {
    // The next look at the session leads to the sign-in page.
    queries.removeQueries({ queryKey: ['session'] });
    void router.invalidate();
  });
  return (
    <LiveProvider value={live}>
      <Frame />
      <LiveNotice />
    </LiveProvider>
  );
}

function Frame() {
  const t = useTranslations('shell');
  const pages = usePages();
  const [isOpen, { toggle, close }] = useDisclosure();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <Anchor href="#content" className="skip-link">
        {t('skip')}
      </Anchor>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap" gap="xs">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('menu')} />
            <img src="/app/icon.svg" width="28" height="28" alt="" />
            <Text fw={700} size="lg">
              Reelay
            </Text>
          </Group>
          <UserMenu />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('navigation')}>
        {pages.map(({ to, name, Icon }) => {
          const isHere = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
          return (
            <NavLink
              key={to}
              component={Link}
              to={to}
              label={t(name)}
              leftSection={<Icon size={20} aria-hidden />}
              active={isHere}
              aria-current={isHere ? 'page' : undefined}
              onClick={close}
            />
          );
        })}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

function UserMenu() {
  const t = useTranslations('shell');
  const { user } = useRouteContext({ from: '/signed-in' });
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { language, setLanguage } = useLanguage();
  const signOut = useSignOut();
  const navigate = useNavigate();
  const leave = async () => {
    await signOut.mutateAsync();
    await navigate({ to: '/sign-in' });
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" size="lg" color="gray">
          <IconUserCircle aria-hidden />
          <VisuallyHidden>{t('userMenu')}</VisuallyHidden>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
          aria-label={t('appearance')}
        >
          <Menu.Label>{t('appearance')}</Menu.Label>
          {(['auto', 'light', 'dark'] as const).map((scheme) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {t(`scheme.${scheme}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.RadioGroup
          value={language}
          onChange={(value) => setLanguage(value as Language)}
          aria-label={t('language')}
        >
          <Menu.Label>{t('language')}</Menu.Label>
          {(Object.keys(CATALOGS) as Language[]).map((each) => (
            <Menu.RadioItem key={each} value={each} lang={each}>
              {LANGUAGE_NAMES[each]}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
