import { z } from 'zod';
import { MAX_CHANNELS } from '../../channels/channel-service.ts';
import { channelOf } from '../../channels/given-channel.ts';
import { operation } from '../operation.ts';
import { addNotificationChannelBody, notificationChannel, showChannel } from './notification-channel-schema.ts';

export const addNotificationChannel = operation({
  id: 'addNotificationChannel',
  method: 'POST',
  path: '/user/notification-channels',
  tag: 'User',
  summary: 'Add a device or chat for notifications',
  description: `A browser that is added again replaces its earlier entry. The address must be public and use https. At most ${MAX_CHANNELS}. Requires a session.`,
  auth: 'session',
  writes: true,
  body: addNotificationChannelBody,
  response: z.object({ data: notificationChannel }),
  errors: ['too_many_channels'],
  async handle(context, { caller, body }) {
    const added = await context.channels.add(caller.userId, channelOf(body));
    return { data: showChannel(context, added) };
  },
  audit: (_, { data }) => ({ action: 'channel.add', subject: data.id }),
});
