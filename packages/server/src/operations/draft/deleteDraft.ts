import { z } from 'zod';
import { deleteDraft as remove } from '../../drafts/service.ts';
import { idText } from '../../http/operation.ts';
import { operation } from '../operation.ts';

export const deleteDraft = operation({
  id: 'deleteDraft',
  method: 'DELETE',
  path: '/drafts/{id}',
  tag: 'Dashboard',
  summary: 'Delete a draft',
  description: 'Deletes the draft and its video, unless another draft has the same video. Requires a session.',
  auth: 'session',
  writes: true,
  params: z.object({ id: idText }),
  response: z.object({}),
  errors: ['unknown_draft'],
  async handle(context, { caller, params: { id } }) {
    await remove(context, caller.userId, id);
    return {};
  },
});
