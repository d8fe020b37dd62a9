import { Alert, Anchor, Badge, Code, Group, Image, Stack, Text } from '@mantine/core';
import { IconAlertCircle } from '@reelay/web/ui/icons/index.ts';
import { useEffect, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { CodeBlock } from './code-block.tsx';
import type { Operation } from './operations.ts';
import type { Result } from './send.ts';

interface ResultViewProps {
  result: Result | null;
  error: Error | null;
  operation: Operation;
}

/** The response, or the reason why it is missing. Screen readers announce its status. */
export function ResultView({ result, error, operation }: ResultViewProps) {
  const t = useTranslations('reference');
  const format = useFormatter();
  return (
    <Stack gap="sm" mt={result || error ? 'md' : 0}>
      <div role="status">
        {result && (
          <Group gap="xs">
            <Badge color={colorOf(result.status)} variant="light" radius="sm" size="lg" ff="monospace">
              {result.status === 0 ? t('redirect') : `${result.status} ${result.statusText}`}
            </Badge>
            <Text size="sm" c="dimmed">
              {t('took', { time: format.number(result.ms, { maximumFractionDigits: 0 }) })}
            </Text>
          </Group>
        )}
      </div>
      {error && (
        <Alert color="red" icon={<IconAlertCircle aria-hidden />} title={t('noResponse')} role="alert">
          {error.message}
        </Alert>
      )}
      {result && <Headers result={result} operation={operation} />}
      {result && <Body body={result.body} />}
    </Stack>
  );
}

const colorOf = (status: number) => (status >= 200 && status < 300 ? 'green' : status >= 500 ? 'red' : 'orange');

/** The headers that the document describes. */
function Headers({ result, operation }: { result: Result; operation: Operation }) {
  const described = new Set(
    Object.values(operation.responses).flatMap(({ headers = {} }) =>
      Object.keys(headers).map((name) => name.toLowerCase()),
    ),
  );
  const shown = result.headers.filter(([name]) => name === 'content-type' || name === 'allow' || described.has(name));
  return (
    <Stack gap={2}>
      {shown.map(([name, value]) => (
        <Text key={name} size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          <Text span c="dimmed" inherit>
            {name}:
          </Text>{' '}
          {value}
        </Text>
      ))}
    </Stack>
  );
}

function Body({ body }: { body: Result['body'] }) {
  const t = useTranslations('reference');
  if (body.kind === 'none') return <Text size="sm">{t('noContent')}</Text>;
  if (body.kind === 'file') return <FileBody blob={body.blob} />;
  return (
    <>
      <CodeBlock label={t('responseBody')} code={pretty(body.text)} />
      {body.isCut && <Text size="sm">{t('cut')}</Text>}
    </>
  );
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function FileBody({ blob }: { blob: Blob }) {
  const t = useTranslations('reference');
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return (
    <>
      {blob.type.startsWith('image/') && <Image src={url} alt={t('responseBody')} maw={240} radius="sm" />}
      <Anchor href={url} download size="sm">
        {t('saveFile')} <Code>{blob.type}</Code>
      </Anchor>
    </>
  );
}
