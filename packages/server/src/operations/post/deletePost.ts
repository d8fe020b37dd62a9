import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { removePost } from '../../posts/change.ts';
import { operation } from '../operation.ts';

export const deletePost = operation({
  id: 'deletePost',
  method: 'DELETE',
  path: '/post/{id}',
  tag: 'Posts',
  summary: 'Delete a post from the history',
  description:
    'Deletes a finished post and its files from the history. The post stays on the platforms; delete it there if needed.',
  auth: 'caller',
  writes: true,
  params: z.object({ id: idText }),
  response: z.object({ message: z.string().meta({ description: 'States that the post stays on the platforms.' }) }),
  errors: ['unknown_post', 'not_deletable'],
  handle: async (context, { caller, params }) => {
    await removePost(context, caller.userId, params.id);
    return { message: 'The post was deleted from the history. It stays on the platforms; delete it there if needed.' };
  },
});
