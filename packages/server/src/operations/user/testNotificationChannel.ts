import { z } from 'zod';
import { MAX_TESTS } from '../../channels/channel-service.ts';
import { ReelayError } from '../../errors/reelay-error.ts';
import { idText } from '../../http/operation.ts';
import { isUuid } from '../../lib/ids.ts';
import { operation } from '../operation.ts';
import { notificationChannel, showChannel } from './notification-channel-schema.ts';

export const testNotificationChannel = operation({
  id: 'testNotificationChannel',
  method: 'POST',
  path: '/user/notification-channels/{id}/test',
  tag: 'User',
  summary: 'Send a test notification',
  description: `Sends a message at once, also in quiet hours. If it is not delivered, \`failure\` says why. A channel that was stopped works again once a test is delivered. A device that its push service no longer knows is removed. At most ${MAX_TESTS} tests in an hour. Requires a session.`,
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  response: z.object({ data: notificationChannel }),
  errors: ['unknown_channel'],
  async handle(context, { caller, params: { id } }) {
    if (!isUuid(id)) throw new ReelayError('unknown_channel');
    return { data: showChannel(context, await context.channels.test(caller.userId, id)) };
  },
});
