/** Channels of each kind of notification. Changes are saved immediately. */
import { Alert, Group, Stack, Switch, Text } from '@mantine/core';
import type { NotificationKind, NotificationSettings } from '@reelay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { useClient } from '../../queries/client.ts';
import { notificationSettingsQuery, useEditNotificationSettings } from '../../queries/notifications.ts';
import { Failure } from '../../ui/failure.tsx';
import { IconMailOff } from '../../ui/icons/index.ts';
import { Channels } from './channels/channels.tsx';
import { Section } from './section.tsx';

export function Notifications() {
  const t = useTranslations('notifications');
  const { data: settings } = useSuspenseQuery(notificationSettingsQuery(useClient()));
  const edit = useEditNotificationSettings();
  return (
    <Section id="notifications" title={t('title')} hint={t('sectionHint')}>
      {(Object.keys(settings.kinds) as NotificationKind[]).map((kind) => (
        <Kind key={kind} kind={kind} settings={settings} onChange={(delivery) => edit.mutate({ kind, ...delivery })} />
      ))}
      {settings.mail.available ? (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {t('mailTo', { address: settings.mail.address })}
        </Text>
      ) : (
        <Alert color="gray" icon={<IconMailOff aria-hidden />}>
          {t('noMail')}
        </Alert>
      )}
      <Failure error={edit.error} />
      <Channels />
    </Section>
  );
}

interface KindProps {
  kind: NotificationKind;
  settings: NotificationSettings;
  onChange(delivery: { page: boolean } | { mail: boolean } | { push: boolean }): void;
}

function Kind({ kind, settings: { kinds, mail }, onChange }: KindProps) {
  const t = useTranslations('notifications');
  const delivery = kinds[kind];
  return (
    <Group role="group" aria-label={t(`kind.${kind}.title`)} justify="space-between" gap="xs">
      <Stack gap={0} miw={0} flex="1 1 16rem">
        <Text fw={600}>{t(`kind.${kind}.title`)}</Text>
        <Text size="sm" c="dimmed">
          {t(`kind.${kind}.hint`)}
        </Text>
      </Stack>
      <Group gap="lg">
        <Switch
          label={t('inPage')}
          checked={delivery.page}
          onChange={({ currentTarget }) => onChange({ page: currentTarget.checked })}
        />
        <Switch
          label={t('byMail')}
          checked={delivery.mail && mail.available}
          disabled={!mail.available}
          onChange={({ currentTarget }) => onChange({ mail: currentTarget.checked })}
        />
        <Switch
          label={t('byPush')}
          checked={delivery.push}
          onChange={({ currentTarget }) => onChange({ push: currentTarget.checked })}
        />
      </Group>
    </Group>
  );
}
