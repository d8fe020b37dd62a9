import type { Config } from '../config/config.ts';
import { apiError, type ReelayError } from '../errors/reelay-error.ts';
import { HOUR, MINUTE, SECOND } from '../lib/time.ts';
import type { Limit, Taken } from '../queue/rate-counter.ts';
import type { Caller } from './caller.ts';

/** For operations, which use the counter through this file. */
export { type Limit, take } from '../queue/rate-counter.ts';

/** Returns the rate limit of a caller's requests; null if limits are off. */
export function limitOf(config: Pick<Config, 'rateLimit' | 'plans'>, caller: Caller): Limit | null {
  if (config.rateLimit === 'off') return null;
  if (caller.by.kind === 'session') return { key: `session ${caller.userId}`, most: 600, windowMs: MINUTE };
  const key = `key ${caller.userId}`;
  if (config.rateLimit === 'per-minute') return { key, most: 60, windowMs: MINUTE };
  return { key, most: config.plans[caller.plan].requestsPerHour, windowMs: HOUR };
}

/**
 * Limit on a user's requests that send pieces of uploads or read their state, which {@link limitOf} does not count. Pieces
 * of 5 MB at 1 Gbit/s are 25 a second.
 */
export function pieceLimit({ userId }: Pick<Caller, 'userId'>): Limit {
  return { key: `pieces ${userId}`, most: 1_000, windowMs: 10 * SECOND };
}

/** Limit on the pages of consents per address. A person opens four of them to connect an account. */
export function consentLimit(address: string): Limit {
  return { key: `consent ${network(address)}`, most: 120, windowMs: MINUTE };
}

/** Limit on failed authentications per address. An IPv6 network counts as one address. */
export function failureLimit(address: string): Limit {
  return { key: `failed ${network(address)}`, most: 60, windowMs: MINUTE };
}

/**
 * Limit on failed sign-ins per address. Separate from {@link failureLimit}, so that a script with a wrong key does not
 * block sign-in.
 */
export function signInLimit(address: string): Limit {
  return { key: `sign-in ${network(address)}`, most: 60, windowMs: MINUTE };
}

/** Limit on sign-ups per address, including successful ones. */
export function signUpLimit(address: string): Limit {
  return { key: `sign-up ${network(address)}`, most: 20, windowMs: HOUR };
}

/** Limit on challenges for passkeys per address. Each is a row until it expires. */
export function passkeyChallengeLimit(address: string): Limit {
  return { key: `passkey ${network(address)}`, most: 60, windowMs: MINUTE };
}

/** Limit on requested password resets per address, for known and unknown accounts. */
export function resetLimit(address: string): Limit {
  return { key: `reset ${network(address)}`, most: 20, windowMs: HOUR };
}

/** Limit on mails with a password reset to one account, known or not. */
export function accountResetLimit(account: string): Limit {
  return { key: `reset-account ${account}`, most: 3, windowMs: HOUR };
}

/**
 * Limits on failed sign-ins to one account from any address: the first limit, and a slow one once it is used up.
 * Together with {@link knownLimit} they allow at most 100 per hour (ASVS 2.2.1).
 * @param browser a known browser
 */
export function accountLimits(account: string, browser: string | null = null): [first: Limit, slow: Limit] {
  const id = [account, browser].filter(Boolean).join(' ');
  return [
    { key: `account ${id}`, most: 10, windowMs: 15 * MINUTE },
    { key: `account-slow ${id}`, most: 1, windowMs: 2 * MINUTE },
  ];
}

/** Limit on failed sign-ins to one account from all known browsers. Anybody who once knew the password may have many. */
export function knownLimit(account: string): Limit {
  return { key: `account-known ${account}`, most: 30, windowMs: HOUR };
}

/** Returns an IPv4 address unchanged, or the /64 of an IPv6 address. An IPv4-mapped IPv6 address counts as IPv4. */
export function network(address: string): string {
  const plain = (address.slice(0, 64).split('%', 1)[0] ?? '').toLowerCase();
  if (!plain.includes(':')) return plain;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain);
  if (mapped?.[1]) return mapped[1];
  const [head = '', tail] = plain.split('::');
  const left = head.split(':').filter(Boolean);
  const right = (tail ?? '').split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

export function tooMany(
  taken: Taken,
  message: 'rate_limited_for' | 'pieces_limited' = 'rate_limited_for',
): ReelayError {
  const seconds = taken.resetSeconds;
  return apiError(message, { seconds }, { extras: { retryAfter: seconds } });
}
