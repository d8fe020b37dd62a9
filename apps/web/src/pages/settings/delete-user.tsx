/** Deletes the user after a confirmation that lists what is lost. */
import { Button, Group } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useForgetWork } from '../../drafts/use-upload.tsx';
import { useClient } from '../../queries/client.ts';
import { useDeleteUser, userQuery } from '../../queries/user.ts';
import { ConfirmPassword } from './confirm-password.tsx';
import { Section } from './section.tsx';

export function DeleteUser() {
  const t = useTranslations('settings');
  const { data: user } = useSuspenseQuery(userQuery(useClient()));
  const [asking, setAsking] = useState(false);
  const remove = useDeleteUser();
  const forgetWork = useForgetWork();
  const used = (name: string) => user.limits.find((limit) => limit.name === name)?.used ?? 0;
  const lost = t('deleteLost', {
    accounts: used('connected_accounts'),
    posts: used('scheduled_ahead'),
    rules: used('rules'),
    videos: user.stored.videos,
  });
  return (
    <Section id="delete-user" title={t('delete')} hint={t('deleteHint')}>
      <Group>
        <Button variant="light" color="red" onClick={() => setAsking(true)}>
          {t('delete')}
        </Button>
      </Group>
      {asking && (
        <ConfirmPassword
          title={t('delete')}
          text={lost}
          isDangerous
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={async (password) => {
            await remove.mutateAsync(password);
            await forgetWork().catch(() => {});
            // A full page load, so that no data of the deleted user stays in memory.
            window.location.assign('/app/sign-in');
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}
