import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { type Limit, take } from '../../http/request-limits.ts';
import { MINUTE } from '../../lib/time.ts';
import { databaseNow } from '../../posts/post-store.ts';
import { ownAccount, showAccount } from '../account/own-account.ts';
import { operation } from '../operation.ts';

/** One request to the platform in this time, per account, on all nodes together. */
const REFRESH_MS = MINUTE;

export const refreshAccount = operation({
  id: 'refreshAccount',
  method: 'POST',
  path: '/dashboard/accounts/{id}/refresh',
  tag: 'Dashboard',
  summary: 'Read an account from its platform',
  description:
    'Reads name, picture, limits and possible settings now instead of at the next daily refresh. If the platform does not respond, was asked less than a minute ago, or allows the service no more requests today, the stored values are returned. Requires a session.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  response: z.object({
    data: ownAccount,
    fresh: z.boolean().meta({ description: 'Whether the platform responded now, or less than a minute ago.' }),
  }),
  errors: ['unknown_platform'],
  async handle(context, { caller, params: { id } }) {
    // Also refuses another user's account.
    const account = await showAccount(context, caller.userId, id);
    const limit: Limit = { key: `refresh ${account.id}`, most: 1, windowMs: REFRESH_MS };
    const { allowed } = await take(context.db, limit);
    if (!allowed) {
      const readAt = Date.parse(account.checkedAt ?? '');
      return { data: account, fresh: readAt > (await databaseNow(context.db)) - REFRESH_MS };
    }
    const fresh = await context.accounts.refresh(id);
    return { data: await showAccount(context, caller.userId, id), fresh };
  },
});
