import { Alert } from '@mantine/core';
import { ReelayApiError } from '@reelay/sdk';
import { useTranslations } from 'use-intl';
import { failureKind } from './failure-kind.ts';
import { IconAlertCircle } from './icons/index.ts';

interface FailureProps {
  error: Error | null;
  /** Texts that replace the service's for some error codes. */
  texts?: Readonly<Record<string, string>>;
}

/** An inline error message. Screen readers announce it. */
export function Failure({ error, texts = {} }: FailureProps) {
  const t = useTranslations('states');
  if (!error) return null;
  const kind = failureKind(error);
  return (
    <Alert
      color="red"
      icon={<IconAlertCircle aria-hidden />}
      // The reason says more than a title.
      {...(kind === 'failed' ? {} : { title: t(kind) })}
      role="alert"
    >
      {kind === 'failed' ? (textOf(error, texts) ?? error.message) : t(`${kind}Hint`)}
    </Alert>
  );
}

function textOf(error: Error, texts: Readonly<Record<string, string>>): string | undefined {
  return error instanceof ReelayApiError && Object.hasOwn(texts, error.code) ? texts[error.code] : undefined;
}
