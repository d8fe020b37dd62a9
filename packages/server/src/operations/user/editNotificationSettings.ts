import { z } from 'zod';
import { writeSetting } from '../../notifications/setting-store.ts';
import { kind, notificationSettings } from '../dashboard/notifications/schemas.ts';
import { operation } from '../operation.ts';
import { showSettings } from './getNotificationSettings.ts';

export const editNotificationSettings = operation({
  id: 'editNotificationSettings',
  method: 'PATCH',
  path: '/user/notifications',
  tag: 'User',
  summary: 'Change the settings of notifications',
  description: 'Changes where one kind is delivered. What is not sent stays unchanged. Requires a session.',
  auth: 'session',
  writes: true,
  body: z
    .strictObject({ kind, page: z.boolean().optional(), mail: z.boolean().optional() })
    .meta({ id: 'EditNotificationSettings' }),
  response: z.object({ data: notificationSettings }),
  errors: [],
  async handle(context, { caller, body: { kind, ...delivery } }) {
    await writeSetting(context.db, caller.userId, kind, delivery);
    return { data: await showSettings(context, caller.userId) };
  },
});
