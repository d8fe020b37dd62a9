import { z } from 'zod';
import { idText, operation } from '../../http/operation.ts';
import { ownAccount, showAccount } from './own-account.ts';

const short = z.string().min(1).max(500);

export const editAccount = operation({
  id: 'editAccount',
  method: 'PATCH',
  path: '/accounts/{id}',
  tag: 'Platforms',
  summary: 'Change an account’s choices',
  description:
    'Choices that are not named stay as they are. What is scheduled goes by the new ones; what has begun goes on as it began. With the dashboard’s session only.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  body: z
    .strictObject({
      choices: z.record(short, short).meta({
        description: 'By name: a value of `GET /accounts/{id}`, or what it is called.',
        examples: [{ board: 'Recipes' }],
      }),
    })
    .meta({ id: 'EditAccount' }),
  answer: z.object({ data: ownAccount }),
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
