/** Who changed what, newest first. */
import { Button, Code, Group, Stack, Text } from '@mantine/core';
import type { AuditEntry } from '@reelay/sdk';
import { useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { auditQuery } from '../../queries/operator.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Failure } from '../../ui/failure.tsx';
import { IconClipboardList } from '../../ui/icons/index.ts';

export function AuditPage() {
  const t = useTranslations('operator');
  const navigate = useNavigate();
  const { user } = useSearch({ from: '/signed-in/operator/audit' });
  const audit = useSuspenseInfiniteQuery(auditQuery(useClient(), user));
  const columns = useColumns();
  const rows = audit.data.pages.flatMap(({ data }) => data);
  return (
    <Stack>
      {user && (
        <Group>
          <Text>{t('audit.filtered')}</Text>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => void navigate({ to: '/operator/audit', search: {} })}
          >
            {t('audit.all')}
          </Button>
        </Group>
      )}
      {rows.length === 0 ? (
        <EmptyState image={IconClipboardList} title={t('audit.empty')} />
      ) : (
        <DataTable label={t('audit.list')} columns={columns} rows={rows} rowKey={({ id }) => id} />
      )}
      <Failure error={audit.error} />
      {audit.hasNextPage && (
        <Button variant="default" loading={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </Stack>
  );
}

const ACTORS = ['session', 'key', 'command line', 'visitor'] as const;

function useColumns(): Column<AuditEntry>[] {
  const t = useTranslations('operator.audit');
  const format = useFormatter();
  const actorName = (actor: string) => {
    const known = ACTORS.find((each) => each === actor);
    return known ? t(`by.${known}`) : actor;
  };
  return [
    {
      key: 'action',
      label: t('action'),
      cell: ({ action }) => <Code fz="sm">{action}</Code>,
    },
    {
      key: 'at',
      label: t('at'),
      cell: ({ at }) => (
        <time dateTime={at}>{format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'medium' })}</time>
      ),
    },
    { key: 'user', label: t('user'), cell: ({ user }) => (user ? (user.email ?? t('deleted')) : t('nobody')) },
    {
      key: 'subject',
      label: t('subject'),
      cell: ({ subject, subjectEmail }) => (
        <Text size="sm" title={subject} style={{ overflowWrap: 'anywhere' }}>
          {subjectEmail ? [subjectEmail, ...subject.split(' ').slice(1)].join(' ') : subject}
        </Text>
      ),
    },
    { key: 'actor', label: t('actor'), cell: ({ actor }) => actorName(actor) },
    { key: 'address', label: t('address'), cell: ({ address }) => address ?? t('unknown') },
  ];
}
