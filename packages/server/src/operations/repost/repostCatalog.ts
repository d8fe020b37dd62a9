import { z } from 'zod';
import { settingsReader } from '../../config/settings.ts';
import { id, idText, timestamp } from '../../http/operation.ts';
import { shownCaption } from '../../reposts/activity.ts';
import { listCatalog } from '../../reposts/catalog-view.ts';
import { operation } from '../operation.ts';

const item = z
  .object({
    id,
    publishedAt: timestamp,
    caption: z.string().meta({ description: 'The first 200 characters.' }),
    url: z.string().nullable().meta({ description: 'The post on the source.' }),
    durationMs: z.number().nullable(),
    status: z.enum(['available', 'selected', 'reposted', 'unavailable']).meta({
      description: '`available`: it can be selected. `selected`: it waits to be reposted.',
    }),
    reason: z.string().optional().meta({ description: 'Stable code of why it is unavailable.' }),
    text: z.string().optional().meta({ description: 'The same as a sentence.' }),
  })
  .meta({ id: 'RepostCatalogItem' });

export const repostCatalog = operation({
  id: 'repostCatalog',
  method: 'GET',
  path: '/repost/{id}/catalog',
  tag: 'Reposts',
  summary: 'Back catalog of a rule',
  description:
    'Reads a page of posts on the source from the platform, newest first, also those from before the rule. To repost some of them, send their ids as `backCatalog` in the options of the rule. Platforms that keep no older posts return none.',
  auth: 'caller',
  writes: false,
  params: z.object({ id: idText }),
  query: z.object({ cursor: z.string().optional().meta({ description: '`next` of the previous page.' }) }),
  response: z.object({
    data: z.array(item),
    next: z.string().nullable().meta({ description: 'The cursor of the next page; null if this is the last.' }),
  }),
  errors: ['unknown_rule', 'platform_not_connected', 'source_unreadable', 'reads_used'],
  async handle(context, { caller, params, query }) {
    const { accounts, config } = context;
    const settings = settingsReader(config.settings);
    const deps = { ...context, settings, sessions: accounts.sessions, downloads: config.downloader !== null };
    const { items, next } = await listCatalog(deps, caller.userId, params.id, query.cursor);
    const data = items.map(({ reason, publishedAt, caption, ...shown }) => ({
      ...shown,
      publishedAt: publishedAt.toISOString(),
      caption: shownCaption(caption),
      ...(reason ? { reason: reason.code, text: context.renderMessage(reason) } : {}),
    }));
    return { data, next };
  },
});
