import { z } from 'zod';
import { type Entry, entryPage, failureDetail } from '../../../notifications/entries.ts';
import type { AffectedAccount } from '../../../notifications/notification-store.ts';
import type { Wording } from '../../../publishing/target-detail.ts';
import { operation } from '../../operation.ts';
import { next, pageQuery } from '../../operator/schemas.ts';
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
  response: z.object({ data: z.array(notification), next }),
  errors: [],
  async handle(context, { caller, query }) {
    const { entries, next } = await entryPage(context, caller.userId, query);
    const wording = { render: context.renderMessage, english: context.languages.english.render };
    return { data: entries.map((entry) => show(entry, wording)), next };
  },
});

function show(
  { id, kind, at, unread, isResolved, resolvedAt, post, account, moment }: Entry,
  wording: Wording,
): z.input<typeof notification> {
  return {
    id,
    kind,
    at: at.toISOString(),
    read: !unread,
    resolved: isResolved,
    resolvedAt: resolvedAt?.toISOString() ?? null,
    post: post && {
      ...post,
      failed: post.failed.map((each) => affected(each, wording)),
      troubled: post.troubled.map((each) => affected(each, wording)),
    },
    account: post ? null : accountOf(account),
    moment: moment?.toISOString() ?? null,
  };
}

function affected(account: AffectedAccount, wording: Wording) {
  const { id, platform, username, displayName, code } = account;
  const detail = failureDetail(account, wording);
  const message = code ?? ('internal_error' as const);
  return { id, platform, username, displayName, message, ...(detail ? { detail } : {}) };
}

const accountOf = ({ id, platform, username, displayName, status }: Entry['account']) => ({
  id,
  platform,
  username,
  displayName,
  status,
});
