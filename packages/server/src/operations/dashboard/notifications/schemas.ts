/** Schemas shared by the operations on notifications. */
import { z } from 'zod';
import { id, timestamp } from '../../../http/operation.ts';
import { KINDS } from '../../../notifications/kinds.ts';
import { targetCode } from '../../post/schemas.ts';

export const kind = z.enum(KINDS).meta({
  id: 'NotificationKind',
  description:
    '`post_failed`: a post failed on at least one account, or its outcome is unknown. `post_trouble`: a post is retried on at least one account after its second failure, or its next attempt is at least three minutes away; while this lasts, there is one for each account and cause. `account_reconnect`: the platform ended the access to an account. `access_ends`: the access will end before the last scheduled post. `source_unread`: new posts of a source have not been read for an hour. New kinds may be added.',
});

const account = z.object({ id, platform: z.string(), username: z.string(), displayName: z.string() });
/** An account on which a post failed, or is retried. */
const affected = account.extend({ message: targetCode, detail: z.string().optional() });

export const notification = z
  .object({
    id,
    kind,
    at: timestamp,
    read: z.boolean(),
    resolved: z.boolean().meta({
      description:
        'Nothing is left to do: it was retried, reconnected or disconnected, its trouble is over, or no scheduled post needs the access after its end.',
    }),
    resolvedAt: timestamp.nullable().meta({
      description: '`post_trouble`: when the trouble was over. It counts as read from then on.',
    }),
    post: z
      .object({
        id,
        description: z.string(),
        filename: z.string().meta({ description: 'The thumbnail: `GET /media/{filename}`.' }),
        accounts: z.int().meta({ description: 'Number of accounts.' }),
        failed: z.array(affected).meta({ description: 'The accounts on which it is FAILED now.' }),
        troubled: z.array(affected).meta({ description: 'The accounts on which it is retried now.' }),
      })
      .nullable()
      .meta({ description: 'With `post_failed` and `post_trouble`.' }),
    account: account
      .extend({ status: z.enum(['CONNECTED', 'EXPIRED', 'REVOKED', 'DISCONNECTED']) })
      .nullable()
      .meta({ description: 'With all other kinds.' }),
    moment: timestamp.nullable().meta({
      description:
        '`access_ends`: when it ends. `source_unread`: when it was last known to work. `post_trouble`: when it began.',
    }),
  })
  .meta({ id: 'Notification' });

const delivery = z.object({
  page: z.boolean(),
  mail: z.boolean(),
  push: z.boolean().meta({ description: 'To the devices and chats of the user.' }),
});

export const notificationSettings = z
  .object({
    mail: z.object({
      available: z.boolean().meta({ description: 'Whether the service can send mail.' }),
      address: z.string(),
    }),
    kinds: z.object(
      Object.fromEntries(KINDS.map((name) => [name, delivery])) as Record<(typeof KINDS)[number], typeof delivery>,
    ),
    quietHours: z.object({ from: z.string(), to: z.string() }).nullable().meta({
      description: 'Times in the zone of the user between which devices and chats get nothing; null: none.',
    }),
  })
  .meta({ id: 'NotificationSettings' });
