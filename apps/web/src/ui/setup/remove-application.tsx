import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { type SetupApplication, useRemoveApplication } from '../../queries/setup.ts';
import { ConfirmDialog } from '../confirm-dialog.tsx';

/** Removes a stored application after a confirmation that lists the consequences. @param platform display name */
export function RemoveApplication({ platform, application }: { platform: string; application: SetupApplication }) {
  const t = useTranslations('setup');
  const remove = useRemoveApplication();
  const [isAsking, setIsAsking] = useState(false);
  const { name, use, alsoFor } = application;
  const platforms = [platform, ...alsoFor].join(', ');
  const { accounts, posts } = use;
  const text = use.isExact
    ? t('removeHint', { platforms, accounts, posts })
    : t('removeHintAtMost', { platforms, accounts, posts });
  return (
    <Group>
      <Button variant="subtle" color="red" onClick={() => setIsAsking(true)}>
        {t('remove')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('removeTitle', { platform })}
          text={text}
          action={t('remove')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutateAsync(name)}
          onClose={() => setIsAsking(false)}
        />
      )}
    </Group>
  );
}
