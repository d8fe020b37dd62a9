import { z } from 'zod';
import { mediaAddress } from '../../http/addresses.ts';
import { idText, operation } from '../../http/operation.ts';
import { onePost } from '../../posts/history.ts';
import { detailed } from './schemas.ts';

export const getPost = operation({
  id: 'getPost',
  method: 'GET',
  path: '/post/{id}',
  tag: 'Posts',
  summary: 'One post',
  description: 'A history entry with everything that happened to it on each account.',
  auth: 'caller',
  writes: false,
  params: z.object({ id: idText }),
  answer: z.object({ data: detailed }),
  errors: ['unknown_post'],
  handle: async ({ db, config }, { caller, params }) => ({
    data: await onePost(db, caller.userId, params.id, (filename) => mediaAddress(config, filename)),
  }),
});
