/**
 * Stores attempts to connect an account for thirty days: the pending consent, and the steps that users and support can read.
 * Tickets, states, choices and browser bindings are stored as hashes only; sealed values are deleted when they are used.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Queryable } from '../../db/database.ts';
import { isUuid } from '../../lib/ids.ts';
import { cleanText, TEXT_LIMITS } from '../../lib/text.ts';
import { MINUTE } from '../../lib/time.ts';
import type { Message, MessageRef, MessageRenderer } from '../../messages/message.ts';
import { storedMessage } from '../../messages/stored.ts';
import type { Reason } from '../events.ts';

/** Attempts that are kept for a user, and steps of an attempt. Anybody can repeat a callback. */
export const [MAX_ATTEMPTS, MAX_STEPS] = [200, 20];

/** Time allowed from ticket to start, and again from start to callback, in ms. */
export const CONSENT_MS = 10 * MINUTE;

export interface ConsentRow {
  id: string;
  user_id: string;
  platform: string;
  sandbox: boolean;
  choices: Record<string, string>;
  input: {
    service?: string;
    identifier?: string;
    login?: string;
    /** The account to reconnect; no other is accepted. */
    account?: string;
    actor: string;
    /** The session that asked. */
    sessionId?: string;
  };
  kept: Buffer | null;
  expired: boolean;
  /** Whether the requesting browser is the one that started the consent. */
  bound: boolean;
}

/** Generates a random 256-bit token for URLs and cookies. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const COLUMNS = 'id, user_id, platform, sandbox, choices, input, kept, expires_at <= app_now() as expired';

/** Starts an attempt. The user's oldest above {@link MAX_ATTEMPTS} are deleted. Index: consent_user. */
export async function insertConsent(
  db: Queryable,
  consent: Pick<ConsentRow, 'user_id' | 'platform' | 'sandbox' | 'choices' | 'input'> & { ticket: string },
): Promise<string> {
  const [row] = await db.query<{ id: string }>(
    `with old as (delete from consent where id in (
       select id from consent where user_id = $2 order by id desc offset $8))
     insert into consent (ticket_hash, user_id, platform, sandbox, choices, input, expires_at)
     values ($1, $2, $3, $4, $5, $6, app_now() + $7::float8 * interval '1 ms') returning id`,
    [
      hashOf(consent.ticket),
      consent.user_id,
      consent.platform,
      consent.sandbox,
      JSON.stringify(consent.choices),
      JSON.stringify(consent.input),
      CONSENT_MS,
      MAX_ATTEMPTS - 1,
    ],
  );
  return row?.id ?? '';
}

/** What the confirmation page needs to know about a ticket. */
export interface OpenTicket {
  id: string;
  user_id: string;
  email: string;
  platform: string;
  sandbox: boolean;
  input: ConsentRow['input'];
  asked_at: Date;
  now: Date;
}

/** Reads an unused ticket without using it. Index: consent_ticket_hash_key. */
export async function readTicket(db: Queryable, platform: string, ticket: string): Promise<OpenTicket | null> {
  const [row] = await db.query<OpenTicket>(
    `select c.id, c.user_id, u.email, c.platform, c.sandbox, c.input, app_now() as now,
       c.expires_at - $3::float8 * interval '1 ms' as asked_at
     from consent c join auth."user" u on u.id = c.user_id
     where c.ticket_hash = $1 and c.platform = $2 and c.begun_at is null and c.expires_at > app_now()`,
    [hashOf(ticket), platform, CONSENT_MS],
  );
  return row ?? null;
}

/** Uses a ticket, once. Index: consent_ticket_hash_key. */
export async function beginConsent(db: Queryable, platform: string, ticket: string): Promise<ConsentRow | null> {
  const [row] = await db.query<ConsentRow>(
    `update consent set begun_at = app_now()
     where ticket_hash = $1 and platform = $2 and begun_at is null and expires_at > app_now()
     returning ${COLUMNS}, false as bound`,
    [hashOf(ticket), platform],
  );
  return row ?? null;
}

/** Makes the ticket usable again because the platform could not be reached. Index: primary key. */
export async function unbeginConsent(db: Queryable, id: string): Promise<void> {
  await db.execute('update consent set begun_at = null where id = $1 and state_hash is null', [id]);
}

/**
 * Stores what the callback needs. From now on the consent is found by its state, together with the browser's token.
 * Index: primary key.
 */
export async function awaitCallback(
  db: Queryable,
  id: string,
  secrets: { state: string; browser: string; kept: Buffer },
): Promise<void> {
  await db.execute(
    `update consent set state_hash = $2, browser_hash = $3, kept = $4,
       expires_at = app_now() + $5::float8 * interval '1 ms' where id = $1`,
    [id, hashOf(secrets.state), hashOf(secrets.browser), secrets.kept, CONSENT_MS],
  );
}

/** Index: consent_state_hash_key. */
export async function findConsent(
  db: Queryable,
  platform: string,
  state: string,
  browser: string,
): Promise<ConsentRow | null> {
  const [row] = await db.query<ConsentRow>(
    `select ${COLUMNS}, browser_hash = $3 as bound from consent where state_hash = $1 and platform = $2`,
    [hashOf(state), platform, hashOf(browser)],
  );
  return row ?? null;
}

/** Uses a state, once. Returns true only for the first caller. Index: primary key. */
export async function useConsent(db: Queryable, id: string): Promise<boolean> {
  const used = 'update consent set used_at = app_now(), kept = null where id = $1 and used_at is null';
  return (await db.execute(used, [id])) > 0;
}

/** Keeps the encrypted tokens until the user chooses which accounts to connect. Index: primary key. */
export async function awaitChoice(db: Queryable, id: string, token: string, kept: Buffer): Promise<void> {
  await db.execute(
    `update consent set choice_hash = $2, kept = $3, expires_at = app_now() + $4::float8 * interval '1 ms' where id = $1`,
    [id, hashOf(token), kept, CONSENT_MS],
  );
}

/** Index: consent_choice_hash_key. */
export async function findChoice(
  db: Queryable,
  platform: string,
  token: string,
  browser: string,
): Promise<ConsentRow | null> {
  const [row] = await db.query<ConsentRow>(
    `select ${COLUMNS}, browser_hash = $3 as bound from consent where choice_hash = $1 and platform = $2`,
    [hashOf(token), platform, hashOf(browser)],
  );
  return row ?? null;
}

/** Uses a choice token, once. Index: primary key. */
export async function useChoice(db: Queryable, id: string): Promise<boolean> {
  const used = 'update consent set choice_hash = null, kept = null where id = $1 and choice_hash is not null';
  return (await db.execute(used, [id])) > 0;
}

/** Whether the browser has an unfinished consent at a simulated platform. Index: consent_expiry. */
export async function isConsentInProgress(db: Queryable, platform: string, browser: string): Promise<boolean> {
  const found = await db.query(
    `select 1 from consent where expires_at > app_now() and browser_hash = $2 and platform = $1 and sandbox
       and used_at is null limit 1`,
    [platform, hashOf(browser)],
  );
  return found.length > 0;
}

/**
 * Steps in the order in which an attempt reaches them. Without a browser, `login` replaces the steps from `consent` to
 * `scopes`.
 */
export type AttemptStep =
  | 'begun'
  | 'consent'
  | 'answer'
  | 'exchange'
  | 'scopes'
  | 'profile'
  | 'choice'
  | 'login'
  | 'stored';

export interface AttemptEntry {
  /** ISO 8601 */
  at: string;
  step: AttemptStep;
  ok: boolean;
  /** Absent in entries from earlier versions, which have a text. */
  message?: MessageRef;
  text?: string;
  /** The platform's error code, its request id and its response status, if known. */
  platformCode?: string;
  platformRequestId?: string;
  status?: number;
}

export interface Attempt {
  id: string;
  platform: string;
  sandbox: boolean;
  steps: AttemptEntry[];
}

/** What happened, in a language. Entries from earlier versions have a text instead of a message. */
export function attemptText({ message, text = '' }: AttemptEntry, render: MessageRenderer): string {
  return message ? render(message) : text;
}

/** Records a successful step. Index: primary key. */
export async function noteStep(db: Queryable, id: string, step: AttemptStep, message: Message): Promise<void> {
  await add(db, id, { step, ok: true, message: storedMessage(message) });
}

/** Records the step at which the attempt failed, and the reason. Index: primary key. */
export async function noteFailure(db: Queryable, id: string, step: AttemptStep, why: Reason): Promise<void> {
  const { reason, platformCode, requestId, status } = why;
  await add(db, id, {
    step,
    ok: false,
    message: storedMessage(reason),
    ...(platformCode ? { platformCode: cleanText(platformCode, TEXT_LIMITS.code) } : {}),
    ...(requestId ? { platformRequestId: cleanText(requestId, TEXT_LIMITS.code) } : {}),
    ...(status ? { status } : {}),
  });
}

async function add(db: Queryable, id: string, entry: Omit<AttemptEntry, 'at'>): Promise<void> {
  await db.execute(
    `update consent set steps = steps || jsonb_build_array(
       jsonb_build_object('at', to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || $2::jsonb)
     where id = $1 and jsonb_array_length(steps) < $3`,
    [id, JSON.stringify(entry), MAX_STEPS],
  );
}

/**
 * Reads one attempt. Index: primary key.
 * @param userId null for any user (operators)
 */
export async function readAttempt(db: Queryable, userId: string | null, id: string): Promise<Attempt | undefined> {
  if (!isUuid(id)) return undefined;
  const [row] = await db.query<Attempt>(
    'select id, platform, sandbox, steps from consent where id = $1 and ($2::uuid is null or user_id = $2)',
    [id, userId],
  );
  return row;
}

const SHOWN = 20;

/** The user's latest attempts, newest first. Index: consent_user. */
export function listAttempts(db: Queryable, userId: string): Promise<Attempt[]> {
  return db.query<Attempt>(
    `select id, platform, sandbox, steps from consent where user_id = $1 and steps <> '[]' order by id desc limit $2`,
    [userId, SHOWN],
  );
}
