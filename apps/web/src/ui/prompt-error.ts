import { ReelayApiError } from '@reelay/sdk';
import { useTranslations } from 'use-intl';
import { PromptError } from '../queries/passkeys.ts';

/** Translates errors of the browser's passkey prompt. Other errors are returned unchanged. */
export function usePromptError(error: Error | null): Error | null {
  const t = useTranslations('passkey');
  if (error instanceof PromptError) return new Error(t(error.problem));
  if (error instanceof ReelayApiError && error.code === 'passkey_refused') return new Error(t('refused'));
  return error;
}
