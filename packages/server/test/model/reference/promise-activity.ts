/** Promises about activity lines, lost reposts, failures, retries and reposts by hand. */

import { isSourcePublic, isStillPublic } from './audience.ts';
import { isWordless, lengthOf, renderCaption, sameText } from './captions.ts';
import type { FactIndex, Item } from './fact-index.ts';
import type { HandRepost, Rule, Time } from './facts.ts';
import { FILTER_REASONS, isFiltered, meetsRequirements } from './filters.ts';
import { contains, intersect, stretchEnd } from './intervals.ts';
import {
  ACTIVITY_MS,
  CHECK_MS,
  DAY_MS,
  FILE_WAIT_MS,
  HOUR_MS,
  MAX_AGE_MS,
  MAX_CAPTION,
  MAX_FOUND_PER_DAY,
  RACE_MS,
  RETENTION_MS,
} from './limits.ts';
import { countsAsLimitedSend, reasonsToLeaveOut } from './places.ts';
import { hasCause, isOverdue } from './promise-content.ts';
import { isKnownReason, reasonProblem } from './reasons.ts';
import { isSameVideo } from './same-video.ts';
import {
  canBeFull,
  classOf,
  destinationsAt,
  foundBy,
  isByHand,
  latestDue,
  limitOf,
  optionsBetween,
  usedOn,
  wasActive,
  wasInPause,
} from './schedule.ts';

/** Promise: each destination succeeds or fails on its own, and a failure has a cause outside of the service. */
export function failuresHaveACause(index: FactIndex): string[] {
  return index.reposts.flatMap((entry) => {
    const item = index.item(entry.item);
    if (!item) return [];
    const rule = index.rule(entry.rule);
    return entry.targets.flatMap((target) => {
      const { outcome } = target;
      if (outcome.kind !== 'rejected' && outcome.kind !== 'unknown') return [];
      const { identity } = index.account(target.account);
      const code = outcome.kind === 'rejected' ? outcome.code : 'outcome_unknown';
      const isThere = index
        .placementsOn(identity)
        .some(({ key, appearances }) => key === `${entry.id} ${target.account}` && appearances.length > 0);
      if (outcome.kind === 'rejected' && isThere) {
        if (target.changes.absent.some(({ from }) => from <= outcome.at)) return [];
        return [`The repost ${entry.id} is said to have failed, but ${identity} has it.`];
      }
      const longest = item.texts
        .map(({ text }) => text)
        .flatMap((text) =>
          rule.options.map(({ value: { caption } }) =>
            renderCaption(caption, { text, name: item.identity.name, url: item.appearance.url }),
          ),
        )
        .reduce((a, b) => (lengthOf(b) > lengthOf(a) ? b : a), '');
      const { at, kind } = outcome;
      const send = { account: target.account, user: rule.user, from: target.queuedAt, at, kind, code, text: longest };
      return hasCause(index, send) ? [] : [`The repost ${entry.id} failed on ${identity} (${code}) without a cause.`];
    });
  });
}

/**
 * Promise: a failed target occupies nothing, and its later retry is refused with `already_there` if the place was
 * taken. A video is kept until 30 days after its last target settled.
 */
export function retriesAreTrue(index: FactIndex): string[] {
  return index.facts.retries.flatMap((retry) => {
    const { identity } = index.account(retry.account);
    const key = `${retry.entry} ${retry.account}`;
    const own = index.placementsOn(identity).find((placement) => placement.key === key);
    if (!own) return [`The retry of ${retry.entry} is on an account to which nothing was sent.`];
    const others = index
      .placementsOn(identity)
      .filter((other) => other.key !== key && other.queuedAt <= retry.at + RACE_MS);
    if (retry.response === 'already_there') {
      const item = own.repost ? index.item(own.repost.item) : own.root;
      const isTaken = others.some(
        (other) => other.lineage === own.lineage || (item !== null && isSameVideo(index, item, other, true) !== 'no'),
      );
      return isTaken || (item === null && others.length > 0)
        ? []
        : [`The retry of ${retry.entry} was refused with already_there, but ${identity} had no such video.`];
    }
    if (retry.response === 'video_gone') {
      return retry.at >= own.queuedAt + RETENTION_MS - RACE_MS
        ? []
        : [`The video of ${retry.entry} was gone less than 30 days after it was sent.`];
    }
    const isOccupied = others.some(
      (other) =>
        other.lineage === own.lineage &&
        other.isCertain &&
        own.isCertain &&
        other.releasedAt === null &&
        other.appearances.some(({ at }) => at < retry.at - RACE_MS),
    );
    return retry.response === 'accepted' && isOccupied && !retry.acceptDuplicate
      ? [`The retry of ${retry.entry} was accepted, although ${identity} had the video by another path.`]
      : [];
  });
}

/** Whether every destination of the rule has the item by its own lineage, without doubt. */
function isEverywhere(index: FactIndex, rule: Rule, item: Item, at: Time): boolean {
  const places = destinationsAt(index, rule, at);
  return places.every((account) =>
    index
      .placementsOn(index.account(account).identity)
      .some(
        (placement) =>
          placement.lineage === item.lineage &&
          placement.isCertain &&
          item.isCertain &&
          placement.appearances.some((appearance) => appearance.at < at - RACE_MS),
      ),
  );
}

/** Whether the guide allows to refuse a repost by hand. */
function canRefuse(index: FactIndex, rule: Rule, item: Item, request: HandRepost): boolean {
  const { at } = request;
  if (isSourcePublic(index, item, rule.user) !== 'yes' || isStillPublic(index, item, at) !== 'yes') return true;
  if (item.changes.absent.some(({ from }) => from <= at + RACE_MS)) return true;
  if (at >= item.at + RETENTION_MS - RACE_MS) return true;
  // The file of a post goes with its entry.
  if (item.entryRemovedAt !== null && item.entryRemovedAt <= at + RACE_MS) return true;
  if (index.repostsOf(rule.id, item.id).some(({ madeAt }) => madeAt <= at + RACE_MS)) return true;
  const options = optionsBetween(rule, rule.addedAt, at);
  if (classOf(rule, item) !== 'own') {
    const hasFault = index.facts.faults.some(
      ({ identity, kind }) => identity === item.identity.id && kind === 'no_file',
    );
    if (item.identity.list.mode !== 'files' || hasFault) return true;
    if (options.some(({ fit }) => meetsRequirements(item, fit) !== 'yes')) return true;
  }
  const source = { text: item.texts[0]?.text ?? '', name: item.identity.name, url: item.appearance.url };
  const isLong = options.some(({ caption }) => lengthOf(renderCaption(caption, source)) > MAX_CAPTION);
  const places = destinationsAt(index, rule, at);
  if (isLong || !places.every((id) => contains(index.connected(id), at))) return true;
  // "Items that every destination has". The user may say that an item is no copy, but only if it was skipped as one.
  const isCopy = index.linesOf(rule.id, item.id).some(({ reason }) => reason === 'echo');
  return places.every((account) =>
    reasonsToLeaveOut(index, { rule, item, account, at }).some(
      (placement) => !isCopy || placement.lineage === item.lineage || placement.appearances.length === 0,
    ),
  );
}

/**
 * Promise: a skipped item can be reposted by hand, and filters, times, limits and a pause do not apply. Private posts,
 * posts without a file, and items that every destination has stay refused.
 */
export function handRepostsAreTrue(index: FactIndex): string[] {
  const { endedAt, processingMs } = index.facts;
  return index.facts.handReposts.flatMap((request) => {
    const rule = index.rule(request.rule);
    const item = index.item(request.item);
    if (!item) return [];
    const name = `The repost of ${item.id} by hand with ${rule.id}`;
    if (request.response === 'not_repostable') {
      return canRefuse(index, rule, item, request) ? [] : [`${name} was refused without a documented cause.`];
    }
    const problems: string[] = [];
    const isPrivate = isSourcePublic(index, item, rule.user) === 'no';
    if (isPrivate) problems.push(`${name} was accepted, but the post is private.`);
    const isThere = isEverywhere(index, rule, item, request.at);
    if (isThere) problems.push(`${name} was accepted, but every destination has it.`);
    const made = index.repostsOf(rule.id, item.id).some(({ madeAt }) => madeAt >= request.at - RACE_MS);
    const needed = (classOf(rule, item) === 'own' ? HOUR_MS : FILE_WAIT_MS + HOUR_MS) + processingMs;
    const due = stretchEnd(index.running, request.at, needed);
    const isUnchanged = item.changes.absent.length === 0 && item.changes.audience.length === 0;
    const isPlain = isUnchanged && index.ruleEnd(rule.id) > endedAt;
    const hasFault = index.facts.faults.some(({ identity }) => identity === item.identity.id);
    const options = optionsBetween(rule, request.at, endedAt);
    const fits = item.sender !== null || options.every(({ fit }) => meetsRequirements(item, fit) === 'yes');
    const isExpected = due !== null && due <= endedAt && isPlain && !hasFault && fits;
    if (!made && isExpected) problems.push(`${name} was accepted, but never made.`);
    return problems;
  });
}

/** Promise: nothing is decided twice: one line and one repost for each rule and item. */
export function nothingIsDecidedTwice(index: FactIndex): string[] {
  const problems: string[] = [];
  for (const rule of index.facts.rules) {
    for (const item of index.items) {
      const lines = index.linesOf(rule.id, item.id);
      if (lines.length > 1) problems.push(`The rule ${rule.id} has ${lines.length} lines for ${item.id}.`);
      // What was withdrawn or removed before it started can be decided again.
      const entries = index.repostsOf(rule.id, item.id).filter((entry) => {
        const isUnbegun = entry.targets.every(({ begunAt }) => begunAt === null);
        return !(isUnbegun && (entry.withdrawnAt !== null || entry.removedAt !== null)) && !isByHand(index, entry);
      });
      if (entries.length > 1) problems.push(`The rule ${rule.id} reposted ${item.id} ${entries.length} times.`);
    }
  }
  return problems;
}

/** Whether a post on an identity can be taken for a send to it whose outcome was not known. */
function canBeProof(index: FactIndex, item: Item): boolean {
  if (item.sender !== null) return !item.isCertain;
  return index.placementsOn(item.identity.id).some(
    (placement) =>
      placement.kind !== 'outside' &&
      (!placement.isCertain || placement.appearances.length === 0) &&
      // A list can show a title of what was sent without a caption.
      placement.texts.some((text) => isWordless(text) || item.texts.some((own) => sameText(text, own.text) !== 'no')),
  );
}

/** When a rule must have seen an item; null if it need not have. */
function mustHaveSeen(index: FactIndex, rule: Rule, item: Item): Time | null {
  const isKept = rule.between === 'keep' && wasInPause(index, rule, item) === 'yes';
  const isMeant = isKept || wasActive(index, rule, item) === 'yes';
  const { list } = item.identity;
  const isOwn = classOf(rule, item) === 'own';
  if (!isMeant || (!isOwn && list.mode === 'own')) return null;
  const found = foundBy(index, rule, item);
  if (found === null || found > index.facts.endedAt || found - item.at > MAX_AGE_MS - DAY_MS) return null;
  if (isOwn) return found;
  if (!contains(index.connected(rule.source), found - 1)) return null;
  if (item.changes.absent.some(({ from }) => from <= found)) return null;
  if (canBeProof(index, item) || countsAsLimitedSend(index, item)) return null;
  const isVisible = item.startsPublic && !item.changes.audience.some(({ at }) => at <= found);
  const isSurelyPublic = item.sender === null || isSourcePublic(index, item, rule.user) === 'yes';
  if (!(isVisible && isSurelyPublic) && !list.showsLimited) return null;
  const day = (time: Time) => Math.floor(time / DAY_MS);
  const sameDay = index.itemsOn(item.identity.id).filter(({ at }) => day(at) === day(item.at));
  return sameDay.length > MAX_FOUND_PER_DAY ? null : found;
}

/** Promise: the activity lists every item that the rule saw. What is posted while it is active is seen. */
export function everyItemHasALine(index: FactIndex): string[] {
  const { endedAt } = index.facts;
  return index.facts.rules.flatMap((rule) => {
    if (index.ruleEnd(rule.id) <= endedAt) return [];
    return index.itemsOn(index.sourceOf(rule.id).id).flatMap((item) => {
      const seen = mustHaveSeen(index, rule, item);
      // The line can be older than the 90 days for which lines are kept, whenever the item was first seen.
      if (seen === null || endedAt - item.at > ACTIVITY_MS - DAY_MS) return [];
      return index.linesOf(rule.id, item.id).length === 0 ? [`The rule ${rule.id} has no line for ${item.id}.`] : [];
    });
  });
}

/** Promise: the status, the reason and the marks of each line are true. */
export function everyReasonIsTrue(index: FactIndex): string[] {
  return index.facts.activity.flatMap((line) => {
    const problems: string[] = [];
    const name = `The line of ${line.rule} for ${line.item} (${line.status}, ${line.reason})`;
    const problem = reasonProblem(index, line);
    if (problem) problems.push(`${name} is wrong: ${problem}.`);
    const item = index.item(line.item);
    if (!item) return problem ? problems : [`${name} is wrong: its source has no such post.`];
    const rule = index.rule(line.rule);
    if (item.identity.id !== index.sourceOf(rule.id).id) {
      problems.push(`${name} is wrong: the post is not on its source.`);
    }
    const postClass = classOf(rule, item);
    if (postClass && postClass !== line.origin && item.isCertain) {
      problems.push(`${name} is wrong: its origin is ${postClass}.`);
    }
    const wasHidden = item.changes.absent.length > 0 || item.changes.audience.some(({ isPublic }) => !isPublic);
    if (line.sourceDeletedAt !== null && !wasHidden) problems.push(`${name} is wrong: the source never lost the post.`);
    if (line.sourceEditedAt !== null && item.changes.edits.length === 0) {
      problems.push(`${name} is wrong: the caption never changed.`);
    }
    if (line.seenAt < item.at - RACE_MS) problems.push(`${name} is wrong: it was seen before it was posted.`);
    return problems;
  });
}

/** Whether nothing in the documents hinders the repost of an item, apart from what is on its destinations. */
function isPlain(index: FactIndex, rule: Rule, item: Item, due: Time): boolean {
  const { faults, users } = index.facts;
  if (isSourcePublic(index, item, rule.user) !== 'yes' || canBeProof(index, item)) return false;
  if (item.changes.absent.length > 0 || item.changes.audience.length > 0 || item.changes.edits.length > 0) return false;
  if (users.some(({ id, postsPerMonth }) => id === rule.user && postsPerMonth !== null)) return false;
  const postClass = classOf(rule, item);
  if (postClass === null) return false;
  const hasFault = faults.some(({ identity, kind }) => identity === item.identity.id && kind !== 'rejected');
  if (postClass === 'foreign' && (item.identity.list.mode !== 'files' || hasFault)) return false;
  // The stored video can be removed while the item waits.
  if (due >= item.at + RETENTION_MS - DAY_MS) return false;
  const text = item.texts[0]?.text ?? '';
  return optionsBetween(rule, item.at, due).every((options) => {
    const isRefused = FILTER_REASONS.some((reason) => isFiltered(index, reason, options.filters, item, text) !== 'no');
    const caption = renderCaption(options.caption, { text, name: item.identity.name, url: item.appearance.url });
    const fits = postClass === 'own' || meetsRequirements(item, options.fit) === 'yes';
    const limit = limitOf(options, postClass);
    const day = (time: Time) => index.clock.day(options.zone, time);
    const used = usedOn(index, rule, options.zone, day(due), due);
    const isFree = limit === null || (used < limit && !canBeFull(index, rule, postClass, due));
    return !isRefused && fits && isFree && lengthOf(caption) <= MAX_CAPTION && options.backCatalog === null;
  });
}

/**
 * Promise: what is posted to the source of an active rule is reposted to every destination. Nothing is lost.
 *
 * Only items count that nothing in the documents hinders. Rules that were deleted since count too, if there was time.
 */
export function noRepostIsLost(index: FactIndex): string[] {
  const { endedAt, processingMs } = index.facts;
  return index.facts.rules.flatMap((rule) =>
    index.itemsOn(index.sourceOf(rule.id).id).flatMap((item) => {
      const seen = mustHaveSeen(index, rule, item);
      if (seen === null) return [];
      const line = index.linesOf(rule.id, item.id).at(0) ?? null;
      if (line && !isKnownReason(line.reason)) return [];
      const due = latestDue(index, rule, item, line);
      if (due === null || !isPlain(index, rule, item, due)) return [];
      const working = intersect(index.active(rule.id), index.running);
      const end = stretchEnd(working, due, CHECK_MS + HOUR_MS + processingMs);
      if (end === null || end > Math.min(endedAt, index.ruleEnd(rule.id))) return [];
      return rule.destinations.flatMap((account) => {
        const { identity } = index.account(account);
        const isConnected = [rule.source, account].every((id) =>
          index.connected(id).some(({ from, to }) => from <= item.at && to >= end),
        );
        if (!isConnected || !destinationsAt(index, rule, end).includes(account)) return [];
        const isMade = index
          .repostsOf(rule.id, item.id)
          .some(({ targets }) => targets.some((target) => target.account === account));
        if (isMade || reasonsToLeaveOut(index, { rule, item, account, at: endedAt }).length > 0) return [];
        return [`The rule ${rule.id} never reposted ${item.id} to ${identity}.`];
      });
    }),
  );
}

/** Promise: a repost that was made is sent. Nothing stays queued without a cause. */
export function nothingIsStuck(index: FactIndex): string[] {
  return index.reposts.flatMap((entry) => {
    if (entry.removedAt !== null || entry.withdrawnAt !== null) return [];
    const rule = index.rule(entry.rule);
    if (index.ruleEnd(rule.id) <= index.facts.endedAt) return [];
    const isActive = index.active(rule.id).some(({ from, to }) => from <= entry.madeAt && to >= index.facts.endedAt);
    return entry.targets.flatMap((target) =>
      isActive &&
      target.outcome.kind === 'pending' &&
      target.begunAt === null &&
      isOverdue(index, target.account, target.queuedAt)
        ? [`The repost ${entry.id} was never sent to ${index.account(target.account).identity}.`]
        : [],
    );
  });
}

/** Whether a rule would close a cycle over the rules that its user has at a time. */
function closesACycle(index: FactIndex, rule: Pick<Rule, 'user' | 'source' | 'destinations'>, at: Time): boolean {
  const existing = index.facts.rules.filter(
    (other) => other.user === rule.user && other.addedAt <= at && index.ruleEnd(other.id) > at,
  );
  const reached = new Set(rule.destinations);
  for (let size = -1; size !== reached.size; ) {
    size = reached.size;
    for (const other of existing) {
      if (reached.has(other.source)) for (const id of destinationsAt(index, other, at)) reached.add(id);
    }
  }
  return reached.has(rule.source);
}

/** Promise: rules of one user never form a cycle of any length, paused rules included. */
export function rulesHaveNoCycles(index: FactIndex): string[] {
  return index.facts.rules.flatMap((rule) =>
    closesACycle(index, rule, rule.addedAt) ? [`The rule ${rule.id} closes a cycle.`] : [],
  );
}

/** Promise: a rule is refused only for a cycle, a rule that has the same destination, or an account. */
export function refusedRulesHaveACause(index: FactIndex): string[] {
  return index.facts.refusedRules.flatMap((rule) => {
    const accounts = [rule.source, ...rule.destinations];
    const isDouble = index.facts.rules.some(
      (other) =>
        other.source === rule.source &&
        other.addedAt <= rule.at &&
        index.ruleEnd(other.id) > rule.at &&
        destinationsAt(index, other, rule.at).some((id) => rule.destinations.includes(id)),
    );
    const isTrue =
      (rule.code === 'platform_not_connected' && accounts.some((id) => !contains(index.connected(id), rule.at))) ||
      (rule.code === 'circular_dependency' && closesACycle(index, rule, rule.at)) ||
      (rule.code === 'duplicate_rule' && isDouble);
    return isTrue ? [] : [`A rule from ${rule.source} was refused with ${rule.code} without a cause.`];
  });
}

/** Promise: a user has one rule for each source and destination. */
export function rulesAreNotDuplicated(index: FactIndex): string[] {
  const { rules } = index.facts;
  return rules.flatMap((a, i) =>
    rules.slice(i + 1).flatMap((b) => {
      const [earlier, later] = a.addedAt <= b.addedAt ? [a, b] : [b, a];
      // The earlier one may have ended, or lost the destination with its account.
      const isSame =
        a.user === b.user &&
        a.source === b.source &&
        later.addedAt < index.ruleEnd(earlier.id) &&
        destinationsAt(index, earlier, later.addedAt).some((id) => later.destinations.includes(id));
      return isSame ? [`The rules ${a.id} and ${b.id} share a source and a destination.`] : [];
    }),
  );
}
