import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { cancelPost } from '../../posts/cancel.ts';
import { operation } from '../operation.ts';

export const cancelSchedule = operation({
  id: 'cancelSchedule',
  method: 'GET',
  path: '/post/cancelSchedule',
  tag: 'Posts',
  summary: 'Cancel scheduled post',
  description:
    'Permanently deletes a scheduled post and its video, if the post has not started. Repeating the request within a day succeeds.',
  auth: 'caller',
  writes: true,
  query: z.object({ id: idText.meta({ description: 'The `historyId` of the scheduled post.' }) }),
  response: z.object({}),
  errors: ['unknown_post', 'not_cancellable'],
  handle: async (context, { caller, query }) => {
    await cancelPost(context, caller.userId, query.id);
    return {};
  },
});
