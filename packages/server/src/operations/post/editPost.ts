import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { issue } from '../../messages/fields.ts';
import { editPost as edit } from '../../posts/change.ts';
import { operation } from '../operation.ts';
import { detailed } from './schemas.ts';
import { showPost } from './show.ts';

export const editPost = operation({
  id: 'editPost',
  method: 'PATCH',
  path: '/post/{id}',
  tag: 'Posts',
  summary: 'Edit a post',
  description: 'Changes the text or the time of a post that has not started.',
  auth: 'caller',
  writes: true,
  params: z.object({ id: idText }),
  body: z
    .strictObject({
      description: z.string().optional().meta({ description: 'As in creating a post.' }),
      scheduled: z
        .int({ error: issue('not_milliseconds') })
        .nullable()
        .optional()
        .meta({ description: 'Unix time in milliseconds; null: now.' }),
    })
    .meta({ id: 'EditPost' }),
  response: z.object({ data: detailed }),
  errors: [
    'unknown_post',
    'not_editable',
    'caption_too_long',
    'scheduled_in_past',
    'scheduled_too_far',
    'plan_limit_reached',
  ],
  handle: async (context, { caller, params, body }) => {
    await edit(context, caller.userId, params.id, body);
    return { data: await showPost(context, caller.userId, params.id) };
  },
});
