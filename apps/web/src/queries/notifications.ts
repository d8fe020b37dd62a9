/** Notifications of the user, and their settings. */
import type { NotificationChange, ReelayClient } from '@reelay/sdk';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './client.ts';
import { notificationKeys } from './keys.ts';

const PAGE = 20;

export const unreadQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: notificationKeys.unread, queryFn: () => client.notifications.unread() });

export const notificationsQuery = (client: ReelayClient) =>
  infiniteQueryOptions({
    queryKey: notificationKeys.list,
    queryFn: ({ pageParam, signal }) =>
      client.notifications.list({ limit: PAGE, signal, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });

/** Marks a notification as read; with `all`, also all older ones. */
export function useMarkRead() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, all }: { id: string; all: boolean }) => client.notifications.read(id, { all }),
    onSuccess: (unread) => queries.setQueryData(unreadQuery(client).queryKey, unread),
    onSettled: () => queries.invalidateQueries({ queryKey: notificationKeys.all }),
  });
}

export const notificationSettingsQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: notificationKeys.settings, queryFn: () => client.notifications.settings() });

/** Changes one setting. Updates the cache optimistically, and refetches it if the service refuses. */
export function useEditNotificationSettings() {
  const client = useClient();
  const queries = useQueryClient();
  const { queryKey } = notificationSettingsQuery(client);
  return useMutation({
    mutationFn: (change: NotificationChange) => client.notifications.editSettings(change),
    async onMutate({ kind, quietHours, ...delivery }) {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(
        queryKey,
        (settings) =>
          settings && {
            ...settings,
            kinds: kind ? { ...settings.kinds, [kind]: { ...settings.kinds[kind], ...delivery } } : settings.kinds,
            quietHours: quietHours === undefined ? settings.quietHours : quietHours,
          },
      );
    },
    onSettled: () =>
      Promise.all([queryKey, notificationKeys.all].map((changed) => queries.invalidateQueries({ queryKey: changed }))),
  });
}
