/** The user's settings. */
import { Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { PageTitle } from '../../ui/page-title.tsx';
import { ApiKey } from './api-key.tsx';
import { DeleteUser } from './delete-user.tsx';
import { Notifications } from './notifications.tsx';
import { Passkeys } from './passkeys.tsx';
import { Plan } from './plan.tsx';
import { Profile } from './profile.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

export function SettingsPage() {
  const t = useTranslations('settings');
  return (
    <Stack maw={800}>
      <PageTitle>{t('title')}</PageTitle>
      <Profile />
      <Notifications />
      <ApiKey />
      <Plan />
      <Passkeys />
      <SecondFactor />
      <Sessions />
      <DeleteUser />
    </Stack>
  );
}
