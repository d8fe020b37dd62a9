import { z } from 'zod';
import { apiError } from '../../errors/reelay-error.ts';
import { idText } from '../../http/operation.ts';
import { pauseRule } from '../../reposts/service.ts';
import { operation } from '../operation.ts';

export const pauseRepost = operation({
  id: 'pauseRepost',
  method: 'POST',
  path: '/repost/pause',
  tag: 'Reposts',
  summary: 'Pause or resume repost rule',
  description:
    'Posts on the source while the rule is paused are never reposted, even after it is resumed, unless `between` is "keep". `isPaused` and `pause` have the same meaning; send one of them.',
  auth: 'caller',
  writes: true,
  body: z
    .strictObject({
      id: idText.meta({ description: 'The rule id.' }),
      isPaused: z.boolean().optional().meta({ description: 'true pauses, false resumes.' }),
      pause: z.boolean().optional().meta({ description: 'The same as `isPaused`.' }),
      between: z.enum(['skip', 'keep']).optional().meta({
        description:
          'With a pause: what happens to posts on the source until the rule is resumed. "skip": they are never reposted. "keep": they wait and are reposted then, under the daily limit; at most 200 wait. Default: unchanged if the rule is paused, otherwise "skip".',
      }),
    })
    .meta({ id: 'PauseRepost', anyOf: [{ required: ['isPaused'] }, { required: ['pause'] }] }),
  response: z.object({}),
  errors: ['unknown_rule'],
  handle: async (context, { caller, body }) => {
    const isPaused = wanted(body);
    if (!isPaused && body.between !== undefined) throw apiError('between_without_pause');
    await pauseRule(context, caller.userId, body.id, { isPaused, between: body.between });
    return {};
  },
  audit: ({ body }) => ({ action: wanted(body) ? 'rule.pause' : 'rule.resume', subject: body.id }),
});

function wanted({ isPaused, pause }: { isPaused?: boolean; pause?: boolean }): boolean {
  if (isPaused !== undefined && pause !== undefined && isPaused !== pause) throw apiError('pause_contradicts');
  const value = isPaused ?? pause;
  if (value === undefined) throw apiError('field_missing', { name: 'isPaused' });
  return value;
}
