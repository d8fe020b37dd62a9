import { useBlocker } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** Asks for confirmation before navigation discards changes. On a reload, the browser asks. */
export function UnsavedGuard({ isDirty }: { isDirty: boolean }) {
  const t = useTranslations('states');
  const blocker = useBlocker({
    shouldBlockFn: () => isDirty,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  if (blocker.status !== 'blocked') return null;
  return (
    <ConfirmDialog
      title={t('unsavedTitle')}
      text={t('unsavedHint')}
      action={t('discard')}
      keep={t('keepEditing')}
      isPending={false}
      error={null}
      onConfirm={async () => blocker.proceed()}
      onClose={() => blocker.reset()}
    />
  );
}
