import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { retryPost as retry } from '../../posts/change.ts';
import { operation } from '../operation.ts';
import { detailed } from './schemas.ts';
import { showPost } from './show.ts';

export const retryPost = operation({
  id: 'retryPost',
  method: 'POST',
  path: '/post/{id}/retry',
  tag: 'Posts',
  summary: 'Retry failed accounts',
  description:
    'Retries the FAILED accounts of a post, which become PENDING. Accounts that failed before the scheduled time wait for it; others start at once. This does not count towards the plan. If the platform may already have the post (`outcome_unknown`), this is verified again before anything is sent.',
  auth: 'caller',
  writes: true,
  params: z.object({ id: idText }),
  body: z
    .strictObject({
      platforms: z
        .array(idText)
        .min(1)
        .max(50)
        .optional()
        .meta({ description: 'Account ids. Default: all accounts that failed.' }),
      acceptDuplicate: z.boolean().optional().meta({
        description:
          'Required for `outcome_unknown`: post again even if it cannot be verified whether the post exists.',
      }),
    })
    .meta({ id: 'RetryPost' })
    .optional(),
  response: z.object({ data: detailed }),
  errors: ['unknown_post', 'unknown_platform', 'not_retryable', 'already_there', 'video_gone', 'plan_limit_reached'],
  handle: async (context, { caller, params, body }) => {
    await retry(context, caller.userId, params.id, body ?? {});
    return { data: await showPost(context, caller.userId, params.id) };
  },
});
