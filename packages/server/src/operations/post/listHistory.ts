import { z } from 'zod';
import { apiError } from '../../errors/reelay-error.ts';
import { streamResponse, wholeNumber } from '../../http/operation.ts';
import { historyPage, historyRange } from '../../posts/history.ts';
import { operation } from '../operation.ts';
import { entry } from './schemas.ts';
import { presentationOf } from './show.ts';

/** The earliest and latest time that a Date can hold, in ms (ECMA-262, 21.4.1.1). */
const FARTHEST = 8_640_000_000_000_000;

export const listHistory = operation({
  id: 'listHistory',
  method: 'GET',
  path: '/post/history',
  tag: 'Posts',
  summary: 'Post history',
  description:
    'Your posts, newest first: a page of 10, or all posts between `startTime` and `endTime`. A page after the last one is empty.',
  auth: 'caller',
  writes: false,
  query: z.object({
    page: wholeNumber(1).optional().meta({ description: 'Page number, starting at 1. Default: 1.' }),
    startTime: wholeNumber(-FARTHEST, FARTHEST)
      .optional()
      .meta({ description: 'Unix milliseconds, inclusive; with `endTime`.' }),
    endTime: wholeNumber(-FARTHEST, FARTHEST)
      .optional()
      .meta({ description: 'Unix milliseconds, inclusive; with `startTime`.' }),
  }),
  response: z.object({
    data: z.array(entry),
    total: z.int().meta({ description: 'Total number of entries, within the range if one is given.' }),
  }),
  errors: [],
  handle: async (context, { caller, query, signal }) => {
    const range = rangeOf(query);
    if (!range) return historyPage(context.db, caller.userId, query.page ?? 1, presentationOf(context));
    const stream = await historyRange(context.db, caller.userId, {
      ...{ range, signal, presentation: presentationOf(context) },
      streams: context.historyStreams,
    });
    return streamResponse({ stream, type: 'application/json; charset=utf-8' });
  },
});

function rangeOf({ page, startTime, endTime }: { page?: number; startTime?: number; endTime?: number }) {
  if (startTime === undefined && endTime === undefined) return null;
  if (startTime === undefined || endTime === undefined) throw apiError('range_incomplete');
  if (page !== undefined) throw apiError('range_with_page');
  if (startTime > endTime) throw apiError('range_reversed');
  return { from: startTime, to: endTime };
}
