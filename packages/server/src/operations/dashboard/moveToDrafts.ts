import { z } from 'zod';
import { id, idText } from '../../http/operation.ts';
import { moveToDrafts as move } from '../../posts/move-to-drafts.ts';
import { draft, formValues, presentDraft, refuseLargeOptions, videoName } from '../draft/schemas.ts';
import { operation } from '../operation.ts';

export const moveToDrafts = operation({
  id: 'moveToDrafts',
  method: 'POST',
  path: '/dashboard/posts/{id}/draft',
  tag: 'Dashboard',
  summary: 'Move a scheduled post to the drafts',
  description:
    'Cancels a scheduled post that has not started, and adds a draft with its texts, accounts, time, cover and video. Either both happen or nothing. Requires a session.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  body: z
    .strictObject({
      draftId: id.meta({ description: 'The id of the draft. You choose it.' }),
      videoName,
      values: z.record(z.string(), formValues).superRefine(refuseLargeOptions).meta({
        description: 'The options of accounts as input of their forms, by account id.',
      }),
    })
    .meta({ id: 'MoveToDrafts' }),
  response: z.object({ data: draft }),
  errors: [
    'unknown_post',
    'not_cancellable',
    'draft_changed',
    'too_many_drafts',
    'video_gone',
    'too_many_uploads',
    'storage_full',
    'storage_unavailable',
  ],
  handle: async (context, { caller, params, body }) => ({
    data: presentDraft(await move(context, caller.userId, { postId: params.id, ...body })),
  }),
});
