import { z } from 'zod';
import { id } from '../../../http/operation.ts';
import { countUnread, markRead } from '../../../notifications/notification-store.ts';
import { pageKinds } from '../../../notifications/setting-store.ts';
import { operation } from '../../operation.ts';

export const readNotifications = operation({
  id: 'readNotifications',
  method: 'POST',
  path: '/dashboard/notifications/read',
  tag: 'Dashboard',
  summary: 'Mark notifications as read',
  description:
    'Marks one notification, or with `all` also every earlier one that GET /dashboard/notifications lists. What happened after it stays unread. An unknown id changes nothing. Requires a session.',
  auth: 'session',
  writes: true,
  body: z.strictObject({ id, all: z.boolean().default(false) }).meta({ id: 'ReadNotifications' }),
  response: z.object({ data: z.object({ unread: z.int() }) }),
  errors: [],
  async handle({ db }, { caller: { userId }, body }) {
    // What is only mailed was not seen here.
    const kinds = await pageKinds(db, userId);
    await markRead(db, userId, body.id, body.all ? kinds : []);
    return { data: { unread: await countUnread(db, userId, kinds) } };
  },
});
