import { z } from 'zod';
import { countUnread } from '../../../notifications/notification-store.ts';
import { pageKinds } from '../../../notifications/setting-store.ts';
import { operation } from '../../operation.ts';

export const countNotifications = operation({
  id: 'countNotifications',
  method: 'GET',
  path: '/dashboard/notifications/unread',
  tag: 'Dashboard',
  summary: 'Number of unread notifications',
  description: 'Counts what GET /dashboard/notifications lists as unread. Requires a session.',
  auth: 'session',
  writes: false,
  response: z.object({ data: z.object({ unread: z.int() }) }),
  errors: [],
  async handle({ db }, { caller: { userId } }) {
    return { data: { unread: await countUnread(db, userId, await pageKinds(db, userId)) } };
  },
});
