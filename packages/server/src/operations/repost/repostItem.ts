import { z } from 'zod';
import { ReelayError } from '../../errors/reelay-error.ts';
import { idText } from '../../http/operation.ts';
import { readActivity } from '../../reposts/activity-store.ts';
import { repostByHand } from '../../reposts/manual-repost.ts';
import { completeOptions } from '../../reposts/options/rule-options.ts';
import { readRules } from '../../reposts/rule-store.ts';
import { operation } from '../operation.ts';
import { activityItem } from './schemas.ts';
import { ruleRenderer, showActivity } from './show.ts';

export const repostItem = operation({
  id: 'repostItem',
  method: 'POST',
  path: '/repost/{id}/activity/{itemId}/repost',
  tag: 'Reposts',
  summary: 'Repost an item by hand',
  description:
    'Reposts a skipped item, or releases a waiting one now, regardless of the filters, times and limits of the rule, also while it is paused. Posts that are not public and posts without a file stay refused.',
  auth: 'caller',
  writes: true,
  params: z.object({ id: idText, itemId: idText }),
  response: z.object({ data: activityItem }),
  errors: ['unknown_rule', 'unknown_item', 'not_repostable'],
  async handle(context, { caller, params }) {
    const deps = { ...context, downloads: context.config.downloader !== null };
    await repostByHand(deps, caller.userId, { ruleId: params.id, itemId: params.itemId });
    const [rule] = await readRules(context.db, caller.userId, [params.id]);
    // Deleted meanwhile.
    if (!rule) throw new ReelayError('unknown_rule');
    const options = completeOptions(rule.options);
    const page = { after: null, id: params.itemId, limit: 1 };
    const rows = await readActivity(context.db, { id: rule.id, fit: options.fit ?? '' }, page);
    const [data] = showActivity(
      rows,
      { isPaused: rule.is_paused, options },
      context,
      ruleRenderer(context, rule.options),
    );
    if (!data) throw new ReelayError('unknown_item');
    return { data };
  },
  audit: ({ params }) => ({ action: 'rule.repost', subject: params.itemId }),
});
