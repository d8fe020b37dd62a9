import { z } from 'zod';
import { writeQuietHours } from '../../channels/channel-store.ts';
import { issue } from '../../messages/fields.ts';
import { writeSetting } from '../../notifications/setting-store.ts';
import { timeOfDay } from '../../reposts/options/rule-options.ts';
import { kind, notificationSettings } from '../dashboard/notifications/schemas.ts';
import { operation } from '../operation.ts';
import { showSettings } from './getNotificationSettings.ts';

const place = z.boolean().optional();

export const editNotificationSettings = operation({
  id: 'editNotificationSettings',
  method: 'PATCH',
  path: '/user/notifications',
  tag: 'User',
  summary: 'Change the settings of notifications',
  description:
    'Changes where one kind is delivered, or the quiet hours. What is not sent stays unchanged. Requires a session.',
  auth: 'session',
  writes: true,
  body: z
    .strictObject({
      kind: kind.optional(),
      page: place,
      mail: place,
      push: place.meta({ description: 'To your devices and chats.' }),
      quietHours: z
        .strictObject({ from: timeOfDay, to: timeOfDay })
        .refine(({ from, to }) => from !== to, issue('no_duration'))
        .nullish()
        .meta({
          description:
            'Times in your time zone between which devices and chats get nothing; what arrives then is sent at the end. null: none.',
        }),
    })
    .superRefine(({ kind: named, page, mail, push }, context) => {
      const isChange = [page, mail, push].some((value) => value !== undefined);
      if (isChange && named === undefined)
        context.addIssue({ code: 'custom', path: ['kind'], message: issue('malformed') });
    })
    .meta({ id: 'EditNotificationSettings' }),
  response: z.object({ data: notificationSettings }),
  errors: [],
  async handle(context, { caller, body: { kind, quietHours, ...delivery } }) {
    if (kind) await writeSetting(context.db, caller.userId, kind, delivery);
    if (quietHours !== undefined) await writeQuietHours(context.db, caller.userId, quietHours);
    return { data: await showSettings(context, caller.userId) };
  },
});
