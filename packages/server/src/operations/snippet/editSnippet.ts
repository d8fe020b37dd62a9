import { z } from 'zod';
import { editSnippet as edit } from '../../drafts/snippet-store.ts';
import { ReelayError } from '../../errors/reelay-error.ts';
import { idText } from '../../http/operation.ts';
import { isUuid } from '../../lib/ids.ts';
import { operation } from '../operation.ts';
import { savedSnippet, snippet } from './schemas.ts';

export const editSnippet = operation({
  id: 'editSnippet',
  method: 'PUT',
  path: '/snippets/{id}',
  tag: 'Dashboard',
  summary: 'Edit a snippet',
  description:
    'Replaces the name and the text. Another snippet of yours with the new name is deleted. Requires a session.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  body: savedSnippet,
  response: z.object({ data: snippet }),
  errors: ['unknown_snippet'],
  async handle({ db }, { caller, params: { id }, body }) {
    if (!isUuid(id)) throw new ReelayError('unknown_snippet');
    return { data: await edit(db, caller.userId, { id, ...body }) };
  },
});
