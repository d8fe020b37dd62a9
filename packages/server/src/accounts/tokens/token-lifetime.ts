/** When to refresh tokens: pure arithmetic, in ms unless a name says otherwise. */
import type { Connector } from '../../connectors/contract.ts';
import { DAY, HOUR, MINUTE } from '../../lib/time.ts';
import type { Message } from '../../messages/message.ts';
import { say } from '../../messages/timeline.ts';

const MAX_LIFE_SECONDS = 10 * 365.25 * 86_400;

/** Lifetime assumed if the response states an invalid one and the tokens must be kept, in seconds. */
export const ASSUMED_LIFE_SECONDS = 3_600;

/** Checks a token lifetime as stated by a platform, in seconds. Returns the problem, or null. */
export function lifeProblem(seconds: unknown): Message | null {
  if (seconds === null || seconds === undefined) return null;
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return say('token_lifetime_not_number');
  if (seconds <= 0) return say('token_lifetime_over');
  return seconds > MAX_LIFE_SECONDS ? say('token_lifetime_too_long') : null;
}

/**
 * Returns the delay until a token is refreshed ahead of expiry. It is refreshed when a third of its lifetime is left,
 * at most 7 days before its end. A jitter spreads the refreshes.
 * @param lifeMs null if it does not expire, so it is never refreshed
 * @param random 0 ≤ random < 1
 */
export function aheadMs(lifeMs: number | null, random: number): number | null {
  if (lifeMs === null) return null;
  const lead = Math.min(lifeMs / 3, 7 * DAY) * (1 - random / 5);
  return Math.max(lifeMs - lead, 0);
}

const PAUSES = [MINUTE / 2, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR];

/**
 * Returns the delay before the next attempt after a failure.
 * @param attempts consecutive failures, from 1
 * @param askedMs the delay that the platform asked for; used if it is longer
 */
export function backOffMs(attempts: number, askedMs: number, random: number): number {
  const pause = PAUSES[Math.min(Math.max(attempts, 1), PAUSES.length) - 1] ?? MINUTE;
  return Math.max(pause * (1 + random / 5), askedMs);
}

/** The expiry times of an access grant, in ms since the epoch or as ISO 8601. */
export interface Ends<Time> {
  kind: 'oauth' | 'credentials';
  expiresAt: Time | null;
  refreshExpiresAt: Time | null;
}

/**
 * Returns when the access ends unless its owner reconnects; null if it can be renewed indefinitely or is unknown. Pure.
 * @param flows the connector's flows
 */
export function accessEnd<Time>(
  flows: Pick<Connector, 'oauth' | 'credentials'> | undefined,
  { kind, expiresAt, refreshExpiresAt }: Ends<Time>,
): Time | null {
  const flow = kind === 'oauth' ? flows?.oauth : flows?.credentials;
  if (!flow) return null;
  if (!flow.refresh) return expiresAt;
  if (flow.refreshRenews === 'unlessStated') return refreshExpiresAt;
  return flow.refreshRenews === false ? (refreshExpiresAt ?? expiresAt) : null;
}

/** The access to an account: when it ends, and whether the service renews it before. */
export interface Access<Time> {
  /** null if it does not end, or this is unknown. */
  endsAt: Time | null;
  renewed: boolean;
}

/**
 * Describes the access of an account. If it is renewed only for a time, its end is that of {@link accessEnd}. Pure.
 * @param flows the connector's flows
 */
export function accessOf<Time>(
  flows: Pick<Connector, 'oauth' | 'credentials'> | undefined,
  ends: Ends<Time>,
): Access<Time> {
  const end = accessEnd(flows, ends);
  if (end !== null) return { endsAt: end, renewed: false };
  const flow = ends.kind === 'oauth' ? flows?.oauth : flows?.credentials;
  return { endsAt: ends.expiresAt, renewed: flow?.refresh !== undefined };
}
