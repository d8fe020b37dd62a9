/** Revokes grants without accounts at the platform once no target needs them, then deletes them. */
import type { Failure } from '../connectors/kit/failure.ts';
import { isStillNeeded } from './disconnect.ts';
import type { AccountEvents } from './events.ts';
import { failureOf } from './failures.ts';
import { openSecret, tokensOf } from './grant-secret.ts';
import { dueGrants, type GrantClaim, readGrant } from './grant-store.ts';
import { backOffMs } from './lifetimes.ts';
import type { Platforms } from './platforms.ts';
import { flowOf } from './refresh.ts';
import type { AccountsDependencies } from './types.ts';

const LOOK_AGAIN_MS = 60_000;
/** After this number of failures, the tokens are deleted here and left to expire at the platform. */
const MOST_ATTEMPTS = 8;

type Needs = Pick<AccountsDependencies, 'db' | 'sealer' | 'sandbox'> & { platforms: Platforms; events: AccountEvents };

/** Processes one due ended grant. Tokens that the platform has already refused are not revoked. */
export async function endGrant(needs: Needs, claim: GrantClaim): Promise<void> {
  const { db, events, platforms } = needs;
  const grant = await readGrant(db, claim.key);
  if (!grant?.ended_at) return;
  if (await isStillNeeded(db, grant.id)) {
    await dueGrants.release(db, claim, { afterMs: LOOK_AGAIN_MS, failed: false });
    return;
  }
  const secret = openSecret(needs.sealer, grant);
  const revoke = flowOf(platforms, grant)?.revoke;
  const reachable = !grant.sandbox || needs.sandbox !== null;
  if (secret && revoke && reachable && !grant.refused) {
    const failure = await revoke(
      await platforms.context(grant.platform, grant.sandbox),
      tokensOf(platforms, grant, secret),
    ).then(() => null, failureOf);
    const last = claim.attempts >= MOST_ATTEMPTS;
    if (failure) events.revokeFailed(claim.row, failure, last);
    else events.revoked(claim.row);
    if (failure && passes(failure) && !last) {
      await dueGrants.release(db, claim, { afterMs: backOffMs(claim.attempts, 0, Math.random()), failed: true });
      return;
    }
  }
  await forget(needs, claim);
}

/** Deletes the grant, unless the user has reconnected meanwhile: then the row holds new tokens. */
async function forget({ db }: Needs, claim: GrantClaim): Promise<void> {
  await db.execute('delete from access_grant where id = $1 and fence = $2 and version = $3 and ended_at is not null', [
    claim.key,
    claim.fence,
    claim.row.version,
  ]);
}

function passes(failure: Failure): boolean {
  return failure.kind === 'transient' || failure.kind === 'rateLimited';
}
