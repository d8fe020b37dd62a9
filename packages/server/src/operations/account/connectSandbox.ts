import { z } from 'zod';
import { take, tooMany } from '../../http/request-limits.ts';
import { HOUR } from '../../lib/time.ts';
import { operation } from '../operation.ts';
import { connected, shownConnected } from './connectAccount.ts';

/** Requests of a user, each of which may log in at every platform. Repetitions connect only what is missing. */
const MAX_PER_HOUR = 30;

export const connectSandbox = operation({
  id: 'connectSandbox',
  method: 'POST',
  path: '/accounts/connect-sandbox',
  tag: 'Platforms',
  summary: 'Connect simulated accounts',
  description:
    'Connects one simulated account on every platform where you have none yet, or another one on the given platform, without consent pages. At most 30 requests an hour. Requires a session, and the sandbox.',
  auth: 'session',
  writes: true,
  body: z
    .strictObject({
      platform: z
        .string()
        .min(1)
        .max(500)
        .optional()
        .meta({ examples: ['instagram'] }),
    })
    .optional(),
  response: z.object({ data: z.array(connected).meta({ description: 'The accounts that were connected now.' }) }),
  errors: ['platform_not_connected', 'plan_limit_reached', 'connect_failed'],
  async handle({ accounts, renderMessage, db }, { caller, body }) {
    const taken = await take(db, { key: `connect-sandbox ${caller.userId}`, most: MAX_PER_HOUR, windowMs: HOUR });
    if (!taken.allowed) throw tooMany(taken);
    const made = await accounts.connectSandboxAccounts({ ...body, userId: caller.userId, actor: 'session' });
    return { data: made.map((account) => shownConnected(account, renderMessage)) };
  },
});
