/** Devices and chats that get notifications. */
import { Button, Divider, Group, Stack, Text, Title } from '@mantine/core';
import type { NotificationChannel } from '@reelay/sdk';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { channelsQuery, deviceHereQuery, useAddChannel, useRemoveChannel } from '../../../queries/channels.ts';
import { useClient } from '../../../queries/client.ts';
import { PushRefused, pushHere, subscribe, unsubscribe } from '../../../queries/this-device.ts';
import { sessionsQuery } from '../../../queries/user.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Failure } from '../../../ui/failure.tsx';
import { IconDeviceMobile, IconPlus } from '../../../ui/icons/index.ts';
import { LONG_LABEL } from '../../../ui/long-label.ts';
import { AddAddress } from './add-address.tsx';
import { ChannelRow } from './channel-row.tsx';
import { QuietHours } from './quiet-hours.tsx';

export function Channels() {
  const t = useTranslations('notifications.channels');
  const { data: channels } = useSuspenseQuery(channelsQuery(useClient()));
  const { data: device = null } = useQuery(deviceHereQuery(channels.data));
  const remove = useRemoveChannel();
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<NotificationChannel | null>(null);
  const isHere = (channel: NotificationChannel) => device !== null && channel.device === device;
  const removeOne = async (channel: NotificationChannel) => {
    await remove.mutateAsync(channel.id);
    if (isHere(channel)) await unsubscribe().catch(() => {});
  };
  return (
    <>
      <Divider />
      <Stack gap={4}>
        <Title order={3} size="h5">
          {t('title')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('hint')}
        </Text>
      </Stack>
      {channels.data.map((channel) => (
        <ChannelRow
          key={channel.id}
          channel={channel}
          isHere={isHere(channel)}
          onRemove={() => {
            remove.reset();
            setRemoved(channel);
          }}
        />
      ))}
      <AddButtons
        publicKey={channels.publicKey}
        isDeviceAdded={channels.data.some(isHere)}
        onAddAddress={() => setAdding(true)}
      />
      <QuietHours />
      {isAdding && <AddAddress onClose={() => setAdding(false)} />}
      {removed && (
        <ConfirmDialog
          title={t('removeTitle')}
          text={t('removeText', { name: removed.name })}
          action={t('remove')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => removeOne(removed)}
          onClose={() => setRemoved(null)}
        />
      )}
    </>
  );
}

interface AddButtonsProps {
  publicKey: string | null;
  isDeviceAdded: boolean;
  onAddAddress(): void;
}

/** Two buttons, or one and the reason why this device cannot be added. */
function AddButtons({ publicKey, isDeviceAdded, onAddAddress }: AddButtonsProps) {
  const t = useTranslations('notifications.channels');
  const { data: sessions = [] } = useQuery(sessionsQuery(useClient()));
  const add = useAddChannel();
  const { browser, system } = sessions.find(({ current }) => current)?.device ?? {};
  const name = [browser, system].filter(Boolean).join(', ') || t('thisDevice');
  const availability = publicKey === null ? 'unreadable' : pushHere();
  const addDevice = () =>
    add.mutate(async () => ({ kind: 'push', name: name.slice(0, 60), ...(await subscribe(publicKey ?? '')) }));
  const isRefused = add.error instanceof PushRefused;
  return (
    <Stack gap="xs">
      <Group>
        {availability === 'ready' && !isDeviceAdded && (
          <Button
            leftSection={<IconDeviceMobile size={18} aria-hidden />}
            styles={LONG_LABEL}
            loading={add.isPending}
            onClick={addDevice}
          >
            {t('addDevice')}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          styles={LONG_LABEL}
          onClick={onAddAddress}
        >
          {t('addAddress')}
        </Button>
      </Group>
      {availability !== 'ready' && (
        <Text size="sm" c="dimmed">
          {t(availability)}
        </Text>
      )}
      {isRefused ? (
        <Text size="sm" c="dimmed" role="alert">
          {t('blocked')}
        </Text>
      ) : (
        <Failure error={add.error} />
      )}
    </Stack>
  );
}
