import { z } from 'zod';
import { deleteSnippet as remove } from '../../drafts/snippet-store.ts';
import { ReelayError } from '../../errors/reelay-error.ts';
import { idText } from '../../http/operation.ts';
import { isUuid } from '../../lib/ids.ts';
import { operation } from '../operation.ts';

export const deleteSnippet = operation({
  id: 'deleteSnippet',
  method: 'DELETE',
  path: '/snippets/{id}',
  tag: 'Dashboard',
  summary: 'Delete a snippet',
  description: 'Deletes the snippet. Captions that contain its text do not change. Requires a session.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  response: z.object({}),
  errors: ['unknown_snippet'],
  async handle({ db }, { caller, params: { id } }) {
    if (!isUuid(id)) throw new ReelayError('unknown_snippet');
    await remove(db, caller.userId, id);
    return {};
  },
});
