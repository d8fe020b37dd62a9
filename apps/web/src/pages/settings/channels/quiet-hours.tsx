import { Group, Stack, Switch, TextInput } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { useClient } from '../../../queries/client.ts';
import { notificationSettingsQuery, useEditNotificationSettings } from '../../../queries/notifications.ts';
import { Failure } from '../../../ui/failure.tsx';

/** What the switch turns on. */
const NIGHT = { from: '22:00', to: '07:00' };

/** Times between which devices and chats get nothing. Changes are saved immediately. */
export function QuietHours() {
  const t = useTranslations('notifications.channels');
  const { data: settings } = useSuspenseQuery(notificationSettingsQuery(useClient()));
  const edit = useEditNotificationSettings();
  const { quietHours } = settings;
  const save = (times: { from: string; to: string } | null) => edit.mutate({ quietHours: times });
  return (
    <Stack gap="xs">
      <Switch
        label={t('quiet')}
        description={t('quietHint')}
        checked={quietHours !== null}
        onChange={({ currentTarget }) => save(currentTarget.checked ? NIGHT : null)}
      />
      {quietHours && (
        <Group gap="sm" pl={50}>
          <Time label={t('quietFrom')} value={quietHours.from} onChange={(from) => save({ ...quietHours, from })} />
          <Time label={t('quietTo')} value={quietHours.to} onChange={(to) => save({ ...quietHours, to })} />
        </Group>
      )}
      <Failure error={edit.error} />
    </Stack>
  );
}

/** Saved when the field is left: while it is typed, the time is incomplete. */
function Time({ label, value, onChange }: { label: string; value: string; onChange(time: string): void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const save = () => {
    if (typed && typed !== value) onChange(typed);
    setTyped(null);
  };
  return (
    <TextInput
      type="time"
      label={label}
      value={typed ?? value}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={save}
    />
  );
}
