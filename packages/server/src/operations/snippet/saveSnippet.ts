import { z } from 'zod';
import { MAX_SNIPPETS, saveSnippet as save } from '../../drafts/snippet-store.ts';
import { operation } from '../operation.ts';
import { savedSnippet, snippet } from './schemas.ts';

export const saveSnippet = operation({
  id: 'saveSnippet',
  method: 'PUT',
  path: '/snippets',
  tag: 'Dashboard',
  summary: 'Save a snippet',
  description: `Adds a snippet, or replaces the text of your snippet of this name. At most ${MAX_SNIPPETS} snippets. Requires a session.`,
  auth: 'session',
  writes: true,
  body: savedSnippet,
  response: z.object({ data: snippet }),
  errors: ['too_many_snippets'],
  handle: async ({ db }, { caller, body }) => ({ data: await save(db, caller.userId, body) }),
});
