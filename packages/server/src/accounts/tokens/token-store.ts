/** SQL statements on grants. A refresh holds the row by lease and fence; new tokens are written by version. */
import type { JsonObject, Tokens, WholeConsent } from '../../connectors/contract.ts';
import type { Database, Queryable, Transaction } from '../../db/database.ts';
import { listParameter } from '../../db/list-parameter.ts';
import type { Sealer } from '../../lib/encryption/seal.ts';
import { uuidv7 } from '../../lib/ids.ts';
import type { MessageRef } from '../../messages/message.ts';
import { storedMessage } from '../../messages/stored.ts';
import { type Claim, dueRows } from '../../queue/claim.ts';
import type { EndedStatus } from '../types.ts';
import { storedScopes } from './scopes.ts';
import { aheadMs } from './token-lifetime.ts';
import { grantPurpose, openSecret, withPreviousRefreshToken } from './token-secret.ts';

export interface GrantRow {
  id: string;
  /** null once the user is deleted; such a grant has ended. */
  user_id: string | null;
  platform: string;
  service: string;
  kind: 'oauth' | 'credentials';
  sandbox: boolean;
  sealed: Buffer;
  scopes: string[];
  version: number;
  ended_at: Date | null;
}

export type GrantClaim = Claim<GrantRow>;

/** Due grants: those to refresh ahead of expiry, and those to revoke. Index: access_grant_due. */
export const dueGrants = dueRows<GrantRow>('access_grant', { user: 'user_id', service: 'service' });

/** A grant as of the database's current time. Spans are in ms from now. */
export interface GrantState extends GrantRow {
  lifeMs: number | null;
  refreshLifeMs: number | null;
  leased: boolean;
  attempts: number;
  dueInMs: number | null;
  /** Ms until a refresh that was sent can no longer be answered; 0 or less if none is outstanding. */
  sentForMs: number;
  refused: boolean;
}

const span = (column: string) => `(extract(epoch from ${column} - app_now()) * 1000)::float8`;

/** Index: primary key. */
export async function readGrant(db: Queryable, id: string): Promise<GrantState | null> {
  return (await readGrants(db, [id]))[0] ?? null;
}

/** Reads grants by id, in no particular order. Unknown ids are skipped. Index: primary key. */
export function readGrants(db: Queryable, ids: readonly string[]): Promise<GrantState[]> {
  return db.query<GrantState>(
    `select id, user_id, platform, service, kind, sandbox, sealed, scopes, version, ended_at, attempts,
       ${span('expires_at')} as "lifeMs", ${span('refresh_expires_at')} as "refreshLifeMs",
       coalesce(lease_until > app_now(), false) as leased, ${span('due_at')} as "dueInMs",
       coalesce(${span('refresh_sent_until')}, 0) as "sentForMs", refused_at is not null as refused
     from access_grant where id = any(${listParameter('$1')})`,
    [ids],
  );
}

/**
 * Records that a refresh of this version is about to be sent. No other refresh is sent within `sentMs`. If the outcome
 * stays unknown, the next refresh is due after `againMs`.
 * @returns false if the lease was lost or the grant has changed
 */
export async function noteSent(
  db: Queryable,
  claim: GrantClaim,
  spans: { leaseMs: number; sentMs: number; againMs: number },
): Promise<boolean> {
  const written = await db.execute(
    `update access_grant set refresh_sent_until = app_now() + $4::float8 * interval '1 ms',
       lease_until = greatest(lease_until, app_now() + $5::float8 * interval '1 ms'),
       due_at = app_now() + $6::float8 * interval '1 ms'
     where id = $1 and fence = $2 and version = $3`,
    [claim.key, claim.fence, claim.row.version, spans.sentMs, spans.leaseMs, spans.againMs],
  );
  return written > 0;
}

/**
 * Releases a grant after a failed refresh.
 * @param heard whether no response to the refresh can arrive any more
 * @param reason null if it is not known yet
 */
export async function noteFailed(
  db: Queryable,
  claim: GrantClaim,
  { afterMs, heard, reason }: { afterMs: number; heard: boolean; reason: MessageRef | null },
): Promise<void> {
  await db.execute(
    `update access_grant set lease_until = null,
       due_at = app_now() + case when ended_at is null then $3::float8 else 0 end * interval '1 ms',
       refresh_sent_until = case when $4 then null else refresh_sent_until end,
       refresh_failure = case when $5::jsonb is null then refresh_failure else jsonb_build_object('reason', $5::jsonb,
         'since', coalesce(refresh_failure->'since', to_jsonb(floor(extract(epoch from app_now()) * 1000)))) end
     where id = $1 and fence = $2`,
    [claim.key, claim.fence, afterMs, heard, reason && JSON.stringify(storedMessage(reason))],
  );
}

/** Releases a grant that needed no refresh. An ended grant stays due. */
export async function noteFresh(db: Queryable, claim: GrantClaim, dueInMs: number | null): Promise<void> {
  await db.execute(
    `update access_grant set lease_until = null, attempts = 0, refresh_failure = null,
       due_at = case when ended_at is null then app_now() + $3::float8 * interval '1 ms' else app_now() end
     where id = $1 and fence = $2`,
    [claim.key, claim.fence, dueInMs],
  );
}

/** One version of a grant. */
export interface GrantVersion {
  key: string;
  version: number;
  /** Fence of the lease that ends with the write; null if no lease is held. */
  fence: number | null;
}

export interface NewPair {
  secret: JsonObject;
  scopes: readonly string[];
  lifeMs: number | null;
  refreshLifeMs: number | null;
  dueInMs: number | null;
}

/**
 * Stores the tokens from a refresh. The write succeeds for the refreshed version, regardless of who holds the lease.
 * The previous tokens may already be invalid, and the new ones prove that they were good. If another process sent the
 * previous tokens again meanwhile and got "revoked", that verdict is undone.
 * @returns false if other tokens have replaced that version first
 */
export async function writePair(db: Database, sealer: Sealer, grant: GrantVersion, pair: NewPair): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [row] = await tx.query<{ refused: boolean }>(
      'select refused_at is not null as refused from access_grant where id = $1 and version = $2 for update',
      [grant.key, grant.version],
    );
    if (!row) return false;
    await tx.execute(
      `update access_grant set sealed = $3, scopes = $4, version = version + 1,
         expires_at = app_now() + $5::float8 * interval '1 ms',
         refresh_expires_at = app_now() + $6::float8 * interval '1 ms',
         due_at = case when ended_at is null then app_now() + $7::float8 * interval '1 ms' else app_now() end,
         attempts = 0, refresh_sent_until = null, refused_at = null, refresh_failure = null,
         lease_until = case when fence = $2::bigint then null else lease_until end
       where id = $1`,
      [
        grant.key,
        grant.fence,
        sealer.seal(pair.secret, grantPurpose(grant.key)),
        pair.scopes,
        pair.lifeMs,
        pair.refreshLifeMs,
        pair.dueInMs,
      ],
    );
    if (row.refused)
      await tx.execute(
        "update account set status = 'CONNECTED' where grant_id = $1 and status in ('EXPIRED', 'REVOKED')",
        [grant.key],
      );
    return true;
  });
}

/**
 * Records that the platform rejected this version for good: all its accounts must be reconnected.
 * @returns ids of the accounts that were connected until now
 */
export async function writeRefused(
  db: Database,
  grantId: string,
  version: number,
  status: EndedStatus,
): Promise<string[]> {
  return db.transaction(async (tx) => {
    const written = await tx.execute(
      `update access_grant set refused_at = app_now(), lease_until = null, refresh_sent_until = null, attempts = 0,
         refresh_failure = null,
         due_at = case when ended_at is null then null else app_now() end
       where id = $1 and version = $2 and refused_at is null`,
      [grantId, version],
    );
    if (written === 0) return [];
    const rows = await tx.query<{ id: string }>(
      "update account set status = $2 where grant_id = $1 and status = 'CONNECTED' returning id",
      [grantId, status],
    );
    return rows.map((row) => row.id);
  });
}

/** Marks the access token of this version as rejected, so that the next use refreshes it. */
export async function writeStale(db: Queryable, grantId: string, version: number): Promise<boolean> {
  const written = await db.execute(
    `update access_grant set expires_at = app_now(), due_at = case when attempts = 0 then app_now() else due_at end
     where id = $1 and version = $2 and expires_at > app_now()`,
    [grantId, version],
  );
  return written > 0;
}

/**
 * Ends all grants of a user who is about to be deleted. They stay until they are revoked at the platform. Index:
 * access_grant_user.
 */
export async function endGrantsOf(tx: Queryable, userId: string): Promise<void> {
  await tx.execute(
    `update access_grant set ended_at = coalesce(ended_at, app_now()), due_at = app_now(), user_id = null
     where user_id = $1`,
    [userId],
  );
}

/** The tokens of a consent and their owner. */
export interface ConsentTokens {
  userId: string;
  platform: string;
  sandbox: boolean;
  kind: 'oauth' | 'credentials';
  tokens: Tokens;
  /** See {@link OAuthFlow.consentOf}. */
  whole: WholeConsent | null;
}

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
  consent: ConsentTokens,
  accounts: readonly { id: string; grant_id: string | null }[],
): Promise<string> {
  const former = await lockFormer(tx, consent, accounts);
  const place = former.find((grant) => !grant.others);
  const id = place?.id ?? uuidv7();
  const source = place ?? former[0];
  const kept = source && source.service === consent.tokens.service ? openSecret(sealer, source) : null;
  const secret = withPreviousRefreshToken(kept, consent.tokens.secret);
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
  { userId, platform, kind, sandbox }: ConsentTokens,
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

function valuesOf(sealer: Sealer, id: string, { tokens, whole }: ConsentTokens, secret: JsonObject): unknown[] {
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
    whole?.app ?? '',
    whole?.person ?? '',
  ];
}

/** Increments the version, so that a refresh of the previous tokens that is still in progress has no effect. */
async function renew(
  tx: Transaction,
  sealer: Sealer,
  id: string,
  consent: ConsentTokens,
  secret: JsonObject,
): Promise<void> {
  await tx.execute(
    `update access_grant set service = $2, sealed = $3, scopes = $4, version = version + 1,
       expires_at = app_now() + $5::float8 * interval '1 ms',
       refresh_expires_at = app_now() + $6::float8 * interval '1 ms',
       due_at = app_now() + $7::float8 * interval '1 ms', consent_app = $8, consent_person = $9,
       attempts = 0, refresh_sent_until = null, refused_at = null, refresh_failure = null, ended_at = null where id = $1`,
    valuesOf(sealer, id, consent, secret),
  );
}

async function insert(
  tx: Transaction,
  sealer: Sealer,
  id: string,
  consent: ConsentTokens,
  secret: JsonObject,
): Promise<void> {
  await tx.execute(
    `insert into access_grant (id, service, sealed, scopes, expires_at, refresh_expires_at, due_at, consent_app,
       consent_person, user_id, platform, kind, sandbox)
     values ($1, $2, $3, $4, app_now() + $5::float8 * interval '1 ms', app_now() + $6::float8 * interval '1 ms',
       app_now() + $7::float8 * interval '1 ms', $8, $9, $10, $11, $12, $13)`,
    [...valuesOf(sealer, id, consent, secret), consent.userId, consent.platform, consent.kind, consent.sandbox],
  );
}
