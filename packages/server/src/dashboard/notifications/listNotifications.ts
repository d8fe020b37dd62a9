import { z } from 'zod';
import { operation } from '../../http/operation.ts';
import { type Entry, entryPage } from '../../notifications/entries.ts';
import { next, pageQuery } from '../operator/schemas.ts';
import { notification } from './schemas.ts';

export const listNotifications = operation({
  id: 'listNotifications',
  method: 'GET',
  path: '/dashboard/notifications',
  tag: 'Dashboard',
  summary: 'Notifications',
  description:
    'One notification for each kind and post or account, last changed first, of the kinds that your settings show in the dashboard. They are kept for 90 days, or 30 days once read. Requires a session.',
  auth: 'session',
  writes: false,
  query: z.object(pageQuery),
  answer: z.object({ data: z.array(notification), next }),
  errors: [],
  async handle(context, { caller, query }) {
    const { entries, next } = await entryPage(context, caller.userId, query);
    return { data: entries.map(show), next };
  },
});

function show({ id, kind, at, unread, isResolved, post, account, moment }: Entry): z.input<typeof notification> {
  return {
    id,
    kind,
    at: at.toISOString(),
    read: !unread,
    resolved: isResolved,
    post: post && {
      ...post,
      failed: post.failed.map(({ code, detail, platformCode, ...failed }) => ({
        ...failed,
        message: code ?? ('internal_error' as const),
        ...(detail ? { detail: withCode(detail, platformCode) } : {}),
      })),
    },
    account: post ? null : accountOf(account),
    moment: moment?.toISOString() ?? null,
  };
}

const accountOf = ({ id, platform, username, status }: Entry['account']) => ({ id, platform, username, status });

const withCode = (detail: string, code: string | null) =>
  code && !detail.includes(code) ? `${detail} (${code})` : detail;
