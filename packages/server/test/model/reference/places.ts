/** Which destinations a rule left out, and for what. */

import { isSourcePublic } from './audience.ts';
import { isWordless, sameBeginning } from './captions.ts';
import type { FactIndex, Item, Placement } from './fact-index.ts';
import type { Repost, RepostTarget, Rule, Time } from './facts.ts';
import { contains, intersect, stretchEnd } from './intervals.ts';
import { CHECK_MS, NEWEST_POSTS, RACE_MS, SAME_VIDEO_WINDOW_MS } from './limits.ts';
import { isSameVideo } from './same-video.ts';
import { destinationsAt, isSelected } from './schedule.ts';

/** A destination that a rule left out for an item. */
export interface LeftOut {
  rule: Rule;
  item: Item;
  account: string;
  at: Time;
  /** Whether the whole item was skipped. */
  isSkip: boolean;
}

/** A target of a repost with what it belongs to. */
export interface SentRepost {
  rule: Rule;
  item: Item;
  entry: Repost;
  target: RepostTarget;
  identity: string;
  own: Placement;
}

/**
 * Whether an item without a caption can be a post made through Reelay that few could see: platforms do not name those by a
 * public id, and nothing but a caption tells them from other posts of about the same time.
 */
export function mayBeLimitedSend(index: FactIndex, item: Item): boolean {
  return item.texts.every(({ text }) => isWordless(text)) && limitedSends(index, item).some((text) => isWordless(text));
}

/** Whether an item counts as a post made through Reelay that few could see, because it has the caption of one. */
export function countsAsLimitedSend(index: FactIndex, item: Item): boolean {
  const { showsLimited, cutTextAt } = item.identity.list;
  if (showsLimited) return false;
  return limitedSends(index, item).some((sent) =>
    item.texts.some(({ text }) => sameBeginning(sent, text, cutTextAt) !== 'no'),
  );
}

/** Texts of the posts made through Reelay that few could see, on the account of an item and of about its time. */
function limitedSends(index: FactIndex, item: Item): string[] {
  if (item.sender !== null) return [];
  return index
    .placementsOn(item.identity.id)
    .filter(
      ({ kind, at, appearances }) =>
        kind !== 'outside' &&
        Math.abs(at - item.at) <= SAME_VIDEO_WINDOW_MS &&
        appearances.some(({ id }) => isLimited(index, index.item(id))),
    )
    .flatMap(({ texts }) => texts);
}

const isLimited = (index: FactIndex, item: Item | null) =>
  item !== null && item.sender !== null && isSourcePublic(index, item, item.sender) !== 'yes';

/** All targets of reposts that began or appeared. */
export function sentReposts(index: FactIndex): SentRepost[] {
  return index.reposts.flatMap((entry) => {
    const item = index.item(entry.item);
    if (!item) return [];
    return entry.targets.flatMap((target) => {
      const identity = index.account(target.account).identity;
      const own = index.placementsOn(identity).find(({ key }) => key === `${entry.id} ${target.account}`);
      if (!own || (target.begunAt === null && own.appearances.length === 0)) return [];
      return [{ rule: index.rule(entry.rule), item, entry, target, identity, own }];
    });
  });
}

/** When a repost began on its first destination. */
export function firstBegun(index: FactIndex, entry: Repost): Time {
  const times = entry.targets.flatMap((target) => {
    const seen = index.facts.appearances
      .filter(({ by }) => by.kind === 'repost' && by.repost === entry.id && by.account === target.account)
      .map(({ at }) => at);
    return target.begunAt === null ? seen : [target.begunAt];
  });
  return times.length > 0 ? Math.min(...times) : entry.madeAt;
}

/** All destinations that rules left out: of reposts, and of items skipped with `echo` or `already_there`. */
export function leftOut(index: FactIndex): LeftOut[] {
  const skipped = index.facts.activity.flatMap((line) => {
    const item = index.item(line.item);
    if (!item || (line.reason !== 'echo' && line.reason !== 'already_there')) return [];
    const rule = index.rule(line.rule);
    const at = line.decidedAt ?? index.facts.endedAt;
    return destinationsAt(index, rule, at).map((account) => ({ rule, item, account, at, isSkip: true }));
  });
  const partly = index.reposts.flatMap((entry) => {
    const item = index.item(entry.item);
    if (!item) return [];
    const rule = index.rule(entry.rule);
    return destinationsAt(index, rule, entry.madeAt)
      .filter((account) => !entry.targets.some((target) => target.account === account))
      .map((account) => ({ rule, item, account, at: entry.madeAt, isSkip: false }));
  });
  // The documents do not say whether a destination that is not connected becomes a failed target or is left out.
  return [...skipped, ...partly].filter(({ account, at }) => contains(index.connected(account), at - RACE_MS));
}

/** The placements for which a rule can have left out a destination: they can be the same video and were there. */
export function reasonsToLeaveOut(index: FactIndex, { rule, item, account, at }: Omit<LeftOut, 'isSkip'>): Placement[] {
  const anyTime = isSelected(rule, item.id, rule.addedAt, at);
  return index
    .placementsOn(index.account(account).identity)
    .filter(
      (placement) =>
        !(placement.repost?.rule === rule.id && placement.repost.item === item.id) &&
        placement.queuedAt <= at + RACE_MS &&
        isSameVideo(index, item, placement, anyTime) !== 'no',
    );
}

/**
 * The time from which a rule must know a placement; null if the documents do not promise it.
 *
 * - What was sent through Reelay is known at once. A direct post at the same moment is a race.
 * - Of other posts, only the newest ones of the destination are compared, and not where reads are charged. The
 *   documents do not say how many, so that older and deeper ones are not expected.
 */
export function knownFrom(index: FactIndex, placement: Placement, before: Time): Time | null {
  if (placement.kind === 'repost') return placement.surelyFrom;
  if (placement.kind === 'sent') {
    const post = index.facts.posts.find(({ id }) => placement.key.startsWith(`${id} `));
    // The documents do not say whether a scheduled post counts before its time.
    return Math.max(placement.surelyFrom, post?.scheduledFor ?? 0) + RACE_MS;
  }
  const identity = index.identity(placement.identity);
  if (identity.list.chargesReads || identity.list.mode === 'own') return null;
  if (before - placement.at > SAME_VIDEO_WINDOW_MS) return null;
  const newer = index.itemsOn(identity.id).filter(({ at }) => at > placement.at && at < before);
  if (newer.length >= NEWEST_POSTS) return null;
  const { faults, processingMs } = index.facts;
  const visible = placement.at + identity.list.visibleAfterMs + processingMs;
  const isUnreadable = faults.some(
    ({ identity: where, kind, from, to }) =>
      where === identity.id && kind === 'unreadable' && from <= before && (to ?? before) >= visible - processingMs,
  );
  const wasHidden = index.item(placement.key)?.changes.absent.some(({ from }) => from <= before) ?? false;
  const isLimited = index.item(placement.key)?.startsPublic === false && !identity.list.showsLimited;
  return isUnreadable || wasHidden || isLimited ? null : visible;
}

/** When a rule that waited for a placement must have decided again after its release; null: not before the end. */
export function decidedAgainBy(index: FactIndex, rule: Rule, released: Time): Time | null {
  const working = intersect(index.active(rule.id), index.running);
  return stretchEnd(working, released, CHECK_MS + index.facts.processingMs);
}
