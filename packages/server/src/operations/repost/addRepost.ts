import { z } from 'zod';
import { id, idText } from '../../http/operation.ts';
import { ruleOptions } from '../../reposts/options/rule-options.ts';
import { addRule } from '../../reposts/service.ts';
import { readWatchStatuses } from '../../reposts/watch-status.ts';
import { operation } from '../operation.ts';
import { note } from './schemas.ts';

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
      options: ruleOptions.optional(),
    })
    .meta({ id: 'AddRepost' }),
  response: z.object({ id, notes: z.array(note).meta({ description: 'What the source cannot deliver.' }) }),
  errors: ['unknown_platform', 'platform_not_connected', 'circular_dependency', 'duplicate_rule', 'plan_limit_reached'],
  async handle(context, { caller, body }) {
    const ruleId = await addRule(context, caller.userId, body);
    const note = (await readWatchStatuses(context, [body.from])).get(body.from)?.note;
    return { id: ruleId, notes: note ? [{ code: note.code, text: context.renderMessage(note) }] : [] };
  },
  audit: (_request, response) => ({ action: 'rule.add', subject: response.id }),
});
