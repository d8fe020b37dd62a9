import { z } from 'zod';
import { ReelayError } from '../../errors/reelay-error.ts';
import { idText } from '../../http/operation.ts';
import { ruleOptions } from '../../reposts/options/rule-options.ts';
import { editRule } from '../../reposts/service.ts';
import { operation } from '../operation.ts';
import { rule } from './schemas.ts';
import { showRules } from './show.ts';

export const editRepost = operation({
  id: 'editRepost',
  method: 'PATCH',
  path: '/repost/{id}',
  tag: 'Reposts',
  summary: 'Change the options of a rule',
  description:
    'Options that are not sent stay unchanged; null resets one. The new options also apply to what is waiting, but not to reposts that were made.',
  auth: 'caller',
  writes: true,
  params: z.object({ id: idText }),
  body: z.strictObject({ options: ruleOptions }).meta({ id: 'EditRepost' }),
  response: z.object({ data: rule }),
  errors: ['unknown_rule'],
  async handle(context, { caller, params, body }) {
    await editRule(context, caller.userId, params.id, body.options);
    const [data] = await showRules(context, caller.userId, [params.id]);
    // Deleted meanwhile.
    if (!data) throw new ReelayError('unknown_rule');
    return { data };
  },
  audit: ({ params }) => ({ action: 'rule.edit', subject: params.id }),
});
