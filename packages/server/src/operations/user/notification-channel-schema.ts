/** Devices and chats for notifications, in requests and responses. Addresses and tokens are only in requests. */
import { z } from 'zod';
import type { OwnChannel } from '../../channels/channel-store.ts';
import { givenProblems, isChannelAddress } from '../../channels/given-channel.ts';
import { CHANNEL_KINDS, KINDS_DESCRIPTION } from '../../channels/kinds.ts';
import { areUsableKeys } from '../../channels/web-push.ts';
import type { Context } from '../../context.ts';
import { id, timestamp, trimmedText } from '../../http/operation.ts';
import { TEXT_LIMITS } from '../../lib/text.ts';
import { issue, issueOf } from '../../messages/fields.ts';

/** In UTF-16 units. */
const MAX_NAME = 60;
const MAX_TOKEN = 200;
const MAX_KEY = 120;

const kind = z.enum(CHANNEL_KINDS).meta({ id: 'NotificationChannelKind', description: KINDS_DESCRIPTION });

const webAddress = z
  .string()
  .trim()
  .min(1)
  .max(TEXT_LIMITS.url)
  .refine((text) => isChannelAddress(text), issue('not_url'));

export const addNotificationChannelBody = z
  .strictObject({
    kind,
    name: trimmedText(MAX_NAME).meta({ description: 'Shown in your list.', examples: ['My phone'] }),
    url: webAddress.optional().meta({
      description:
        '`push`: the endpoint of the subscription. `ntfy`: the address of the topic. `discord`, `slack`: the address of the webhook.',
      examples: ['https://ntfy.sh/my-topic'],
    }),
    keys: z
      .strictObject({ p256dh: z.string().max(MAX_KEY), auth: z.string().max(MAX_KEY) })
      .refine((keys) => areUsableKeys(keys), issue('not_browser_keys'))
      .optional()
      .meta({ description: '`push`: the keys of the subscription, base64url.' }),
    replaces: webAddress.optional().meta({
      description: '`push`: an earlier endpoint of the same browser, whose channel is removed. Its name is kept.',
    }),
    token: z
      .string()
      .trim()
      .min(1)
      .max(MAX_TOKEN)
      .regex(/^[\x21-\x7e]+$/, issue('malformed'))
      .optional()
      .meta({ description: 'An access token, if the `ntfy` topic needs one; or the token of the bot.' }),
    chatId: z
      .string()
      .trim()
      .regex(/^(?:-?\d{1,20}|@\w{4,64})$/, issue('malformed'))
      .optional()
      .meta({
        description: 'The id of the chat with the bot, or the name of a public channel.',
        examples: ['123456789'],
      }),
  })
  .superRefine((body, context) => {
    for (const { field, problem } of givenProblems(body))
      context.addIssue({ code: 'custom', path: [field], message: issueOf(problem) });
  })
  .meta({ id: 'AddNotificationChannel' });

export const notificationChannel = z
  .object({
    id,
    kind,
    name: z.string().meta({ examples: ['My phone'] }),
    host: z.string().meta({ description: 'The server that delivers it.', examples: ['ntfy.sh'] }),
    device: z.string().nullable().meta({
      description: '`push`: the SHA-256 of the endpoint (base64url), by which a browser recognizes its own channel.',
    }),
    createdAt: timestamp,
    lastSentAt: timestamp.nullable().meta({ description: 'When a message was last delivered.' }),
    failure: z
      .object({ at: timestamp, detail: z.string() })
      .nullable()
      .meta({ description: 'Why the last message was not delivered; null if it was.' }),
    stopped: z.boolean().meta({
      description: 'The address was refused. Nothing is sent until a test is delivered.',
    }),
  })
  .meta({ id: 'NotificationChannel' });

export const showChannel = (
  { renderMessage }: Pick<Context, 'renderMessage'>,
  { createdAt, sentAt, failure, failedAt, isStopped, ...rest }: OwnChannel,
): z.input<typeof notificationChannel> => ({
  id: rest.id,
  kind: rest.kind,
  name: rest.name,
  host: rest.host,
  device: rest.device,
  createdAt: createdAt.toISOString(),
  lastSentAt: sentAt?.toISOString() ?? null,
  failure: failure && failedAt ? { at: failedAt.toISOString(), detail: renderMessage(failure) } : null,
  stopped: isStopped,
});
