/** Statements on grants. Whoever refreshes holds the row by lease and fence; a new pair is written by version. */
import type { JsonObject } from '../connectors/contract.ts';
import type { Database, Queryable } from '../db/database.ts';
import { type Claim, dueRows } from '../due/claim.ts';
import type { Sealer } from '../seal.ts';
import type { EndedStatus } from './types.ts';

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

/** Due grants: those to be refreshed ahead of need, and those to be revoked. Index: access_grant_due. */
export const dueGrants = dueRows<GrantRow>('access_grant');

/** A grant as it stands at this moment of the database's clock; spans in ms from now. */
export interface GrantState extends GrantRow {
  lifeMs: number | null;
  refreshLifeMs: number | null;
  leased: boolean;
  attempts: number;
  dueInMs: number | null;
  /** Until when a refresh that was sent may still be answered; not above 0: none is. */
  sentForMs: number;
  refused: boolean;
}

const span = (column: string) => `(extract(epoch from ${column} - app_now()) * 1000)::float8`;

/** Index: primary key. */
export async function readGrant(db: Queryable, id: string): Promise<GrantState | null> {
  return (await readGrants(db, [id]))[0] ?? null;
}

/** Grants by id, those that there are, in no order. Index: primary key. */
export function readGrants(db: Queryable, ids: readonly string[]): Promise<GrantState[]> {
  return db.query<GrantState>(
    `select id, user_id, platform, service, kind, sandbox, sealed, scopes, version, ended_at, attempts,
       ${span('expires_at')} as "lifeMs", ${span('refresh_expires_at')} as "refreshLifeMs",
       coalesce(lease_until > app_now(), false) as leased, ${span('due_at')} as "dueInMs",
       coalesce(${span('refresh_sent_until')}, 0) as "sentForMs", refused_at is not null as refused
     from access_grant where id = any($1::uuid[])`,
    [ids],
  );
}

/**
 * Notes that a refresh of this version is about to be sent, before it is. Until `sentMs` from now nobody sends another,
 * and if nothing more is heard of it the next one is due after `againMs`.
 * @returns false when the grant is no longer ours, or has changed
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

/** Gives a grant back after a failure. @param heard no answer of the refresh can come any more */
export async function noteFailed(db: Queryable, claim: GrantClaim, afterMs: number, heard: boolean): Promise<void> {
  await db.execute(
    `update access_grant set lease_until = null,
       due_at = app_now() + case when ended_at is null then $3::float8 else 0 end * interval '1 ms',
       refresh_sent_until = case when $4 then null else refresh_sent_until end
     where id = $1 and fence = $2`,
    [claim.key, claim.fence, afterMs, heard],
  );
}

/** Gives back a grant that needed nothing. An ended one stays due. */
export async function noteFresh(db: Queryable, claim: GrantClaim, dueInMs: number | null): Promise<void> {
  await db.execute(
    `update access_grant set lease_until = null, attempts = 0,
       due_at = case when ended_at is null then app_now() + $3::float8 * interval '1 ms' else app_now() end
     where id = $1 and fence = $2`,
    [claim.key, claim.fence, dueInMs],
  );
}

/** One version of a grant. */
export interface GrantVersion {
  key: string;
  version: number;
  /** Of the lease that ends with the write; null: nobody's. */
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
 * Writes what a refresh gave. It counts for the version that was refreshed, whoever holds the lease by now: the former
 * pair may be dead already, and this one is the proof that it was good. A verdict "revoked" that another reached
 * meanwhile by sending the former pair again is undone.
 * @returns false when another pair took the place of that version first
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
         attempts = 0, refresh_sent_until = null, refused_at = null,
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
 * The platform said that this version is over: every account on it must be reconnected.
 * @returns accounts that were connected until now
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

/** An access token of this version was not taken any more: the next use refreshes it. */
export async function writeStale(db: Queryable, grantId: string, version: number): Promise<boolean> {
  const written = await db.execute(
    `update access_grant set expires_at = app_now(), due_at = case when attempts = 0 then app_now() else due_at end
     where id = $1 and version = $2 and expires_at > app_now()`,
    [grantId, version],
  );
  return written > 0;
}

/** The user is about to be deleted: the grants stay until they are revoked at the platform. Index: access_grant_user. */
export async function endGrantsOf(tx: Queryable, userId: string): Promise<void> {
  await tx.execute(
    `update access_grant set ended_at = coalesce(ended_at, app_now()), due_at = app_now(), user_id = null
     where user_id = $1`,
    [userId],
  );
}

/** What a grant's secret is sealed for: it cannot be opened as another's. */
export function grantPurpose(id: string): string {
  return `grant ${id}`;
}
