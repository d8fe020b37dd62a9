import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { operation } from '../operation.ts';
import { detailed } from './schemas.ts';
import { showPost } from './show.ts';

export const getPost = operation({
  id: 'getPost',
  method: 'GET',
  path: '/post/{id}',
  tag: 'Posts',
  summary: 'One post',
  description: 'A history entry with its timeline on each account.',
  auth: 'caller',
  writes: false,
  params: z.object({ id: idText }),
  response: z.object({ data: detailed }),
  errors: ['unknown_post'],
  handle: async (context, { caller, params }) => ({ data: await showPost(context, caller.userId, params.id) }),
});
