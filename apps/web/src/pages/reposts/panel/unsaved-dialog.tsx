import { useTranslations } from 'use-intl';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

/** Asks before changed options are lost. */
export function UnsavedDialog({ onDiscard, onClose }: { onDiscard(): void; onClose(): void }) {
  const t = useTranslations('reposts');
  return (
    <ConfirmDialog
      title={t('discardTitle')}
      text={t('discardHint')}
      action={t('discard')}
      isPending={false}
      error={null}
      onConfirm={async () => onDiscard()}
      onClose={onClose}
    />
  );
}
