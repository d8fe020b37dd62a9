/** Rate limits of a PDS (docs.bsky.app/docs/advanced-guides/rate-limits): fixed windows, reported in headers. */
import { Refused } from '../../refused.ts';
import { type Call, RATE_LIMITED } from './xrpc.ts';

interface Window {
  points: number;
  seconds: number;
}

const WINDOWS: Record<string, readonly Window[]> = {
  all: [{ points: 3000, seconds: 300 }],
  login: [
    { points: 30, seconds: 300 },
    { points: 300, seconds: 86_400 },
  ],
  write: [
    { points: 5000, seconds: 3600 },
    { points: 35_000, seconds: 86_400 },
  ],
  blob: [{ points: 1000, seconds: 86_400 }],
};

/** Takes points from the windows of a key, or throws a 429. */
export type Limiter = (call: Call, name: 'all' | 'login' | 'write' | 'blob', key: string, points?: number) => void;

/** @param enforced false: counts nothing and sends no headers, like a PDS without limits */
export function createLimiter(enforced: boolean, now: () => number): Limiter {
  const used = new Map<string, { count: number; resetAt: number }>();
  return (call, name, key, points = 1) => {
    if (!enforced) return;
    const at = now();
    if (used.size > 10_000) for (const [id, window] of used) if (window.resetAt <= at) used.delete(id);
    for (const window of WINDOWS[name] ?? []) {
      const id = `${name} ${window.seconds} ${key}`;
      const known = used.get(id);
      const count = known && known.resetAt > at ? known : { count: 0, resetAt: at + window.seconds * 1000 };
      count.count += points;
      used.set(id, count);
      const remaining = Math.max(0, window.points - count.count);
      if (call.headers['ratelimit-remaining'] === undefined || remaining < Number(call.headers['ratelimit-remaining']))
        Object.assign(call.headers, {
          'ratelimit-limit': String(window.points),
          'ratelimit-remaining': String(remaining),
          'ratelimit-reset': String(Math.ceil(count.resetAt / 1000)),
          'ratelimit-policy': `${window.points};w=${window.seconds}`,
        });
      if (count.count > window.points) {
        call.headers['retry-after'] = String(Math.ceil((count.resetAt - at) / 1000));
        throw new Refused(RATE_LIMITED);
      }
    }
  };
}
