import { z } from 'zod';
import { ownAccount, showAccount } from '../api/account/own-account.ts';
import { idText, operation } from '../http/operation.ts';

export const refreshAccount = operation({
  id: 'refreshAccount',
  method: 'POST',
  path: '/dashboard/accounts/{id}/refresh',
  tag: 'Dashboard',
  summary: 'Read an account from its platform',
  description:
    'Reads name, picture, limits and possible settings now instead of at the next daily refresh. If the platform does not respond, the stored values are returned. Requires a session.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  answer: z.object({
    data: ownAccount,
    fresh: z.boolean().meta({ description: 'Whether the platform responded.' }),
  }),
  errors: ['unknown_platform'],
  async handle(context, { caller, params: { id } }) {
    // Also refuses another user's account.
    await showAccount(context, caller.userId, id);
    const fresh = await context.accounts.refresh(id);
    return { data: await showAccount(context, caller.userId, id), fresh };
  },
});
