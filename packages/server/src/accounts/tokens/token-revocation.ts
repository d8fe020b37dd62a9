/**
 * Revokes grants without accounts at the platform once no target needs them, then deletes them. A revocation that would
 * end the access of other accounts is not sent: their last grant sends it.
 */
import type { WholeConsent } from '../../connectors/contract.ts';
import type { Queryable } from '../../db/database.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import type { Platforms } from '../apps/platforms.ts';
import type { AccountEvents } from '../events.ts';
import { failureOf } from '../failures.ts';
import type { AccountsDependencies } from '../types.ts';
import { backOffMs } from './token-lifetime.ts';
import { flowOf } from './token-refresh.ts';
import { openSecret, tokensOf } from './token-secret.ts';
import { dueGrants, type GrantClaim, type GrantState, readGrant } from './token-store.ts';

const POLL_AGAIN_MS = MINUTE;
/** After this number of failures, the tokens are deleted here and left to expire at the platform. */
const MAX_ATTEMPTS = 8;

type Deps = Pick<AccountsDependencies, 'db' | 'sealer' | 'sandbox' | 'connectors'> & {
  platforms: Platforms;
  events: AccountEvents;
};

/**
 * Processes one due ended grant. Tokens that the platform has already refused are not revoked, nor are tokens whose
 * revocation would end the access of other accounts.
 */
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
    const tokens = tokensOf(platforms, grant, secret);
    const whole = grant.kind === 'oauth' ? platforms.connector(grant.platform).oauth?.consentOf?.(tokens) : null;
    if (whole && (await hasSiblings(db, grant, whole, wholeConsentPlatforms(deps)))) {
      events.consentShared(claim.row);
      await forget(deps, claim);
      return;
    }
    const context = await platforms.context(grant.platform, grant.sandbox);
    const failure = await revoke(context, tokens).then(() => null, failureOf);
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

/** The platforms whose revocation may end a whole consent. */
function wholeConsentPlatforms({ connectors }: Deps): string[] {
  return Object.values(connectors).flatMap(({ id, oauth }) => (oauth?.consentOf ? [id] : []));
}

/**
 * Whether other accounts, of any user, use or may use the same consent. An unknown person may be the same one, and so
 * may be the person of a grant from before persons were stored. A grant counts while it has an account, or targets that
 * still need it. Index: access_grant_consent, account_grant, target_account.
 */
async function hasSiblings(
  db: Queryable,
  grant: Pick<GrantState, 'id' | 'sandbox'>,
  { app, person }: WholeConsent,
  platforms: readonly string[],
): Promise<boolean> {
  const [row] = await db.query<{ shared: boolean }>(
    `select exists (select 1 from access_grant g where g.id <> $1 and g.sandbox = $2 and g.refused_at is null
       and (g.consent_app = $3 and ($4 in ('', g.consent_person) or g.consent_person = '')
         or g.consent_app is null and g.platform = any($5::text[]))
       and exists (select 1 from account a where a.grant_id = g.id and (a.status <> 'DISCONNECTED'
         or exists (select 1 from target t where t.account_id = a.id and t.due_at is not null)))) as shared`,
    [grant.id, grant.sandbox, app, person, platforms],
  );
  return row?.shared ?? false;
}
