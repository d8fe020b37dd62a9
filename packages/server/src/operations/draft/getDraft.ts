import { z } from 'zod';
import { readDraft } from '../../drafts/service.ts';
import { idText } from '../../http/operation.ts';
import { operation } from '../operation.ts';
import { draft, presentDraft } from './schemas.ts';

export const getDraft = operation({
  id: 'getDraft',
  method: 'GET',
  path: '/drafts/{id}',
  tag: 'Dashboard',
  summary: 'One draft',
  description: 'Returns all that is stored of a draft. Requires a session.',
  auth: 'session',
  writes: false,
  params: z.object({ id: idText }),
  response: z.object({ data: draft }),
  errors: ['unknown_draft'],
  handle: async ({ db }, { caller, params: { id } }) => ({
    data: presentDraft(await readDraft(db, caller.userId, id)),
  }),
});
