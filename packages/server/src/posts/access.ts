/** Checks whether an account's access will allow a post at its due time. */
import { missingScopes } from '../accounts/tokens/scopes.ts';
import { accessEnd, type Ends } from '../accounts/tokens/token-lifetime.ts';
import type { Connector } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import { explain } from '../messages/checks.ts';
import type { Reason } from './types.ts';

/** The grant of an account. */
export interface Access extends Ends<Date> {
  scopes: readonly string[];
}

/** Reads grants by account id. Accounts without a grant are omitted. Indexes: primary keys. */
export async function readAccess(db: Queryable, accountIds: readonly string[]): Promise<Map<string, Access>> {
  const rows = await db.query<Access & { id: string }>(
    `select a.id, g.kind, g.scopes, g.expires_at as "expiresAt", g.refresh_expires_at as "refreshExpiresAt"
     from account a join access_grant g on g.id = a.grant_id where a.id = any($1::uuid[])`,
    [accountIds],
  );
  return new Map(rows.map(({ id, ...access }) => [id, access]));
}

/** @param at due time of the post, ms since the epoch */
export function foreseeProblems(connector: Connector, access: Access, at: number): Reason[] {
  const reasons: Reason[] = [];
  const missing = access.kind === 'oauth' && connector.oauth ? missingScopes(connector.oauth, access.scopes) : [];
  if (missing.length > 0)
    reasons.push({
      effect: 'warning',
      code: 'permission_missing',
      message: explain('permission_missing', { platform: connector.name, scopes: missing.join(', ') }),
    });
  const end = accessEnd(connector, access);
  if (end && end.getTime() <= at)
    reasons.push({
      effect: 'fails',
      code: 'reconnect_required',
      message: explain('access_ends', { endAt: end.getTime() }),
      until: end.toISOString(),
    });
  return reasons;
}
