import { z } from 'zod';
import { listSnippets as list } from '../../drafts/snippet-store.ts';
import { operation } from '../operation.ts';
import { snippet } from './schemas.ts';

export const listSnippets = operation({
  id: 'listSnippets',
  method: 'GET',
  path: '/snippets',
  tag: 'Dashboard',
  summary: 'Your snippets',
  description: 'Texts that you often insert into captions, oldest first. Requires a session.',
  auth: 'session',
  writes: false,
  response: z.object({ data: z.array(snippet) }),
  errors: [],
  handle: async ({ db }, { caller }) => ({ data: await list(db, caller.userId) }),
});
