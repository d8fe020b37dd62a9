import { useTranslations } from 'use-intl';
import { PromptError } from '../queries/passkeys.ts';
import { isRefused } from '../queries/refused.ts';

/** Translates errors of the browser's passkey prompt. Other errors are returned unchanged. */
export function usePromptError(error: Error | null): Error | null {
  const t = useTranslations('passkey');
  if (error instanceof PromptError) return new Error(t(error.problem));
  if (isRefused(error, 'passkey_refused')) return new Error(t('refused'));
  return error;
}
