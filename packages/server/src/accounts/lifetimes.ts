/** When tokens are refreshed: pure arithmetic, in ms unless a name says otherwise. */
import type { Connector } from '../connectors/contract.ts';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const LONGEST_LIFE_SECONDS = 10 * 365.25 * 86_400;

/** Life that is assumed where an answer's own makes no sense and the tokens may not be thrown away. */
export const ASSUMED_LIFE_SECONDS = 3_600;

/** What is wrong with a life in seconds as a platform stated it, or null. */
export function lifeProblem(seconds: unknown): string | null {
  if (seconds === null || seconds === undefined) return null;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return 'The stated life of the token is no number.';
  if (seconds <= 0) return 'The stated life of the token is over already.';
  return seconds > LONGEST_LIFE_SECONDS ? 'The stated life of the token is longer than ten years.' : null;
}

/**
 * How long from now until a token is refreshed ahead of need: when a third of its life is left, at most 7 days before
 * its end, and never at the same instant as all others.
 * @param lifeMs null: it does not expire, so never
 * @param random at least 0, less than 1
 */
export function aheadMs(lifeMs: number | null, random: number): number | null {
  if (lifeMs === null) return null;
  const lead = Math.min(lifeMs / 3, 7 * DAY) * (1 - random / 5);
  return Math.max(lifeMs - lead, 0);
}

const PAUSES = [MINUTE / 2, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE];

/**
 * How long after a failed attempt the next one follows.
 * @param attempts failures in a row, from 1
 * @param askedMs what the platform asked for; obeyed where it is longer
 */
export function backOffMs(attempts: number, askedMs: number, random: number): number {
  const pause = PAUSES[Math.min(Math.max(attempts, 1), PAUSES.length) - 1] ?? MINUTE;
  return Math.max(pause * (1 + random / 5), askedMs);
}

/** What of an access says when it ends. Times in ms since the epoch, or as ISO 8601. */
export interface Ends<Time> {
  kind: 'oauth' | 'credentials';
  expiresAt: Time | null;
  refreshExpiresAt: Time | null;
}

/**
 * When an access ends unless its owner connects again; null: it can be renewed for ever, or nothing is known. Pure.
 * @param flows of the connector
 */
export function accessEnd<Time>(
  flows: Pick<Connector, 'oauth' | 'credentials'> | undefined,
  { kind, expiresAt, refreshExpiresAt }: Ends<Time>,
): Time | null {
  const flow = kind === 'oauth' ? flows?.oauth : flows?.credentials;
  if (!flow) return null;
  if (!flow.refresh) return expiresAt;
  return flow.refreshRenews === false ? (refreshExpiresAt ?? expiresAt) : null;
}
