/** Warnings about accounts whose new posts rules do not see. */
import type { Context } from '../../context.ts';
import { handleOf } from '../../lib/handle.ts';
import type { MessageRenderer } from '../../messages/message.ts';
import { say } from '../../messages/rules.ts';
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
