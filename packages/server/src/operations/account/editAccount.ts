import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { operation } from '../operation.ts';
import { ownAccount, showAccount } from './own-account.ts';

const short = z.string().min(1).max(500);

export const editAccount = operation({
  id: 'editAccount',
  method: 'PATCH',
  path: '/accounts/{id}',
  tag: 'Platforms',
  summary: 'Change an account’s settings',
  description:
    'Settings that are not sent stay unchanged. The new settings apply to scheduled posts, but not to posts that have started. Requires a session.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  body: z
    .strictObject({
      choices: z.record(short, short).meta({
        description: 'By name: a value from `GET /accounts/{id}`, or its label.',
        examples: [{ board: 'Recipes' }],
      }),
    })
    .meta({ id: 'EditAccount' }),
  response: z.object({ data: ownAccount }),
  errors: ['unknown_platform'],
  async handle(context, { caller, params, body }) {
    await context.accounts.setChoices({
      userId: caller.userId,
      accountId: params.id,
      choices: body.choices,
      actor: 'session',
    });
    return { data: await showAccount(context, caller.userId, params.id) };
  },
});
