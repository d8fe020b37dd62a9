import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { IconKey, IconLockOpen, IconUserCheck } from '@reelay/web/ui/icons/index.ts';
import { lazyPart } from '@reelay/web/ui/lazy-part.tsx';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { useApi } from './api-context.tsx';
import { Copy } from './code-block.tsx';
import { Description } from './description.tsx';
import type { Parameter } from './document.ts';
import { MethodBadge } from './method-badge.tsx';
import classes from './operation-page.module.css';
import type { Operation } from './operations.ts';
import { PageHeading } from './page-heading.tsx';
import { Responses } from './responses.tsx';
import { rowOf, rowsOf } from './schema.ts';
import { SchemaTree } from './schema-tree.tsx';

const TryIt = lazyPart(async () => (await import('./try-it.tsx')).default);

/** Everything that the document says about one operation, and a form to try it. */
export function OperationPage({ operation }: { operation: Operation }) {
  const { method, path, server, tag, summary, description = '' } = operation;
  return (
    <article className={classes.page} data-operation={operation.operationId}>
      <Stack gap="sm" className={classes.top}>
        <Text size="sm" c="dimmed" lang="en">
          {tag}
        </Text>
        <PageHeading name={summary}>
          <span lang="en">{summary}</span>
        </PageHeading>
        <Group gap="xs" wrap="nowrap" className={classes.address}>
          <MethodBadge method={method} size="lg" />
          <Text ff="monospace" size="sm" style={{ overflowWrap: 'anywhere', flex: 1 }}>
            {path}
          </Text>
          <Copy text={server.replace(/\/$/, '') + path} label={path} />
        </Group>
        <Needs operation={operation} />
        <Description text={description} />
      </Stack>
      <div className={classes.columns}>
        <div className={classes.request}>
          <Parameters operation={operation} />
          <Body operation={operation} />
        </div>
        <div className={classes.try}>
          <TryIt operation={operation} />
        </div>
        <div className={classes.responses}>
          <Responses operation={operation} />
        </div>
      </div>
    </article>
  );
}

function Needs({ operation: { proofs } }: { operation: Operation }) {
  const t = useTranslations('reference');
  const [first, second] = proofs;
  const Icon = first === 'apiKey' ? IconKey : first === 'session' ? IconUserCheck : IconLockOpen;
  const kind = second ? 'apiKeySession' : (first ?? 'none');
  return (
    <Badge variant="default" size="lg" leftSection={<Icon size={14} aria-hidden />}>
      {t(`needs.${kind}`)}
    </Badge>
  );
}

const PLACES = ['path', 'query', 'header'] as const;

function Parameters({ operation: { parameters = [] } }: { operation: Operation }) {
  const t = useTranslations('reference');
  return PLACES.map((place) => {
    const here = parameters.filter((each) => each.in === place);
    if (here.length === 0) return null;
    return (
      <Section key={place} title={t(`in.${place}`)}>
        <ParameterRows parameters={here} />
      </Section>
    );
  });
}

function ParameterRows({ parameters }: { parameters: readonly Parameter[] }) {
  const { document } = useApi();
  const rows = parameters.map(({ name, required = false, description, schema }) =>
    rowOf(document, { ...schema, ...(description ? { description } : {}) }, { name, isRequired: required, trail: [] }),
  );
  return <SchemaTree rows={rows} />;
}

function Body({ operation: { requestBody } }: { operation: Operation }) {
  const t = useTranslations('reference');
  const { document } = useApi();
  if (!requestBody) return null;
  return Object.entries(requestBody.content).map(([type, { schema }]) => (
    <Section key={type} title={t('body')} note={requestBody.required ? type : `${type}, ${t('bodyOptional')}`}>
      <SchemaTree rows={rowsOf(document, schema)} />
    </Section>
  ));
}

function Section({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section>
      <Group gap="xs" align="baseline" mb={4}>
        <Title order={2} size="h4">
          {title}
        </Title>
        {note && (
          <Text size="sm" c="dimmed" ff="monospace">
            {note}
          </Text>
        )}
      </Group>
      {children}
    </section>
  );
}
