/** The layout of the operator's pages: users, platforms, queue, storage, checks and the audit log. */
import { Button, Group, Stack } from '@mantine/core';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import {
  IconDatabase,
  IconHistory,
  IconListDetails,
  IconPlugConnected,
  IconStethoscope,
  IconUsers,
} from '../../ui/icons/index.ts';
import { PageTitle } from '../../ui/page-title.tsx';

const TABS = [
  { to: '/operator/users', name: 'users', Icon: IconUsers },
  { to: '/operator/platforms', name: 'platforms', Icon: IconPlugConnected },
  { to: '/operator/queue', name: 'queue', Icon: IconListDetails },
  { to: '/operator/storage', name: 'storage', Icon: IconDatabase },
  { to: '/operator/doctor', name: 'doctor', Icon: IconStethoscope },
  { to: '/operator/audit', name: 'audit', Icon: IconHistory },
] as const;

export function OperatorPage() {
  const t = useTranslations('operator');
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const shown = TABS.find(({ to }) => to === path);
  return (
    <Stack maw={1300}>
      <PageTitle {...(shown ? { part: t(`tabs.${shown.name}`) } : {})}>{t('title')}</PageTitle>
      <Group component="nav" aria-label={t('tabs.label')} gap={4} p={3}>
        {TABS.map(({ to, name, Icon }) => (
          <Button
            key={to}
            component={Link}
            to={to}
            size="sm"
            px="sm"
            variant={path === to ? 'light' : 'subtle'}
            color={path === to ? undefined : 'gray'}
            c="var(--mantine-color-text)"
            aria-current={path === to ? 'page' : undefined}
            leftSection={<Icon size={18} aria-hidden />}
            style={{ flexShrink: 0 }}
          >
            {t(`tabs.${name}`)}
          </Button>
        ))}
      </Group>
      <Outlet />
    </Stack>
  );
}
