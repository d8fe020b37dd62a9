import type { Config } from '../config/config.ts';
import type { Queryable } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import type { Caller } from './caller.ts';

/** So many in a moving window. */
export interface Limit {
  key: string;
  most: number;
  windowMs: number;
}

export interface Taken {
  allowed: boolean;
  remaining: number;
  /** Seconds until the oldest counted moment leaves the window. */
  resetSeconds: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The limit that a caller's requests count against; null where limits are off. */
export function limitOf(config: Pick<Config, 'rateLimit' | 'plans'>, caller: Caller): Limit | null {
  if (config.rateLimit === 'off') return null;
  if (caller.by.kind === 'session') return { key: `session ${caller.userId}`, most: 600, windowMs: MINUTE_MS };
  const key = `key ${caller.userId}`;
  if (config.rateLimit === 'per-minute') return { key, most: 60, windowMs: MINUTE_MS };
  return { key, most: config.plans[caller.plan].requestsPerHour, windowMs: HOUR_MS };
}

/** Failed authentications of one address; an IPv6 network is one address. */
export function failureLimit(address: string): Limit {
  return { key: `failed ${network(address)}`, most: 60, windowMs: MINUTE_MS };
}

/** Failed sign-ins of one address. Apart from {@link failureLimit}: a script with a wrong key locks nobody out. */
export function signInLimit(address: string): Limit {
  return { key: `sign-in ${network(address)}`, most: 60, windowMs: MINUTE_MS };
}

/** Sign-ups of one address, successful ones too. */
export function signUpLimit(address: string): Limit {
  return { key: `sign-up ${network(address)}`, most: 20, windowMs: HOUR_MS };
}

/**
 * Failed sign-ins to one account from anywhere: the first limit, and the slow one once that is used up. Together at most
 * 100 an hour (ASVS 2.2.1).
 */
export function accountLimits(account: string): [first: Limit, slow: Limit] {
  return [
    { key: `account ${account}`, most: 10, windowMs: 15 * MINUTE_MS },
    { key: `account-slow ${account}`, most: 1, windowMs: MINUTE_MS },
  ];
}

/** An IPv4 address, or the /64 of an IPv6 address. IPv4 in IPv6 clothes counts as IPv4. */
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

/**
 * Takes one from a limit, exactly, whatever runs at the same time on whatever node: the upsert locks the row, keeps the
 * moments still inside the window, and adds this one while there is room. Refused ones are not counted.
 * Index: primary key of `rate`.
 */
export async function take(db: Queryable, limit: Limit): Promise<Taken> {
  const [row] = await db.query<{ allowed: boolean; used: number; reset: number }>(
    `insert into rate as r (key, moments, allowed, expires_at)
     select $1, case when $2 > 0 then array[app_now()] else '{}' end, $2 > 0, app_now() + $3 * interval '1 millisecond'
     on conflict (key) do update set (moments, allowed, expires_at) = (
       select case when cardinality(kept) < $2 then kept || app_now() else kept end,
              cardinality(kept) < $2,
              app_now() + $3 * interval '1 millisecond'
       from (select array(
         select m from unnest(r.moments) m where m > app_now() - $3 * interval '1 millisecond' order by m
       ) as kept) k)
     returning allowed, cardinality(moments) as used,
       coalesce(extract(epoch from moments[1] - app_now()) + $3 / 1000.0, $3 / 1000.0)::float8 as reset`,
    [limit.key, limit.most, limit.windowMs],
  );
  return {
    allowed: row?.allowed ?? false,
    remaining: Math.max(0, limit.most - (row?.used ?? 0)),
    resetSeconds: Math.max(1, Math.ceil(row?.reset ?? 0)),
  };
}

/** Takes back the newest moment of a limit: what it was taken for did not count. Index: primary key of `rate`. */
export async function giveBack(db: Queryable, limit: Limit): Promise<void> {
  await db.execute('update rate set moments = trim_array(moments, 1) where key = $1 and cardinality(moments) > 0', [
    limit.key,
  ]);
}

/** Whether a limit is used up, without taking. Index: primary key of `rate`. */
export async function isUsedUp(db: Queryable, limit: Limit): Promise<Taken> {
  const [row] = await db.query<{ used: number; reset: number }>(
    `select count(*) as used,
       coalesce(extract(epoch from min(m) - app_now()) + $2 / 1000.0, 0)::float8 as reset
     from rate, unnest(moments) m where key = $1 and m > app_now() - $2 * interval '1 millisecond'`,
    [limit.key, limit.windowMs],
  );
  const used = row?.used ?? 0;
  return {
    allowed: used < limit.most,
    remaining: Math.max(0, limit.most - used),
    resetSeconds: Math.max(1, Math.ceil(row?.reset ?? 0)),
  };
}

/** Forgets limits that nobody has touched for a whole window. Index: `rate_expiry`. */
export function sweep(db: Queryable): Promise<number> {
  return db.execute('delete from rate where expires_at < app_now()');
}

export function tooMany(taken: Taken): ReelayError {
  const seconds = taken.resetSeconds;
  return new ReelayError('rate_limited', `Too many requests: try again in ${seconds} s.`, {
    extras: { retryAfter: seconds },
  });
}
