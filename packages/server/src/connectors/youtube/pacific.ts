/** Computes when YouTube's daily quotas reset. */
const CLOCK = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Time until the quota reset at midnight Pacific Time ("Quota usage"), ms. @param now ms since the epoch */
export function untilPacificMidnight(now: number): number {
  const midnight = now + DAY_MS - sinceMidnight(now);
  // On the two days per year with 23 or 25 hours, the estimate is off by one hour.
  const shown = sinceMidnight(midnight);
  return midnight - now + (shown >= DAY_MS / 2 ? DAY_MS - shown : -shown);
}

/** Local time since midnight, ms. */
function sinceMidnight(now: number): number {
  const parts = Object.fromEntries(CLOCK.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  const { hour = 0, minute = 0, second = 0 } = parts;
  return hour * HOUR_MS + minute * 60_000 + second * 1_000 + (((now % 1_000) + 1_000) % 1_000);
}
