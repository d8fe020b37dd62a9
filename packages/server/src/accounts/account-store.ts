/**
 * SQL statements on accounts and identities. An identity is one account at a platform. Users who connect the same account
 * share its identity, its lane, its budgets and its ledger of posts, so only the server responsible for a remote id may
 * claim it.
 */
import type { AccountFacts } from '../connectors/contract.ts';
import type { Queryable } from '../db/database.ts';
import { listParameter } from '../db/list-parameter.ts';
import type { Account, AccountStatus, EndedStatus } from './types.ts';

const ACCOUNT = `a.id, a.user_id as "userId", a.identity_id as "identityId", a.grant_id as "grantId", a.platform,
  a.service, i.remote_id as "remoteId", a.username, a.display_name as "displayName", a.avatar, a.status, a.sandbox,
  a.capabilities, a.choices, a.choice_values as "choiceValues", a.extra, a.connected_at as "connectedAt"`;

/** Loads accounts by id, in no particular order. Unknown ids are skipped. Index: primary keys. */
export function loadAccounts(db: Queryable, ids: readonly string[]): Promise<Account[]> {
  return db.query<Account>(
    `select ${ACCOUNT} from account a join identity i on i.id = a.identity_id where a.id = any(${listParameter('$1')})`,
    [ids],
  );
}

/** A user's accounts, ordered by time of connection, without disconnected ones. Index: account_listing. */
export function listAccounts(db: Queryable, userId: string): Promise<Account[]> {
  return db.query<Account>(
    `select ${ACCOUNT} from account a join identity i on i.id = a.identity_id
     where a.user_id = $1 and a.status <> 'DISCONNECTED' order by a.connected_at, a.id`,
    [userId],
  );
}

/**
 * Returns the identity's id. Creates the identity and its lane if missing. Index: identity's unique key.
 * @param user.ownServer whether the account is on a server that its user named
 */
export async function upsertIdentity(
  tx: Queryable,
  key: { platform: string; service: string; remoteId: string },
  { userId, ownServer }: { userId: string; ownServer: boolean },
): Promise<string> {
  const values = [key.platform, key.service, key.remoteId];
  await tx.execute(
    'insert into identity (platform, service, remote_id) values ($1, $2, $3) on conflict do nothing',
    values,
  );
  const [row] = await tx.query<{ id: string }>(
    // Locked as by a reference, so that no sweep deletes it before the account refers to it.
    'select id from identity where platform = $1 and service = $2 and remote_id = $3 for key share',
    values,
  );
  if (!row) throw new Error('The inserted identity is missing.');
  await tx.execute(
    `insert into lane (identity_id, user_id, own_server) values ($1, $2, $3)
     on conflict (identity_id) do update set own_server = excluded.own_server
     where lane.own_server is distinct from excluded.own_server`,
    [row.id, userId, ownServer],
  );
  return row.id;
}

export interface KnownAccount {
  id: string;
  status: AccountStatus;
  grant_id: string | null;
  choices: Record<string, string>;
  avatar: string | null;
}

/** Locks the user's account for an identity. Index: unique (user_id, identity_id). */
export async function lockAccount(tx: Queryable, userId: string, identityId: string): Promise<KnownAccount | null> {
  const [row] = await tx.query<KnownAccount>(
    'select id, status, grant_id, choices, avatar from account where user_id = $1 and identity_id = $2 for update',
    [userId, identityId],
  );
  return row ?? null;
}

export interface WrittenAccount {
  userId: string;
  identityId: string;
  grantId: string;
  platform: string;
  service: string;
  sandbox: boolean;
  facts: AccountFacts;
  choices: Record<string, string>;
  /** undefined leaves it unchanged. */
  avatar: string | undefined;
  /** Delay until its facts are refreshed, in ms. */
  factsInMs: number;
}

/** Connects an account, or reconnects it under the same id. Index: unique (user_id, identity_id). */
export async function writeAccount(tx: Queryable, account: WrittenAccount): Promise<string> {
  const { facts } = account;
  const [row] = await tx.query<{ id: string }>(
    `insert into account as a (user_id, identity_id, grant_id, platform, service, username, display_name, avatar, status,
       sandbox, capabilities, choices, choice_values, extra, checked_at, due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'CONNECTED', $9, $10, $11, $12, $13, app_now(),
       app_now() + $14::float8 * interval '1 ms')
     on conflict (user_id, identity_id) do update set grant_id = excluded.grant_id, service = excluded.service,
       username = excluded.username, display_name = excluded.display_name,
       avatar = coalesce(excluded.avatar, a.avatar), status = 'CONNECTED', capabilities = excluded.capabilities,
       choices = excluded.choices, choice_values = excluded.choice_values, extra = excluded.extra,
       connected_at = case when a.status = 'DISCONNECTED' then app_now() else a.connected_at end,
       disconnected_at = null, checked_at = excluded.checked_at, due_at = excluded.due_at, attempts = 0
     returning id`,
    [
      account.userId,
      account.identityId,
      account.grantId,
      account.platform,
      account.service,
      facts.username,
      facts.displayName,
      account.avatar ?? null,
      account.sandbox,
      JSON.stringify(facts.capabilities),
      JSON.stringify(account.choices),
      JSON.stringify(facts.choices ?? {}),
      JSON.stringify(facts.extra ?? {}),
      account.factsInMs,
    ],
  );
  if (!row) throw new Error('The inserted account is missing.');
  return row.id;
}

/** Stores the facts from the daily refresh, if the account is still connected by the same grant. Index: primary key. */
export async function writeFacts(
  db: Queryable,
  account: { id: string; grantId: string },
  facts: AccountFacts & { service: string },
): Promise<boolean> {
  const written = await db.execute(
    `update account set username = $3, display_name = $4, capabilities = $5, choice_values = $6, extra = $7, service = $8,
       checked_at = app_now()
     where id = $1 and grant_id = $2 and status = 'CONNECTED'`,
    [
      account.id,
      account.grantId,
      facts.username,
      facts.displayName,
      JSON.stringify(facts.capabilities),
      JSON.stringify(facts.choices ?? {}),
      JSON.stringify(facts.extra ?? {}),
      facts.service,
    ],
  );
  return written > 0;
}

/**
 * Records that the platform rejected this account for good. Applies only if `version` is current: older tokens may have
 * been replaced between being read and being used. Index: primary keys.
 */
export async function writeEnded(
  db: Queryable,
  accountId: string,
  version: number,
  status: EndedStatus,
): Promise<boolean> {
  const written = await db.execute(
    `update account a set status = $3 from access_grant g
     where a.id = $1 and a.status = 'CONNECTED' and g.id = a.grant_id and g.version = $2`,
    [accountId, version, status],
  );
  return written > 0;
}

/**
 * Returns a server's name for database keys. Simulated servers get a prefix, so that they never collide with real ones.
 */
export function serviceKey(service: string, sandbox: boolean): string {
  return sandbox ? `sandbox:${service}` : service;
}

/**
 * Returns the server that scopes an account's remote id: "" for the platform itself, else the origin of the server that
 * responded. A simulator counts as one server.
 */
export function identityService(facts: Pick<AccountFacts, 'globalId'>, service: string, sandbox: boolean): string {
  return serviceKey(facts.globalId || sandbox ? '' : originOf(service), sandbox);
}

/** All paths of one server share its authority. */
function originOf(service: string): string {
  return URL.parse(service)?.origin ?? service;
}
