/** Stores the tokens from a consent, in the transaction that connects its accounts. */
import type { JsonObject } from '../connectors/contract.ts';
import type { Transaction } from '../db/database.ts';
import { uuidv7 } from '../ids.ts';
import type { Sealer } from '../seal.ts';
import type { Consent } from './finish.ts';
import { keepRefreshToken, openSecret } from './grant-secret.ts';
import { grantPurpose } from './grant-store.ts';
import { aheadMs } from './lifetimes.ts';
import { storedScopes } from './scopes.ts';

interface FormerGrant {
  id: string;
  sealed: Buffer;
  service: string;
  /** Whether it serves connected accounts that this consent does not cover. */
  others: boolean;
}

/**
 * Writes the tokens into the accounts' existing grant, or into a new one if the existing grant serves other accounts
 * too. Keeps the previous refresh token if the response has none. Replaced tokens are not revoked, because the consent
 * is the same.
 * @param accounts the user's accounts covered by the consent, locked
 */
export async function replaceGrants(
  tx: Transaction,
  sealer: Sealer,
  consent: Consent,
  accounts: readonly { id: string; grant_id: string | null }[],
): Promise<string> {
  const former = await lockFormer(tx, consent, accounts);
  const place = former.find((grant) => !grant.others);
  const id = place?.id ?? uuidv7();
  const source = place ?? former[0];
  const kept = source && source.service === consent.tokens.service ? openSecret(sealer, source) : null;
  const secret = keepRefreshToken(kept, consent.tokens.secret);
  if (place) await renew(tx, sealer, id, consent, secret);
  else await insert(tx, sealer, id, consent, secret);
  await tx.execute('update account set grant_id = $1 where id = any($2::uuid[])', [
    id,
    accounts.map((each) => each.id),
  ]);
  const left = `g.id = any($1::uuid[]) and g.id <> $2 and not exists (select 1 from account a where a.grant_id = g.id)`;
  await tx.execute(`delete from access_grant g where ${left}`, [former.map((grant) => grant.id), id]);
  // A login of another kind stays valid at the platform, so it is ended and revoked there.
  await tx.execute(`update access_grant g set ended_at = app_now(), due_at = app_now() where ${left}`, [
    accounts.flatMap((each) => each.grant_id ?? []),
    id,
  ]);
  return id;
}

/** Locks the accounts' grants of the same kind, ordered by id. Index: account_grant. */
function lockFormer(
  tx: Transaction,
  { userId, platform, kind, sandbox }: Consent,
  accounts: readonly { id: string; grant_id: string | null }[],
): Promise<FormerGrant[]> {
  return tx.query<FormerGrant>(
    `select g.id, g.sealed, g.service, exists (select 1 from account a where a.grant_id = g.id
         and a.status <> 'DISCONNECTED' and not a.id = any($6::uuid[])) as others
     from access_grant g where g.id = any($1::uuid[]) and g.user_id = $2 and g.platform = $3 and g.kind = $4
       and g.sandbox = $5 order by g.id for update`,
    [accounts.flatMap((each) => each.grant_id ?? []), userId, platform, kind, sandbox, accounts.map((each) => each.id)],
  );
}

function valuesOf(sealer: Sealer, id: string, { tokens }: Consent, secret: JsonObject): unknown[] {
  const ms = (seconds: number | null) => (seconds === null ? null : seconds * 1000);
  const lifeMs = ms(tokens.expiresIn);
  return [
    id,
    tokens.service,
    sealer.seal(secret, grantPurpose(id)),
    storedScopes(tokens.scopes),
    lifeMs,
    ms(tokens.refreshExpiresIn),
    aheadMs(lifeMs, Math.random()),
  ];
}

/** Increments the version, so that a refresh of the previous tokens that is still in progress has no effect. */
async function renew(tx: Transaction, sealer: Sealer, id: string, consent: Consent, secret: JsonObject): Promise<void> {
  await tx.execute(
    `update access_grant set service = $2, sealed = $3, scopes = $4, version = version + 1,
       expires_at = app_now() + $5::float8 * interval '1 ms',
       refresh_expires_at = app_now() + $6::float8 * interval '1 ms',
       due_at = app_now() + $7::float8 * interval '1 ms',
       attempts = 0, refresh_sent_until = null, refused_at = null, ended_at = null where id = $1`,
    valuesOf(sealer, id, consent, secret),
  );
}

async function insert(
  tx: Transaction,
  sealer: Sealer,
  id: string,
  consent: Consent,
  secret: JsonObject,
): Promise<void> {
  await tx.execute(
    `insert into access_grant (id, service, sealed, scopes, expires_at, refresh_expires_at, due_at, user_id, platform,
       kind, sandbox)
     values ($1, $2, $3, $4, app_now() + $5::float8 * interval '1 ms', app_now() + $6::float8 * interval '1 ms',
       app_now() + $7::float8 * interval '1 ms', $8, $9, $10, $11)`,
    [...valuesOf(sealer, id, consent, secret), consent.userId, consent.platform, consent.kind, consent.sandbox],
  );
}
