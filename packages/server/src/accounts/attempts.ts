/** Step-by-step record of each attempt to connect an account. Users quote its id to support. */
import type { Queryable } from '../db/database.ts';
import { isUuid } from '../ids.ts';
import { cleanText, TEXT_LIMITS } from '../text.ts';
import type { Why } from './events.ts';

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
  text: string;
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

/** Records a successful step. Index: primary key. */
export async function noteStep(db: Queryable, id: string, step: AttemptStep, text: string): Promise<void> {
  await add(db, id, { step, ok: true, text });
}

/** Records the step at which the attempt failed, and the reason. Index: primary key. */
export async function noteFailure(db: Queryable, id: string, step: AttemptStep, why: Why): Promise<void> {
  const { reason, platformCode, requestId, status } = why;
  await add(db, id, {
    step,
    ok: false,
    text: reason,
    ...(platformCode ? { platformCode: cleanText(platformCode, TEXT_LIMITS.code) } : {}),
    ...(requestId ? { platformRequestId: cleanText(requestId, TEXT_LIMITS.code) } : {}),
    ...(status ? { status } : {}),
  });
}

async function add(db: Queryable, id: string, entry: Omit<AttemptEntry, 'at'>): Promise<void> {
  await db.execute(
    `update consent set steps = steps || jsonb_build_array(
       jsonb_build_object('at', to_char(app_now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || $2::jsonb)
     where id = $1`,
    [id, JSON.stringify({ ...entry, text: cleanText(entry.text, TEXT_LIMITS.sentence) })],
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
