/** Promises about time: pauses, deletion, delay, quiet hours, daily limit and older posts. */

import { isSourcePublic } from './audience.ts';
import type { FactIndex, Item } from './fact-index.ts';
import type { Repost, Rule, Time } from './facts.ts';
import { intersect, merge, overlaps, stretchEnd } from './intervals.ts';
import { CHECK_MS, DAY_MS, HOUR_MS, LIMIT_WAIT_MS, MINUTE_MS, RACE_MS } from './limits.ts';
import { quietFor } from './local-time.ts';
import { firstBegun, reasonsToLeaveOut } from './places.ts';
import {
  classOf,
  countedReposts,
  destinationsAt,
  earliestDue,
  isBackCatalog,
  isByHand,
  isSelected,
  latestDue,
  limitOf,
  optionsBetween,
  type PostClass,
  wasActive,
  wasInPause,
} from './schedule.ts';

/** When a repost started, or was made if it did not. */
const startOf = (index: FactIndex, entry: Repost) => Math.max(entry.madeAt, firstBegun(index, entry));

/** Whether some target of the repost began. */
const isBegun = (index: FactIndex, entry: Repost) =>
  entry.targets.some(({ begunAt }) => begunAt !== null) ||
  index.facts.appearances.some(({ by }) => by.kind === 'repost' && by.repost === entry.id);

/** The reposts of a rule that nobody asked for by hand. */
const automatic = (index: FactIndex, rule: Rule) =>
  index.reposts.filter((entry) => entry.rule === rule.id && !isByHand(index, entry));

/**
 * Promise: a rule acts on what is posted while it is active. What is posted while it is paused is never reposted by it,
 * and nothing starts in a pause.
 *
 * An entry that was made before the pause can still be sent in it: the documents do not say that a pause stops it.
 */
export function pausesHold(index: FactIndex): string[] {
  return index.facts.rules.flatMap((rule) =>
    automatic(index, rule).flatMap((entry) => {
      const item = index.item(entry.item);
      if (!item) return [];
      const problems: string[] = [];
      const isAfterAddition = item.at >= rule.addedAt - RACE_MS;
      if (isAfterAddition && !isBackCatalog(index, entry) && wasActive(index, rule, item) === 'no') {
        const isKept = rule.between === 'keep' && wasInPause(index, rule, item) !== 'no';
        if (!isKept) problems.push(`The rule ${rule.id} reposted ${item.id}, which was posted while it was paused.`);
      }
      if (!overlaps(index.active(rule.id), entry.madeAt - RACE_MS, entry.madeAt + RACE_MS)) {
        problems.push(`The rule ${rule.id} made the repost ${entry.id} while it was not active.`);
      }
      return problems;
    }),
  );
}

/** Promise: deleting a rule stops its reposts that have not started; those that have started are finished. */
export function deletedRulesStop(index: FactIndex): string[] {
  return index.reposts.flatMap((entry) => {
    const end = index.ruleEnd(entry.rule);
    // A failed repost stays in the history, and its user can retry it.
    const isRetried = index.facts.retries.some((retry) => retry.entry === entry.id && retry.response === 'accepted');
    if (!isBegun(index, entry) || isRetried) return [];
    return firstBegun(index, entry) > end + RACE_MS
      ? [`The repost ${entry.id} began after its rule ${entry.rule} was deleted.`]
      : [];
  });
}

/**
 * Promise: `delayMinutes` delays each repost.
 *
 * The earliest base is the publication. The random part can be zero. Options that changed just before count both ways.
 */
export function delaysHold(index: FactIndex): string[] {
  return index.facts.rules.flatMap((rule) =>
    automatic(index, rule).flatMap((entry) => {
      const item = index.item(entry.item);
      if (!item || isBackCatalog(index, entry) || !isBegun(index, entry)) return [];
      const start = startOf(index, entry);
      const options = optionsBetween(rule, entry.madeAt - index.facts.processingMs, start);
      return start + RACE_MS < earliestDue(item, options)
        ? [`The repost ${entry.id} of ${item.id} started before the delay was over.`]
        : [];
    }),
  );
}

/**
 * Promise: reposts that are due in quiet hours wait until their end.
 *
 * A repost that was due just before them can start just after their beginning.
 */
export function quietHoursHold(index: FactIndex): string[] {
  return index.facts.rules.flatMap((rule) =>
    automatic(index, rule).flatMap((entry) => {
      const { processingMs } = index.facts;
      const options = optionsBetween(rule, entry.madeAt - processingMs, entry.madeAt + processingMs);
      const isInside = options.every(({ quietHours }) => {
        if (!quietHours || quietHours.from === quietHours.to) return false;
        const since = quietFor(index.clock, quietHours, entry.madeAt);
        const isEnding = quietFor(index.clock, quietHours, entry.madeAt + RACE_MS) === null;
        return since !== null && since > processingMs && !isEnding;
      });
      return isInside ? [`The rule ${rule.id} made the repost ${entry.id} in its quiet hours.`] : [];
    }),
  );
}

/** A repost that used a place of the daily limit, with its class. */
interface Counted {
  entry: Repost;
  item: Item;
  postClass: PostClass;
}

/** Reposts that count toward the limit in every reading: by the rule itself, not failed everywhere. */
function surelyCounted(index: FactIndex, rule: Rule): Counted[] {
  return countedReposts(index, rule).flatMap((entry) => {
    const item = index.item(entry.item);
    const postClass = item && classOf(rule, item);
    const isFailed = entry.targets.every(({ outcome }) => outcome.kind === 'rejected' || outcome.kind === 'cancelled');
    return item && postClass && !isFailed && entry.withdrawnAt === null && entry.removedAt === null
      ? [{ entry, item, postClass }]
      : [];
  });
}

/** The zone of the days if it did not change, else null. */
function onlyZone(rule: Rule): string | null {
  const zones = new Set(rule.options.map(({ value }) => value.zone));
  return zones.size === 1 ? ([...zones][0] ?? null) : null;
}

/**
 * Promise: at most `maxPerDay` reposts per local day; without it, 25 for posts that were not made through Reelay.
 *
 * Own posts and others are counted apart, because `dailyLimits` names two numbers and the documents do not say that
 * they share one. An entry near midnight counts on neither day.
 */
export function dailyLimitsHold(index: FactIndex): string[] {
  return index.facts.rules.flatMap((rule) => {
    const zone = onlyZone(rule);
    if (zone === null) return [];
    const days = new Map<string, { count: number; limit: number }>();
    for (const { entry, postClass } of surelyCounted(index, rule)) {
      const day = index.clock.day(zone, entry.madeAt);
      const isNearMidnight = [-5, 5].some((seconds) => index.clock.day(zone, entry.madeAt + seconds * 1000) !== day);
      if (isNearMidnight) continue;
      const limits = optionsBetween(rule, entry.madeAt - DAY_MS, entry.madeAt + DAY_MS).map(
        (options) => limitOf(options, postClass) ?? Number.POSITIVE_INFINITY,
      );
      const key = `${day} (${postClass})`;
      const known = days.get(key) ?? { count: 0, limit: 0 };
      days.set(key, { count: known.count + 1, limit: Math.max(known.limit, ...limits) });
    }
    return [...days].flatMap(([day, { count, limit }]) =>
      count > limit ? [`The rule ${rule.id} made ${count} reposts on ${day}, over its limit of ${limit}.`] : [],
    );
  });
}

/** Whether files of the source failed at some time, so that the order of downloads says nothing. */
const hadFileFaults = (index: FactIndex, identity: string) =>
  index.facts.faults.some((fault) => fault.identity === identity && fault.kind === 'no_file');

/**
 * Promise: what waits for the daily limit is reposted in the order in which it was published.
 *
 * Compared are items of one class, of which the earlier one was due a day before the later one was reposted, and was
 * reposted on a later day or never because of the limit.
 */
export function dailyLimitsKeepTheOrder(index: FactIndex): string[] {
  return index.facts.rules.flatMap((rule) => {
    const zone = onlyZone(rule);
    if (zone === null || hadFileFaults(index, index.sourceOf(rule.id).id)) return [];
    const counted = surelyCounted(index, rule);
    return counted.flatMap((later) => {
      const laterDay = index.clock.day(zone, later.entry.madeAt);
      return index.itemsOn(later.item.identity.id).flatMap((earlier) => {
        if (earlier.at >= later.item.at - RACE_MS || classOf(rule, earlier) !== later.postClass) return [];
        const line = index.linesOf(rule.id, earlier.id).at(0) ?? null;
        const due = latestDue(index, rule, earlier, line);
        const waited = due !== null && due < later.entry.madeAt && index.clock.day(zone, due) < laterDay;
        if (!waited || wasActive(index, rule, earlier) !== 'yes') return [];
        const own = counted.find(({ entry }) => entry.item === earlier.id);
        const isLater = own && index.clock.day(zone, own.entry.madeAt) > laterDay;
        const isLeft = line?.reason === 'rule_daily_limit' || line?.reason === 'over_daily_limit';
        const isDecidedLater =
          line?.reason !== 'over_daily_limit' || (line.decidedAt ?? 0) > later.entry.madeAt + RACE_MS;
        return isLater || (!own && isLeft && isDecidedLater)
          ? [`The rule ${rule.id} reposted ${later.item.id} before ${earlier.id}, which waited for the daily limit.`]
          : [];
      });
    });
  });
}

/** The last time before `time` at which the rule was resumed; its addition if it never was. */
function lastResume(index: FactIndex, rule: Rule, time: Time): Time {
  return Math.max(
    rule.addedAt,
    ...index
      .active(rule.id)
      .filter(({ from }) => from <= time)
      .map(({ from }) => from),
  );
}

/**
 * Promise: what still waits 3 days after it first had to wait for the daily limit is skipped. These days do not pass in
 * a pause. The latest reading counts: they restart when the rule is resumed.
 *
 * For reposts, only those count whose limit was used up without doubt when they were due.
 */
export function theDailyLimitEndsAfterThreeDays(index: FactIndex): string[] {
  const { endedAt, processingMs } = index.facts;
  return index.facts.rules.flatMap((rule) => {
    const waiting = index.facts.activity.flatMap((line) => {
      const item = index.item(line.item);
      if (line.rule !== rule.id || line.reason !== 'rule_daily_limit' || !item) return [];
      const due = latestDue(index, rule, item, line);
      if (due === null) return [];
      const deadline = Math.max(due, lastResume(index, rule, endedAt)) + LIMIT_WAIT_MS;
      const running = intersect(index.active(rule.id), index.running);
      const decided = stretchEnd(running, deadline, CHECK_MS + processingMs);
      return decided !== null && decided <= endedAt
        ? [`${item.id} still waits for the daily limit of ${rule.id} after more than 3 days.`]
        : [];
    });
    const zone = onlyZone(rule);
    const counted = surelyCounted(index, rule);
    const late = counted.flatMap(({ entry, item, postClass }) => {
      const due = latestDue(index, rule, item, index.linesOf(rule.id, item.id).at(0) ?? null);
      if (due === null || zone === null) return [];
      const day = index.clock.day(zone, due);
      const used = counted.filter(
        (other) =>
          other.postClass === postClass &&
          other.entry.madeAt < due &&
          index.clock.day(zone, other.entry.madeAt) === day,
      ).length;
      const limits = optionsBetween(rule, due - processingMs, due + processingMs).map(
        (options) => limitOf(options, postClass) ?? Number.POSITIVE_INFINITY,
      );
      const deadline = Math.max(due, lastResume(index, rule, entry.madeAt)) + LIMIT_WAIT_MS;
      // After an outage, an item whose turn has come can be late.
      const running = intersect(index.active(rule.id), index.running);
      const decided = stretchEnd(running, deadline, CHECK_MS + processingMs);
      return used >= Math.max(...limits) && decided !== null && entry.madeAt > decided
        ? [`The repost ${entry.id} of ${item.id} was made after more than 3 days of waiting for the daily limit.`]
        : [];
    });
    return [...waiting, ...late];
  });
}

/** Reposts of selected older posts that no other path explains, in the order in which they were made. */
function olderReposts(index: FactIndex, rule: Rule): { entry: Repost; item: Item }[] {
  return automatic(index, rule)
    .flatMap((entry) => {
      const item = index.item(entry.item);
      const isOlder = item !== null && isBackCatalog(index, entry) && wasActive(index, rule, item) === 'no';
      return isOlder ? [{ entry, item }] : [];
    })
    .sort((a, b) => a.entry.madeAt - b.entry.madeAt);
}

/**
 * Promise: `perDay` spreads the reposts of older posts evenly: with 2, one every 12 hours.
 *
 * Quiet hours, pauses, outages, changed options and failed downloads can move single reposts, so that then only the
 * number in 24 hours counts, with one more for the moved one.
 */
export function olderPostsKeepTheirPace(index: FactIndex): string[] {
  const { processingMs, endedAt, outages, clockJumps } = index.facts;
  const stopped = merge([...outages, ...clockJumps.map(({ at, byMs }) => ({ from: at, to: at + byMs }))], endedAt);
  return index.facts.rules.flatMap((rule) => {
    const made = olderReposts(index, rule);
    return made.flatMap(({ entry, item }, i) => {
      const inADay = made.filter(
        (other) => other.entry.madeAt >= entry.madeAt && other.entry.madeAt < entry.madeAt + DAY_MS - HOUR_MS,
      ).length;
      const near = optionsBetween(rule, entry.madeAt - DAY_MS, entry.madeAt + DAY_MS);
      const paces = near.map(({ backCatalog }) => backCatalog?.perDay ?? 0);
      const most = Math.max(...paces);
      if (inADay > most + 1) {
        return [`The rule ${rule.id} made ${inADay} reposts of older posts in a day, not ${most}.`];
      }
      const next = made[i + 1];
      if (!next) return [];
      const from = entry.madeAt;
      const to = next.entry.madeAt;
      const versions = optionsBetween(rule, from, to);
      const isSteady =
        versions.every(({ quietHours, backCatalog }) => !quietHours && backCatalog?.perDay === most) &&
        new Set(paces).size === 1 &&
        !overlaps(stopped, from, to) &&
        index.active(rule.id).some((span) => span.from < from && to < span.to) &&
        !hadFileFaults(index, item.identity.id);
      const tolerance = processingMs + (item.sender === null ? CHECK_MS : MINUTE_MS);
      return isSteady && to - from < DAY_MS / most - tolerance
        ? [`The rule ${rule.id} reposted the older posts ${item.id} and ${next.item.id} too close to each other.`]
        : [];
    });
  });
}

/** Promise: older posts are reposted in the order that was chosen, oldest or newest first. */
export function olderPostsKeepTheirOrder(index: FactIndex): string[] {
  const { processingMs } = index.facts;
  return index.facts.rules.flatMap((rule) => {
    const made = olderReposts(index, rule);
    const source = index.sourceOf(rule.id).id;
    if (hadFileFaults(index, source)) return [];
    return made.flatMap(({ entry, item }) => {
      const versions = optionsBetween(rule, entry.madeAt - CHECK_MS - processingMs, entry.madeAt);
      return index.itemsOn(source).flatMap((other) => {
        const isSurelyFirst = versions.every(({ backCatalog }) => {
          if (!backCatalog?.items.includes(other.id) || !backCatalog.items.includes(item.id)) return false;
          return backCatalog.order === 'oldest' ? other.at < item.at - RACE_MS : other.at > item.at + RACE_MS;
        });
        if (!isSurelyFirst || isSourcePublic(index, other, rule.user) !== 'yes') return [];
        const isHindered = destinationsAt(index, rule, entry.madeAt).some(
          (account) => reasonsToLeaveOut(index, { rule, item: other, account, at: entry.madeAt }).length > 0,
        );
        if (isHindered || other.changes.absent.length > 0 || other.changes.audience.length > 0) return [];
        const own = made.find((candidate) => candidate.item.id === other.id);
        const waits = index.linesOf(rule.id, other.id).some(({ reason }) => reason.startsWith('back_catalog_'));
        const isLater = own ? own.entry.madeAt > entry.madeAt + processingMs : waits;
        return isLater ? [`The rule ${rule.id} reposted the older post ${item.id} before ${other.id}.`] : [];
      });
    });
  });
}

/** Promise: nothing from before the rule is reposted, unless it is selected at that time. */
export function onlySelectedOlderPostsAreReposted(index: FactIndex): string[] {
  return index.facts.rules.flatMap((rule) =>
    automatic(index, rule).flatMap((entry) => {
      const item = index.item(entry.item);
      if (!item || item.at >= rule.addedAt - RACE_MS) return [];
      return isSelected(rule, item.id, entry.madeAt - index.facts.processingMs - DAY_MS, entry.madeAt)
        ? []
        : [`The rule ${rule.id} reposted the older post ${item.id}, which was not selected.`];
    }),
  );
}
