import { Anchor, Code, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconDownload } from '@reelay/web/ui/icons/index.ts';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useApi } from './api-context.tsx';
import { Copy } from './code-block.tsx';
import { Description } from './description.tsx';
import { DOCUMENT_PATH } from './document.ts';
import { MethodBadge } from './method-badge.tsx';
import type { OperationGroup } from './operations.ts';
import { PageHeading } from './page-heading.tsx';
import { PlaceLink } from './place.tsx';
import classes from './start-page.module.css';

/** What holds for all operations, and the list of them. */
export function StartPage() {
  const t = useTranslations('reference');
  const { document, groups } = useApi();
  const { securitySchemes } = document.components;
  const base = document.servers[0]?.url ?? '';
  return (
    <Stack gap="xl">
      <Stack gap="sm" maw="48rem">
        <PageHeading name={t('title')}>{t('title')}</PageHeading>
        <Description text={document.info.description} />
        <Anchor href={DOCUMENT_PATH} size="sm">
          <Group gap={6} component="span">
            <IconDownload size={16} aria-hidden />
            {t('download')}
          </Group>
        </Anchor>
      </Stack>
      <SimpleGrid cols={{ base: 1, lg: 3 }}>
        <Fact title={t('baseUrl')}>
          <Group gap="xs" wrap="nowrap" justify="space-between">
            <Code style={{ overflowWrap: 'anywhere' }}>{base}</Code>
            <Copy text={base} label={t('baseUrl')} />
          </Group>
        </Fact>
        <Fact title={`${t('authentication')}: ${t('apiKey')}`}>
          <Code block>Authorization: Bearer rly_…</Code>
          <Description size="sm" text={securitySchemes.apiKey?.description ?? ''} />
        </Fact>
        <Fact title={`${t('authentication')}: ${t('session')}`}>
          <Description size="sm" text={securitySchemes.session?.description ?? ''} />
        </Fact>
      </SimpleGrid>
      <Groups groups={groups.filter(({ isSessionOnly }) => !isSessionOnly)} title={t('allOperations')} />
      <Groups
        groups={groups.filter(({ isSessionOnly }) => isSessionOnly)}
        title={t('sessionOnly')}
        hint={t('sessionOnlyHint')}
      />
    </Stack>
  );
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Title order={2} size="h5">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  );
}

interface GroupsProps {
  groups: readonly OperationGroup[];
  title: string;
  hint?: string;
}

function Groups({ groups, title, hint }: GroupsProps) {
  return (
    <section>
      <Title order={2} size="h3">
        {title}
      </Title>
      {hint && <Text c="dimmed">{hint}</Text>}
      <div className={classes.groups}>
        {groups.map((group) => (
          <GroupCard key={group.name} group={group} />
        ))}
      </div>
    </section>
  );
}

function GroupCard({ group }: { group: OperationGroup }) {
  return (
    <section lang="en" className={classes.group}>
      <Title order={3} size="h5">
        {group.name}
      </Title>
      <Description size="sm" text={group.description} />
      <ul className={classes.list}>
        {group.operations.map(({ operationId, method, path, summary }) => (
          <li key={operationId}>
            <PlaceLink to={operationId} className={classes.item}>
              <MethodBadge method={method} size="xs" />
              <span className={classes.summary}>{summary}</span>
              <span className={classes.path}>{path}</span>
            </PlaceLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
