const CLOCK = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Time until quotas are filled again: midnight Pacific ("Quota usage"), ms. @param now ms since the epoch */
export function untilPacificMidnight(now: number): number {
  const midnight = now + DAY_MS - sinceMidnight(now);
  // Of the two days a year that are an hour shorter or longer, another hour is shown then.
  const shown = sinceMidnight(midnight);
  return midnight - now + (shown >= DAY_MS / 2 ? DAY_MS - shown : -shown);
}

/** By the clock on the wall there, ms. */
function sinceMidnight(now: number): number {
  const parts = Object.fromEntries(CLOCK.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  const { hour = 0, minute = 0, second = 0 } = parts;
  return hour * HOUR_MS + minute * 60_000 + second * 1_000 + (((now % 1_000) + 1_000) % 1_000);
}
