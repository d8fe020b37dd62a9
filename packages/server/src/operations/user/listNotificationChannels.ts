import { z } from 'zod';
import { operation } from '../operation.ts';
import { notificationChannel, showChannel } from './notification-channel-schema.ts';

export const listNotificationChannels = operation({
  id: 'listNotificationChannels',
  method: 'GET',
  path: '/user/notification-channels',
  tag: 'User',
  summary: 'Your devices and chats for notifications',
  description: 'Oldest first. Addresses and tokens are not shown again. Requires a session.',
  auth: 'session',
  writes: false,
  response: z.object({
    data: z.array(notificationChannel),
    publicKey: z.string().nullable().meta({
      description:
        'The `applicationServerKey` with which a browser subscribes (Push API, base64url); null if it cannot be decrypted.',
    }),
  }),
  errors: [],
  async handle(context, { caller }) {
    const { channels } = context;
    const [own, publicKey] = await Promise.all([channels.list(caller.userId), channels.publicKey()]);
    return { data: own.map((channel) => showChannel(context, channel)), publicKey };
  },
});
