/** Warnings about accounts whose new posts rules do not see, or whose access cannot be renewed. */
import type { PlatformRow } from '../../accounts/platform-list-store.ts';
import type { Context } from '../../context.ts';
import { handleOf } from '../../lib/handle.ts';
import type { MessageRenderer } from '../../messages/message.ts';
import { say } from '../../messages/rules.ts';
import { say as sayOfAccount } from '../../messages/timeline.ts';
import { watchMode } from '../../reposts/watch-status.ts';
import { listUnread, type UnreadAccount } from '../../watching/warning-store.ts';

export interface AccountWarning {
  code: string;
  text: string;
  since?: string;
}

/** By account id. */
export type AccountWarnings = ReadonlyMap<string, readonly AccountWarning[]>;

/** @param accountId only this account */
export async function readWarnings(
  { db, connectors, renderMessage }: Pick<Context, 'db' | 'connectors' | 'renderMessage'>,
  userId: string,
  accountId?: string,
): Promise<AccountWarnings> {
  const rows = await listUnread(db, userId, accountId);
  const watched = rows.filter(({ platform, watch }) => watchMode(watch, connectors[platform], false) !== 'own');
  return new Map(watched.map((row) => [row.id, warningsOf(row, renderMessage)]));
}

/** Pure. The tokens are refreshed ahead of their end, so the account still works. */
export function renewalWarnings(
  { status, refreshFailure }: Pick<PlatformRow, 'status' | 'refreshFailure'>,
  render: MessageRenderer,
): AccountWarning[] {
  if (!refreshFailure || status !== 'CONNECTED') return [];
  const { since, reason } = refreshFailure;
  const message = sayOfAccount('access_not_renewed', { sinceAt: since, reason });
  return [{ code: message.code, text: render(message), since: new Date(since).toISOString() }];
}

function warningsOf(
  { username, status, failingSince, problem }: UnreadAccount,
  render: MessageRenderer,
): AccountWarning[] {
  const since = failingSince ? { since: failingSince.toISOString() } : {};
  if (status !== 'CONNECTED') {
    const message = say('watch_disconnected');
    return [{ code: message.code, text: render(message), ...since }];
  }
  // It was reconnected, and is checked within a minute.
  if (!failingSince || !problem || problem.code === 'watch_disconnected') return [];
  const { code, params } = say('watch_failing', {
    account: handleOf(username),
    sinceAt: failingSince.getTime(),
    reason: problem,
  });
  return [{ code, text: render({ code, params }), ...since }];
}
