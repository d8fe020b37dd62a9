/** What needs the user's attention, and where it is delivered. */
import type { NotificationChange, ReelayClient } from '@reelay/sdk';
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from './service-client.ts';

/** Notifications per page. */
const PAGE = 20;

export const unreadQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: ['notifications', 'unread'], queryFn: () => client.notifications.unread() });

export const notificationsQuery = (client: ReelayClient) =>
  infiniteQueryOptions({
    queryKey: ['notifications', 'list'],
    queryFn: ({ pageParam, signal }) =>
      client.notifications.list({ limit: PAGE, signal, ...(pageParam && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });

/** Marks a notification as read, or with `all` every one up to it. */
export function useMarkRead() {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ id, all }: { id: string; all: boolean }) => client.notifications.read(id, { all }),
    onSuccess: (unread) => queries.setQueryData(unreadQuery(client).queryKey, unread),
    onSettled: () => queries.invalidateQueries({ queryKey: ['notifications'] }),
  });
}

export const notificationSettingsQuery = (client: ReelayClient) =>
  queryOptions({ queryKey: ['notification-settings'], queryFn: () => client.notifications.settings() });

/** Changes one switch. It is shown at once, and read again if the service refuses it. */
export function useEditNotificationSettings() {
  const client = useClient();
  const queries = useQueryClient();
  const { queryKey } = notificationSettingsQuery(client);
  return useMutation({
    mutationFn: (change: NotificationChange) => client.notifications.editSettings(change),
    async onMutate({ kind, ...delivery }) {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(
        queryKey,
        (settings) =>
          settings && { ...settings, kinds: { ...settings.kinds, [kind]: { ...settings.kinds[kind], ...delivery } } },
      );
    },
    onSettled: () =>
      Promise.all([queryKey, ['notifications']].map((changed) => queries.invalidateQueries({ queryKey: changed }))),
  });
}
