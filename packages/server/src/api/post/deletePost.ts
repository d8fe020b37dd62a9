import { z } from 'zod';
import { idText, operation } from '../../http/operation.ts';
import { removePost } from '../../posts/change.ts';

export const deletePost = operation({
  id: 'deletePost',
  method: 'DELETE',
  path: '/post/{id}',
  tag: 'Posts',
  summary: 'Delete a post here',
  description:
    'Removes a finished post from the history, with its files. On the platforms it stays: it can be deleted there.',
  auth: 'caller',
  writes: true,
  params: z.object({ id: idText }),
  answer: z.object({ message: z.string().meta({ description: 'Says that the post stays on the platforms.' }) }),
  errors: ['unknown_post', 'not_deletable'],
  handle: async (context, { caller, params }) => {
    await removePost(context, caller.userId, params.id);
    return { message: 'The post was removed here. On the platforms it stays: delete it there if it is to go.' };
  },
});
