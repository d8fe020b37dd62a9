import { z } from 'zod';
import { MAX_DRAFTS, saveDraft as save } from '../../drafts/service.ts';
import { WHOLE_VIDEO } from '../../drafts/types.ts';
import { id } from '../../http/operation.ts';
import { operation } from '../operation.ts';
import { draft, presentDraft, savedDraft } from './schemas.ts';

export const saveDraft = operation({
  id: 'saveDraft',
  method: 'PUT',
  path: '/drafts/{id}',
  tag: 'Dashboard',
  summary: 'Save a draft',
  description: `Adds a draft, or replaces the version that you read. You choose the id. A post that is created with this id as its \`Idempotency-Key\` deletes the draft. The video is kept for 30 days after each save and counts as an unused upload. At most ${MAX_DRAFTS} drafts. Requires a session.`,
  auth: 'session',
  writes: true,
  params: z.object({ id }),
  body: savedDraft,
  response: z.object({ data: draft }),
  errors: ['unknown_draft', 'draft_changed', 'too_many_drafts', 'unknown_upload', 'upload_incomplete', 'upload_used'],
  handle: async ({ db }, { caller, params, body }) => ({
    data: presentDraft(await save(db, caller.userId, { id: params.id, ...WHOLE_VIDEO, ...body })),
  }),
});
