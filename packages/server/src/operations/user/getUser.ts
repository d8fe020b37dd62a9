import { z } from 'zod';
import { operation } from '../operation.ts';
import { currentUser, showCurrentUser } from './current-user.ts';

export const getUser = operation({
  id: 'getUser',
  method: 'GET',
  path: '/user',
  tag: 'User',
  summary: 'The signed-in user',
  description: 'Your settings, your plan, and how much of its limits you have used. Requires a session.',
  auth: 'session',
  writes: false,
  response: z.object({ data: currentUser }),
  errors: [],
  handle: async (context, { caller }) => ({ data: await showCurrentUser(context, caller.userId) }),
});
