/** The user's devices and chats for notifications. */
import type { AddNotificationChannel, NotificationChannel, NotificationChannels, ReelayClient } from '@reelay/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { notificationKeys } from './keys.ts';
import { deviceHere } from './this-device.ts';

export const channelsQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: notificationKeys.channels, queryFn: () => client.notifications.channels() });

/** As in {@link deviceHere}. */
export const deviceHereQuery = (channels: readonly NotificationChannel[]) =>
  queryOptions({
    queryKey: notificationKeys.deviceHere(channels.map(({ id }) => id)),
    queryFn: deviceHere,
    staleTime: 0,
  });

function useChannelChange<Input, Result>(change: (client: ReelayClient, input: Input) => Promise<Result>) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation<Result, Error, Input>({
    mutationFn: (input) => change(client, input),
    onSettled: () => queries.invalidateQueries({ queryKey: notificationKeys.channels }),
  });
}

/** @returns a mutation whose input resolves to the channel, for what must be asked for first */
export const useAddChannel = () =>
  useChannelChange(async (client, channel: AddNotificationChannel | (() => Promise<AddNotificationChannel>)) =>
    client.notifications.addChannel(typeof channel === 'function' ? await channel() : channel),
  );

export const useRemoveChannel = () => useChannelChange((client, id: string) => client.notifications.deleteChannel(id));

/** Sends a test. Its result is in the list at once. */
export function useTestChannel() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => client.notifications.testChannel(id),
    onSuccess: (tested) =>
      queries.setQueryData(
        channelsQuery(client).queryKey,
        (channels?: NotificationChannels) =>
          channels && { ...channels, data: channels.data.map((each) => (each.id === tested.id ? tested : each)) },
      ),
    onError: () => queries.invalidateQueries({ queryKey: notificationKeys.channels }),
  });
}
