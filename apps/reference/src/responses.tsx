/** What an operation responds: the success with its schema, then the errors by status. */
import { Badge, Code, Group, Stack, Text, Title, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@reelay/web/ui/icons/index.ts';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { useApi } from './api-context.tsx';
import { CodeBlock } from './code-block.tsx';
import { Description } from './description.tsx';
import type { ResponseObject } from './document.ts';
import type { Operation } from './operations.ts';
import { codesOf, headersOf, successExample } from './response.ts';
import classes from './responses.module.css';
import { rowsOf } from './schema.ts';
import { SchemaTree } from './schema-tree.tsx';

export function Responses({ operation }: { operation: Operation }) {
  const t = useTranslations('reference');
  const all = Object.entries(operation.responses);
  const successes = all.filter(([status]) => status.startsWith('2'));
  const errors = all.filter(([status]) => !status.startsWith('2'));
  return (
    <>
      <Title order={2} size="h4">
        {t('responses')}
      </Title>
      {successes.map(([status, response]) => (
        <Success key={status} status={status} response={response} />
      ))}
      <section>
        <Title order={3} size="h5" mb="xs">
          {t('errors')}
        </Title>
        <ErrorForm errors={errors} />
        <ul className={classes.errors} lang="en">
          {errors.map(([status, response]) => (
            <ErrorRow key={status} status={status} response={response} />
          ))}
        </ul>
      </section>
    </>
  );
}

function Success({ status, response }: { status: string; response: ResponseObject }) {
  const t = useTranslations('reference');
  const { document } = useApi();
  const [[type, media] = []] = Object.entries(response.content ?? {});
  const headers = headersOf(document, response);
  const example = media && successExample(document, type ?? '', media);
  return (
    <section>
      <Group gap="xs" mb="xs">
        <Badge color="green" variant="light" radius="sm" ff="monospace">
          {status}
        </Badge>
        {type && (
          <Text size="sm" c="dimmed" ff="monospace">
            {type}
          </Text>
        )}
      </Group>
      <Stack gap="md">
        <Description size="sm" text={response.description === 'Done.' ? '' : response.description} />
        {media ? <SchemaTree rows={rowsOf(document, media.schema)} /> : <Text size="sm">{t('noContent')}</Text>}
        {example !== undefined && <CodeBlock label={t('example')} code={example} />}
        <Disclosure title={t('headers')}>
          <ul className={classes.headers} lang="en">
            {headers.map(({ name, description }) => (
              <li key={name}>
                <Code fz="xs">{name}</Code> <Description size="sm" text={description} />
              </li>
            ))}
          </ul>
        </Disclosure>
      </Stack>
    </section>
  );
}

/** The form that all errors of an operation have. */
function ErrorForm({ errors }: { errors: readonly (readonly [string, ResponseObject])[] }) {
  const t = useTranslations('reference');
  const { document } = useApi();
  const media = errors.flatMap(([, { content }]) => Object.values(content ?? {}))[0];
  const schema = media?.schema.allOf?.[0] ?? media?.schema;
  if (!schema) return null;
  return (
    <Disclosure title={t('errorForm')}>
      <SchemaTree rows={rowsOf(document, schema)} />
    </Disclosure>
  );
}

function ErrorRow({ status, response }: { status: string; response: ResponseObject }) {
  const { document } = useApi();
  const codes = codesOf(document, response);
  return (
    <li className={classes.error}>
      <Badge color="gray" variant="light" radius="sm" ff="monospace">
        {status}
      </Badge>
      <Stack gap={6} miw={0}>
        {codes.length === 0 && <Description size="sm" text={response.description} />}
        {codes.map(({ code, message }) => (
          <div key={code} className={classes.code}>
            <Code fz="xs">{code}</Code>
            <Text size="sm">{message}</Text>
          </div>
        ))}
      </Stack>
    </li>
  );
}

function Disclosure({ title, children }: { title: string; children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div>
      <UnstyledButton className={classes.toggle} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <IconChevronRight size={16} className={classes.chevron} data-open={isOpen || undefined} aria-hidden />
        {title}
      </UnstyledButton>
      {isOpen && <div className={classes.content}>{children}</div>}
    </div>
  );
}
