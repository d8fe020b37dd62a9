import { z } from 'zod';
import { idText, operation } from '../../http/operation.ts';
import { retryPost as retry } from '../../posts/change.ts';
import { detailed } from './schemas.ts';
import { showPost } from './show.ts';

export const retryPost = operation({
  id: 'retryPost',
  method: 'POST',
  path: '/post/{id}/retry',
  tag: 'Posts',
  summary: 'Retry what failed',
  description:
    'Tries FAILED accounts of a post again; they are PENDING then. Costs nothing of the plan. Where the platform may have the post already (`outcome_unknown`), it is looked for once more before anything is sent.',
  auth: 'caller',
  writes: true,
  params: z.object({ id: idText }),
  body: z
    .strictObject({
      platforms: z.array(idText).min(1).max(50).optional().meta({ description: 'Accounts; absent: all that failed.' }),
      acceptDuplicate: z.boolean().optional().meta({
        description: 'Needed for `outcome_unknown`: post again even if it cannot be found out whether it is there.',
      }),
    })
    .meta({ id: 'RetryPost' })
    .optional(),
  answer: z.object({ data: detailed }),
  errors: ['unknown_post', 'unknown_platform', 'not_retryable', 'video_gone', 'plan_limit_reached'],
  handle: async (context, { caller, params, body }) => {
    await retry(context, caller.userId, params.id, body ?? {});
    return { data: await showPost(context, caller.userId, params.id) };
  },
});
