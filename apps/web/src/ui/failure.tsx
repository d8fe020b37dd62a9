import { Alert } from '@mantine/core';
import { ReelayApiError } from '@reelay/sdk';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslations } from 'use-intl';
import { failureKind } from './failure-kind.ts';

interface FailureProps {
  error: Error | null;
  /** Texts for some error codes, in place of the service's. */
  texts?: Readonly<Record<string, string>>;
}

/** Shows an error where it happened. Screen readers announce it. */
export function Failure({ error, texts = {} }: FailureProps) {
  const t = useTranslations('states');
  if (!error) return null;
  const kind = failureKind(error);
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} title={t(kind)} role="alert">
      {kind === 'failed' ? (textOf(error, texts) ?? error.message) : t(`${kind}Hint`)}
    </Alert>
  );
}

function textOf(error: Error, texts: Readonly<Record<string, string>>): string | undefined {
  return error instanceof ReelayApiError && Object.hasOwn(texts, error.code) ? texts[error.code] : undefined;
}
