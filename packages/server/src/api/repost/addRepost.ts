import { z } from 'zod';
import { id, idText, operation } from '../../http/operation.ts';
import { addRule } from '../../reposts/service.ts';

export const addRepost = operation({
  id: 'addRepost',
  method: 'POST',
  path: '/repost/add',
  tag: 'Reposts',
  summary: 'Add repost rule',
  description:
    'Reposts every future post on `from` to every account in `to`. Rejected if posts could return to their source through a chain of rules.',
  auth: 'caller',
  writes: true,
  body: z
    .strictObject({
      from: idText.meta({ description: 'Source account.' }),
      to: z.array(idText).min(1).max(50).meta({ description: 'Destination accounts. Duplicates are ignored.' }),
    })
    .meta({ id: 'AddRepost' }),
  answer: z.object({ id }),
  errors: ['unknown_platform', 'platform_not_connected', 'circular_dependency', 'duplicate_rule', 'plan_limit_reached'],
  handle: async ({ db, config }, { caller, body }) => ({ id: await addRule(db, config, caller.userId, body) }),
  audit: (_request, response) => ({ action: 'rule.add', subject: response.id }),
});
