import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { deleteRule } from '../../reposts/service.ts';
import { operation } from '../operation.ts';

export const deleteRepost = operation({
  id: 'deleteRepost',
  method: 'POST',
  path: '/repost/delete',
  tag: 'Reposts',
  summary: 'Delete repost rule',
  description: 'Deletes the rule and its reposts that have not started. Reposts that have started are finished.',
  auth: 'caller',
  writes: true,
  body: z.strictObject({ id: idText.meta({ description: 'The rule id.' }) }).meta({ id: 'DeleteRepost' }),
  response: z.object({}),
  errors: ['unknown_rule'],
  handle: async ({ db }, { caller, body }) => {
    await deleteRule(db, caller.userId, body.id);
    return {};
  },
  audit: ({ body }) => ({ action: 'rule.delete', subject: body.id }),
});
