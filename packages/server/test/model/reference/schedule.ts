/** Options in effect, due times and daily counts of a rule. */

import type { Certainty } from './certainty.ts';
import type { FactIndex, Item } from './fact-index.ts';
import type { ActivityLine, Repost, Rule, RuleOptions, Time } from './facts.ts';
import { contains, overlaps, stretchEnd } from './intervals.ts';
import { CHECK_MS, DEFAULT_FOREIGN_LIMIT, FILE_WAIT_MS, MINUTE_MS, RACE_MS } from './limits.ts';
import { afterQuiet } from './local-time.ts';

/** All options that were in effect at some time in the window; before the rule, its first options. */
export function optionsBetween(rule: Rule, from: Time, to: Time): RuleOptions[] {
  const [first] = rule.options;
  if (!first) throw new Error(`The rule ${rule.id} has no options.`);
  const found = rule.options.filter(
    (version, i) => version.from <= to && (rule.options[i + 1]?.from ?? Number.POSITIVE_INFINITY) > from,
  );
  return found.length > 0 ? found.map(({ value }) => value) : [first.value];
}

/**
 * The moment of an item that decides whether a rule was active, as the earliest and the latest time it can be.
 *
 * A list with whole seconds says nothing about the moment within the second.
 */
export function momentOf({ at, identity }: Item): { earliest: Time; latest: Time } {
  if (identity.list.times === 'exact') return { earliest: at, latest: at };
  const second = at - (at % 1000);
  return { earliest: second, latest: second + 999 };
}

/** Whether the rule was active when the item was posted. `either` at a boundary: that is a race. */
export function wasActive(index: FactIndex, rule: Rule, item: Item): Certainty {
  const { earliest, latest } = momentOf(item);
  const spans = index.active(rule.id);
  if (spans.some(({ from, to }) => from < earliest && latest < to)) return 'yes';
  return overlaps(spans, earliest, latest) ? 'either' : 'no';
}

/** Whether the item was posted in a pause: after the rule was added, and not while it was active. */
export function wasInPause(index: FactIndex, rule: Rule, item: Item): Certainty {
  const { earliest, latest } = momentOf(item);
  const active = wasActive(index, rule, item);
  if (latest < rule.addedAt || earliest > index.ruleEnd(rule.id)) return 'no';
  if (active === 'no') return earliest > rule.addedAt && latest < index.ruleEnd(rule.id) ? 'yes' : 'either';
  return active === 'yes' ? 'no' : 'either';
}

/** Whether the user asked for the repost by hand before it was made. */
export function isByHand(index: FactIndex, entry: { rule: string; item: string; madeAt: Time }): boolean {
  return index.facts.handReposts.some(
    (request) =>
      request.rule === entry.rule &&
      request.item === entry.item &&
      request.response === 'accepted' &&
      request.at <= entry.madeAt + RACE_MS,
  );
}

/** Whether the item was selected as an older post at some time in the window. */
export function isSelected(rule: Rule, item: string, from: Time, to: Time): boolean {
  return optionsBetween(rule, from, to).some((options) => options.backCatalog?.items.includes(item) ?? false);
}

/** Whether the repost is one of the selected older posts. */
export function isBackCatalog(index: FactIndex, entry: Repost): boolean {
  const { processingMs } = index.facts;
  return isSelected(index.rule(entry.rule), entry.item, entry.madeAt - processingMs - FILE_WAIT_MS, entry.madeAt);
}

/** The destinations of a rule at a time. An account that is removed leaves its rules. */
export function destinationsAt(index: FactIndex, rule: Rule, time: Time): string[] {
  return rule.destinations.filter((id) => {
    const { states } = index.account(id);
    const removal = states.find(({ state, from }) => state === 'disconnected' && from > rule.addedAt);
    return !removal || removal.from > time;
  });
}

/** When the rule must have found the item; null if it need not have. */
export function foundBy(index: FactIndex, rule: Rule, item: Item): Time | null {
  const { processingMs } = index.facts;
  if (item.sender === rule.user) {
    if (item.outcome?.kind !== 'public') return null;
    return stretchEnd(index.running, Math.max(item.at, item.outcome.at), processingMs);
  }
  return stretchEnd(
    index.checked(item.identity.id),
    item.at + item.identity.list.visibleAfterMs,
    CHECK_MS + processingMs,
  );
}

/**
 * The earliest time at which the repost of an item can be due: its publication and the delay.
 *
 * The documents do not say from when the delay counts. The publication is the earliest reading.
 */
export function earliestDue(item: Item, options: readonly RuleOptions[]): Time {
  const delays = options.map(({ delayMinutes }) => delayMinutes * MINUTE_MS);
  return momentOf(item).earliest + Math.min(...delays);
}

/**
 * The latest time at which an item must be due: found, delayed with all jitter, after pauses and quiet hours.
 *
 * null if that is not before the end of the history.
 */
export function latestDue(index: FactIndex, rule: Rule, item: Item, line: ActivityLine | null): Time | null {
  const { processingMs, endedAt } = index.facts;
  const found = line?.seenAt ?? foundBy(index, rule, item);
  if (found === null) return null;
  const confirmed = item.outcome?.kind === 'public' ? item.outcome.at : item.at;
  const base = Math.max(found, confirmed);
  const options = optionsBetween(rule, base, endedAt);
  const delay = Math.max(...options.map(({ delayMinutes, jitterMinutes }) => delayMinutes + jitterMinutes));
  // An unknown length is measured first, which can fail for a day.
  const canFail = index.facts.faults.some(({ identity }) => identity === item.identity.id);
  const measuring = item.sender === null && item.identity.list.durations !== 'exact' && canFail ? FILE_WAIT_MS : 0;
  let due = base + delay * MINUTE_MS + measuring;
  for (let round = 0; round < 20; round++) {
    const before = due;
    for (const { quietHours } of options) due = afterQuiet(index.clock, quietHours, due);
    if (!contains(index.running, due) || !contains(index.active(rule.id), due)) {
      const next = stretchEnd(index.running, due, 1);
      const resumed = index.active(rule.id).find(({ to }) => to > due)?.from;
      if (next === null || resumed === undefined) return null;
      due = Math.max(due, next - 1, resumed);
    }
    if (due === before) break;
  }
  due += processingMs;
  return due <= endedAt ? due : null;
}

export type PostClass = 'own' | 'foreign';

/**
 * Whether the item counts as posted through Reelay for the rule; null if the documents do not say.
 *
 * They do not say what a post is that another user made through Reelay on a shared account.
 */
export function classOf(rule: Rule, item: Item): PostClass | null {
  if (item.sender === null) return 'foreign';
  return item.sender === rule.user ? 'own' : null;
}

/** The daily limit; null: none. */
export function limitOf(options: RuleOptions, postClass: PostClass): number | null {
  if (options.maxPerDay !== null) return options.maxPerDay;
  return postClass === 'own' ? null : DEFAULT_FOREIGN_LIMIT;
}

/** The reposts that a rule made by itself from new posts: not by hand, not from the selected older posts. */
export function countedReposts(index: FactIndex, rule: Rule): Repost[] {
  return index.reposts.filter(
    (entry) => entry.rule === rule.id && !isByHand(index, entry) && !isBackCatalog(index, entry),
  );
}

/**
 * How many reposts can have used the limit on a local day until a time. The most of all readings.
 *
 * The documents do not say whether failed entries, entries by hand, or both classes count together.
 */
export function usedOn(index: FactIndex, rule: Rule, zone: string, day: string, until: Time): number {
  return index.reposts.filter(
    (entry) => entry.rule === rule.id && entry.madeAt <= until && index.clock.day(zone, entry.madeAt) === day,
  ).length;
}

/** Whether the daily limit can have been used up at a time. */
export function canBeFull(index: FactIndex, rule: Rule, postClass: PostClass, time: Time): boolean {
  return optionsBetween(rule, time - index.facts.processingMs, time).some((options) => {
    const limit = limitOf(options, postClass);
    return limit !== null && usedOn(index, rule, options.zone, index.clock.day(options.zone, time), time) >= limit;
  });
}
