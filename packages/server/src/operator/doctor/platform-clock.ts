/** Compares this machine's clock with the `Date` headers of platforms, in requests that are made anyway. */
import { MINUTE, SECOND } from '../../lib/time.ts';
import { find } from '../../messages/doctor.ts';
import type { HttpClient } from '../../outbound/http-client.ts';
import type { Finding } from './finding.ts';

/** Platforms refuse signed requests and tokens whose time is off by minutes. Responses from a cache may be older. */
const MAX_DIFFERENCE_MS = MINUTE;

export interface PlatformClock {
  /** The client, which also notes the time of each response. */
  http: HttpClient;
  /** A failure if all responses differ from this clock; else nothing. */
  findings(): Finding[];
}

/** @param now this machine's clock, in ms since the epoch */
export function comparePlatformClocks(http: HttpClient, now: () => number = Date.now): PlatformClock {
  const differences: number[] = [];
  return {
    async http(request) {
      const before = now();
      const response = await http(request);
      // The header has whole seconds.
      const shown = Date.parse(response.headers.date ?? '');
      if (!Number.isNaN(shown)) differences.push(Math.max(0, before - shown - SECOND, shown - now()));
      return response;
    },
    findings() {
      const least = Math.min(...differences);
      if (differences.length === 0 || least <= MAX_DIFFERENCE_MS) return [];
      return [{ verdict: 'fail', message: find('clock_of_platforms', { seconds: Math.round(least / SECOND) }) }];
    },
  };
}
