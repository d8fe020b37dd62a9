import { z } from 'zod';
import { apiError } from '../../errors/reelay-error.ts';
import { idText } from '../../http/operation.ts';
import { searchPosts as search } from '../../posts/search.ts';
import { operation } from '../operation.ts';
import { status } from '../post/schemas.ts';
import { presentationOf } from '../post/show.ts';
import { moment, page, pageQuery } from './schemas.ts';

const MAX_TEXT = 200;

export const searchPosts = operation({
  id: 'searchPosts',
  method: 'GET',
  path: '/dashboard/posts',
  tag: 'Dashboard',
  summary: 'Search posts',
  description:
    'Your posts, newest first by `date`. A post matches if it matches every filter that is sent. With `accountId` and `status`, the post on that account has that status. Requires a session.',
  auth: 'session',
  writes: false,
  query: z.object({
    ...pageQuery,
    accountId: idText.optional().meta({ description: 'Posts to this account, also if it was disconnected.' }),
    status: status.optional().meta({ description: 'Posts of which at least one account has this status.' }),
    startTime: moment
      .optional()
      .meta({ description: 'The earliest `date`, inclusive: Unix milliseconds or ISO 8601.' }),
    endTime: moment.optional().meta({ description: 'The latest `date`, inclusive.' }),
    text: z
      .string()
      .min(1)
      .max(MAX_TEXT)
      .optional()
      .meta({ description: 'Part of the description, in upper or lower case.' }),
  }),
  response: z.object(page),
  errors: ['unknown_platform'],
  handle(context, { caller, query }) {
    const { cursor, limit, startTime: from, endTime: to, ...filter } = query;
    if (from !== undefined && to !== undefined && from > to) throw apiError('range_reversed');
    return search(context.db, caller.userId, { ...filter, from, to }, { cursor, limit }, presentationOf(context));
  },
});
