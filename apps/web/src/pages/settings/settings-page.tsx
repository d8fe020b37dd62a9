/** The user's settings. */
import { Group, Stack } from '@mantine/core';
import { useTranslations } from 'use-intl';
import { Contents } from '../../ui/contents.tsx';
import { useLanguage } from '../../ui/language.tsx';
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
  const { language } = useLanguage();
  return (
    <Group align="flex-start" gap="xl" wrap="nowrap">
      <Stack flex={1} maw={800} miw={0}>
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
      <Contents key={language} label={t('contents')} />
    </Group>
  );
}
