import { z } from 'zod';
import { idText, operation } from '../../http/operation.ts';
import { cancelPost } from '../../posts/change.ts';

export const cancelSchedule = operation({
  id: 'cancelSchedule',
  method: 'GET',
  path: '/post/cancelSchedule',
  tag: 'Posts',
  summary: 'Cancel scheduled post',
  description:
    'Deletes a scheduled post and its video permanently, as long as nothing of it has begun. The same cancel again within a day succeeds.',
  auth: 'caller',
  writes: true,
  query: z.object({ id: idText.meta({ description: 'The `historyId` of the scheduled post.' }) }),
  answer: z.object({}),
  errors: ['unknown_post', 'not_cancellable'],
  handle: async (context, { caller, query }) => {
    await cancelPost(context, caller.userId, query.id);
    return {};
  },
});
