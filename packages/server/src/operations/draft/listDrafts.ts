import { z } from 'zod';
import { listDrafts as list } from '../../drafts/draft-store.ts';
import { operation } from '../operation.ts';
import { draftSummary, presentDraft } from './schemas.ts';

export const listDrafts = operation({
  id: 'listDrafts',
  method: 'GET',
  path: '/drafts',
  tag: 'Dashboard',
  summary: 'Your drafts',
  description: 'Posts that you prepare, changed last first. Requires a session.',
  auth: 'session',
  writes: false,
  response: z.object({ data: z.array(draftSummary) }),
  errors: [],
  handle: async ({ db }, { caller }) => ({ data: (await list(db, caller.userId)).map(presentDraft) }),
});
