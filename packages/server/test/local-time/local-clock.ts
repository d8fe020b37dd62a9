/** Local times computed from the fields of a formatted date, to compare with. */

/** @returns the local time at an instant, as ms since the epoch of a clock that is always set to UTC */
export type LocalClock = (at: number) => number;

export function createLocalClock(timeZone: string): LocalClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const parts = format.formatToParts(at);
    const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
    const whole = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return whole + (((at % 1_000) + 1_000) % 1_000);
  };
}

export interface Transition {
  zone: string;
  /** The first instant with the new offset. */
  at: number;
  beforeMs: number;
  afterMs: number;
}

const DAY = 86_400_000;

/** The offset changes of a zone, found by bisection. */
export function transitionsOf(zone: string, start: number, end: number): Transition[] {
  const clock = createLocalClock(zone);
  const offset = (at: number) => clock(at) - at;
  const found: Transition[] = [];
  // Rules that change twice within ten days are not in use.
  for (let day = start; day < end; day += 10 * DAY) {
    let [low, high] = [day, day + 10 * DAY];
    const [beforeMs, afterMs] = [offset(low), offset(high)];
    if (beforeMs === afterMs) continue;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offset(middle) === beforeMs) low = middle;
      else high = middle;
    }
    found.push({ zone, at: high, beforeMs, afterMs });
  }
  return found;
}
