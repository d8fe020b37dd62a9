/** Revokes grants without accounts at the platform once no target needs them, then deletes them. */
import type { Queryable } from '../../db/database.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { MINUTE } from '../../time.ts';
import type { Platforms } from '../apps/platforms.ts';
import type { AccountEvents } from '../events.ts';
import { failureOf } from '../failures.ts';
import type { AccountsDependencies } from '../types.ts';
import { backOffMs } from './token-lifetime.ts';
import { flowOf } from './token-refresh.ts';
import { openSecret, tokensOf } from './token-secret.ts';
import { dueGrants, type GrantClaim, readGrant } from './token-store.ts';

const POLL_AGAIN_MS = MINUTE;
/** After this number of failures, the tokens are deleted here and left to expire at the platform. */
const MAX_ATTEMPTS = 8;

type Deps = Pick<AccountsDependencies, 'db' | 'sealer' | 'sandbox'> & { platforms: Platforms; events: AccountEvents };

/** Processes one due ended grant. Tokens that the platform has already refused are not revoked. */
export async function endGrant(deps: Deps, claim: GrantClaim): Promise<void> {
  const { db, events, platforms } = deps;
  const grant = await readGrant(db, claim.key);
  if (!grant?.ended_at) return;
  if (await isStillNeeded(db, grant.id)) {
    await dueGrants.release(db, claim, { afterMs: POLL_AGAIN_MS, failed: false });
    return;
  }
  const secret = openSecret(deps.sealer, grant);
  const revoke = flowOf(platforms, grant)?.revoke;
  const reachable = !grant.sandbox || deps.sandbox !== null;
  if (secret && revoke && reachable && !grant.refused) {
    const failure = await revoke(
      await platforms.context(grant.platform, grant.sandbox),
      tokensOf(platforms, grant, secret),
    ).then(() => null, failureOf);
    const last = claim.attempts >= MAX_ATTEMPTS;
    if (failure) events.revokeFailed(claim.row, failure, last);
    else events.revoked(claim.row);
    if (failure && passes(failure) && !last) {
      await dueGrants.release(db, claim, { afterMs: backOffMs(claim.attempts, 0, Math.random()), failed: true });
      return;
    }
  }
  await forget(deps, claim);
}

/** Deletes the grant, unless the user has reconnected meanwhile: then the row holds new tokens. */
async function forget({ db }: Deps, claim: GrantClaim): Promise<void> {
  await db.execute('delete from access_grant where id = $1 and fence = $2 and version = $3 and ended_at is not null', [
    claim.key,
    claim.fence,
    claim.row.version,
  ]);
}

function passes(failure: Failure): boolean {
  return failure.kind === 'transient' || failure.kind === 'rateLimited';
}

/** Whether targets in progress still need the grant's tokens. Index: target_account. */
async function isStillNeeded(db: Queryable, grantId: string): Promise<boolean> {
  const [row] = await db.query<{ open: boolean }>(
    `select exists (select 1 from target t join account a on a.id = t.account_id
       where a.grant_id = $1 and t.due_at is not null) as open`,
    [grantId],
  );
  return row?.open ?? false;
}
