import { z } from 'zod';
import { apiError } from '../../errors/reelay-error.ts';
import { DAY } from '../../lib/time.ts';
import { postsBetween } from '../../posts/search.ts';
import { operation } from '../operation.ts';
import { presentationOf } from '../post/show.ts';
import { moment, page, pageQuery } from './schemas.ts';

/** What was published in a range is read before it is cut into pages. */
const MAX_DAYS = 400;

export const listCalendar = operation({
  id: 'listCalendar',
  method: 'GET',
  path: '/dashboard/calendar',
  tag: 'Dashboard',
  summary: 'Posts between two moments',
  description:
    'Your posts whose `date`, or whose publication on an account, is between two moments, newest first by `date`. Requires a session.',
  auth: 'session',
  writes: false,
  query: z.object({
    ...pageQuery,
    startTime: moment.meta({ description: 'Inclusive: Unix milliseconds or ISO 8601.' }),
    endTime: moment.meta({ description: `Inclusive, at most ${MAX_DAYS} days later.` }),
  }),
  response: z.object(page),
  errors: [],
  handle(context, { caller, query: { cursor, limit, startTime: from, endTime: to } }) {
    if (from > to) throw apiError('range_reversed');
    if (to - from > MAX_DAYS * DAY) throw apiError('range_too_long', { days: MAX_DAYS });
    return postsBetween(context.db, caller.userId, { from, to }, { cursor, limit }, presentationOf(context));
  },
});
