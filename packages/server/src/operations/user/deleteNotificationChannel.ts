import { z } from 'zod';
import { ReelayError } from '../../errors/reelay-error.ts';
import { idText } from '../../http/operation.ts';
import { isUuid } from '../../lib/ids.ts';
import { operation } from '../operation.ts';

export const deleteNotificationChannel = operation({
  id: 'deleteNotificationChannel',
  method: 'DELETE',
  path: '/user/notification-channels/{id}',
  tag: 'User',
  summary: 'Remove a device or chat for notifications',
  description: 'Nothing more is sent to it. Requires a session.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  response: z.object({}),
  errors: ['unknown_channel'],
  async handle({ channels }, { caller, params: { id } }) {
    if (!isUuid(id)) throw new ReelayError('unknown_channel');
    await channels.remove(caller.userId, id);
    return {};
  },
  audit: ({ params }) => ({ action: 'channel.remove', subject: params.id }),
});
