import { z } from 'zod';
import { cursorText, parseCursor } from '../../errors/cursor.ts';
import { ReelayError } from '../../errors/reelay-error.ts';
import { idText, wholeNumber } from '../../http/operation.ts';
import { isUuid } from '../../lib/ids.ts';
import { readActivity } from '../../reposts/activity-store.ts';
import { completeOptions } from '../../reposts/options/rule-options.ts';
import { readPending } from '../../reposts/pending-store.ts';
import { readRules } from '../../reposts/rule-store.ts';
import { readWatchStatuses } from '../../reposts/watch-status.ts';
import { operation } from '../operation.ts';
import { activityItem, watch } from './schemas.ts';
import { ruleRenderer, showActivity, showPending, showWatch } from './show.ts';

const PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 50;
const MAX_PENDING = 10;

export const repostActivity = operation({
  id: 'repostActivity',
  method: 'GET',
  path: '/repost/{id}/activity',
  tag: 'Reposts',
  summary: 'Activity of a rule',
  description: 'Every item that the rule saw on its source, newest first, and what happened to it. Kept for 90 days.',
  auth: 'caller',
  writes: false,
  params: z.object({ id: idText }),
  query: z.object({
    cursor: z.string().optional().meta({ description: '`next` of the previous page.' }),
    limit: wholeNumber(1, MAX_PAGE_SIZE).optional().meta({ description: 'Items per page. Default: 20.' }),
  }),
  response: z.object({
    data: z.array(activityItem),
    next: z.string().nullable().meta({ description: 'The cursor of the next page; null if this is the last.' }),
    watch,
  }),
  errors: ['unknown_rule'],
  async handle(context, { caller, params, query }) {
    const after = parseCursor(query.cursor);
    const [rule] = isUuid(params.id) ? await readRules(context.db, caller.userId, [params.id]) : [];
    const status = rule && (await readWatchStatuses(context, [rule.source.id])).get(rule.source.id);
    if (!rule || !status) throw new ReelayError('unknown_rule');
    const options = completeOptions(rule.options);
    const size = query.limit ?? PAGE_SIZE;
    // The first page also has what no rule can decide about yet, and at least one item that ends it.
    const pending = after ? [] : await readPending(context.db, rule.id, Math.min(size - 1, MAX_PENDING));
    const limit = size - pending.length;
    const page = { after, id: null, limit: limit + 1 };
    const rows = await readActivity(context.db, { id: rule.id, fit: options.fit ?? '' }, page);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const render = ruleRenderer(context, rule.options);
    return {
      data: [
        ...showPending(pending, render),
        ...showActivity(shown, { isPaused: rule.is_paused, options }, context, render),
      ],
      next: last && rows.length > limit ? cursorText(last) : null,
      watch: showWatch(status, render),
    };
  },
});
