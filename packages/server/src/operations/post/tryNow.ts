import { z } from 'zod';
import { idText } from '../../http/operation.ts';
import { tryNow as moveTries } from '../../posts/tries.ts';
import { operation } from '../operation.ts';
import { chosenAccounts, detailed } from './schemas.ts';
import { showPost } from './show.ts';

export const tryNow = operation({
  id: 'tryNow',
  method: 'POST',
  path: '/post/{id}/try-now',
  tag: 'Posts',
  summary: 'Try again now',
  description:
    'Moves the next attempt of accounts with `trouble` to now, each at most once in 30 seconds. Nothing else changes: an unknown outcome is verified before anything is sent.',
  auth: 'caller',
  writes: true,
  params: z.object({ id: idText }),
  body: chosenAccounts.optional(),
  response: z.object({ data: detailed }),
  errors: ['unknown_post', 'unknown_platform', 'nothing_to_try'],
  handle: async (context, { caller, params, body }) => {
    await moveTries(context, caller.userId, params.id, body ?? {});
    return { data: await showPost(context, caller.userId, params.id) };
  },
});
