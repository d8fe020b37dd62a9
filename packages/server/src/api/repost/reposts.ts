import { z } from 'zod';
import { operation } from '../../http/operation.ts';
import { rule } from './schemas.ts';
import { showRules } from './show.ts';

export const reposts = operation({
  id: 'reposts',
  method: 'GET',
  path: '/reposts',
  tag: 'Reposts',
  summary: 'List repost rules',
  description: 'Lists your rules, newest first.',
  auth: 'caller',
  writes: false,
  answer: z.object({ data: z.array(rule) }),
  errors: [],
  handle: async (context, { caller }) => ({ data: await showRules(context, caller.userId) }),
});
