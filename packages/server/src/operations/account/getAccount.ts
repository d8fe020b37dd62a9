import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { operation } from '../operation.ts';
import { ownAccount, showAccount } from './own-account.ts';

export const getAccount = operation({
  id: 'getAccount',
  method: 'GET',
  path: '/accounts/{id}',
  tag: 'Platforms',
  summary: 'One account',
  description: 'A connected account with its settings and their possible values.',
  auth: 'caller',
  writes: false,
  params: z.object({ id: idText }),
  response: z.object({ data: ownAccount }),
  errors: ['unknown_platform'],
  handle: async (context, { caller, params }) => ({ data: await showAccount(context, caller.userId, params.id) }),
});
