import { z } from 'zod';
import { readQuietHours } from '../../channels/channel-store.ts';
import type { Context } from '../../context.ts';
import { ReelayError } from '../../errors/reelay-error.ts';
import { readSettings } from '../../notifications/setting-store.ts';
import { findOwnUser } from '../../users/user-store.ts';
import { notificationSettings } from '../dashboard/notifications/schemas.ts';
import { operation } from '../operation.ts';

export const getNotificationSettings = operation({
  id: 'getNotificationSettings',
  method: 'GET',
  path: '/user/notifications',
  tag: 'User',
  summary: 'Settings of notifications',
  description:
    'Where each kind of notification is delivered: in the dashboard, by mail, and to your devices and chats. Requires a session.',
  auth: 'session',
  writes: false,
  response: z.object({ data: notificationSettings }),
  errors: [],
  handle: async (context, { caller }) => ({ data: await showSettings(context, caller.userId) }),
});

/** @throws ReelayError `unauthorized` if the user was deleted while the request ran */
export async function showSettings(
  { db, config }: Pick<Context, 'db' | 'config'>,
  userId: string,
): Promise<z.input<typeof notificationSettings>> {
  const [user, kinds, quietHours] = await Promise.all([
    findOwnUser(db, userId),
    readSettings(db, userId),
    readQuietHours(db, userId),
  ]);
  if (!user) throw new ReelayError('unauthorized');
  return { mail: { available: config.mail !== null, address: user.email }, kinds, quietHours };
}
