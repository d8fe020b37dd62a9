import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { usePasskeySignIn } from '../../queries/passkeys.ts';
import { Failure } from '../../ui/failure.tsx';
import { IconFingerprint } from '../../ui/icons/index.ts';
import { usePromptError } from '../../ui/prompt-error.ts';

/** Signs in with a passkey. The browser lists the available ones. */
export function PasskeyButton({ onDone }: { onDone(): Promise<unknown> }) {
  const t = useTranslations('signIn');
  const signIn = usePasskeySignIn();
  const error = usePromptError(signIn.error);
  // The button shows the error.
  const start = () =>
    void signIn
      .mutateAsync()
      .then(onDone)
      .catch(() => {});
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFingerprint size={18} aria-hidden />}
        loading={signIn.isPending}
        onClick={start}
      >
        {t('withPasskey')}
      </Button>
      <Failure error={error} />
    </>
  );
}
