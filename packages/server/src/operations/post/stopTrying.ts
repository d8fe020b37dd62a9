import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { stopTrying as stop } from '../../posts/tries.ts';
import { operation } from '../operation.ts';
import { chosenAccounts, detailed } from './schemas.ts';
import { showPost } from './show.ts';

export const stopTrying = operation({
  id: 'stopTrying',
  method: 'POST',
  path: '/post/{id}/stop',
  tag: 'Posts',
  summary: 'Stop trying',
  description:
    'Ends PENDING accounts of a post, within moments. What was not sent, or provably had no effect, becomes FAILED `stopped`. Another one is verified once more: it becomes SUCCESS, or FAILED `outcome_unknown`. The post still counts towards the plan.',
  auth: 'caller',
  writes: true,
  params: z.object({ id: idText }),
  body: chosenAccounts.optional(),
  response: z.object({ data: detailed }),
  errors: ['unknown_post', 'unknown_platform', 'nothing_to_stop'],
  handle: async (context, { caller, params, body }) => {
    await stop(context, caller.userId, params.id, body ?? {});
    return { data: await showPost(context, caller.userId, params.id) };
  },
});
