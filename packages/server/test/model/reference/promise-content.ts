/** Promises about content: once per destination, the same video, and what is left out. */

import type { FactIndex, Item, Placement } from './fact-index.ts';
import type { Time } from './facts.ts';
import { contains } from './intervals.ts';
import { CHECK_MS, HOUR_MS, RACE_MS } from './limits.ts';
import {
  decidedAgainBy,
  knownFrom,
  type LeftOut,
  leftOut,
  mayBeLimitedSend,
  reasonsToLeaveOut,
  type SentRepost,
  sentReposts,
} from './places.ts';
import { comparedItem, comparedPlacement, compareVideos, hasLength, isSameVideo } from './same-video.ts';
import { isBackCatalog, isByHand } from './schedule.ts';

/** Whether the user accepted that a retry can make a second post. */
function acceptsDuplicate(index: FactIndex, key: string): boolean {
  return index.facts.retries.some(
    (retry) => `${retry.entry} ${retry.account}` === key && retry.acceptDuplicate && retry.response === 'accepted',
  );
}

/** The order in which two placements were queued; equal times are ordered by key, so that a pair is reported once. */
function isBefore(a: Placement, b: Placement): boolean {
  return a.queuedAt === b.queuedAt ? a.key < b.key : a.queuedAt < b.queuedAt;
}

/**
 * Promise: a video reaches each account once, by any path: any rule, source or user.
 *
 * Two placements of one lineage on one identity contradict it if a rule made the later one, or both. A direct post
 * whose send was rejected frees the place, so that its retry counts from the retry. Lineages with an unknown outcome
 * are left to the comparison of texts.
 */
export function contentReachesADestinationOnce(index: FactIndex): string[] {
  return sentReposts(index).flatMap(({ entry, item, own, identity }) => {
    const problems: string[] = [];
    if (own.appearances.length > 1 && !acceptsDuplicate(index, own.key)) {
      problems.push(`${identity} has the repost ${entry.id} of ${item.id} ${own.appearances.length} times.`);
    }
    if (own.appearances.length === 0) return problems;
    for (const other of index.placementsOn(identity)) {
      if (other.key === own.key || other.lineage !== own.lineage || other.appearances.length === 0) continue;
      if (!own.isCertain || !other.isCertain || acceptsDuplicate(index, other.key)) continue;
      if (other.kind === 'repost' && isBefore(own, other)) continue;
      problems.push(`${identity} has the video of ${item.id} twice: by ${entry.id} and by ${other.key}.`);
    }
    return problems;
  });
}

/** The placements for which a repost had to leave out its destination, by comparison. */
function copiesBefore(index: FactIndex, { entry, target, item, own, identity }: SentRepost): Placement[] {
  // "A skipped copy can be reposted by hand. It then counts as another video."
  if (isByHand(index, entry) || own.appearances.length === 0) return [];
  const anyTime = isBackCatalog(index, entry);
  return index.placementsOn(identity).filter((other) => {
    if (other.key === own.key || other.lineage === own.lineage || other.appearances.length === 0) return false;
    if (other.kind === 'repost' && !isBefore(other, own)) return false;
    const known = knownFrom(index, other, target.queuedAt);
    if (known === null || known > target.queuedAt) return false;
    return isSameVideo(index, item, other, anyTime) === 'yes';
  });
}

const describeCopies = (index: FactIndex, sent: SentRepost) =>
  copiesBefore(index, sent).map(
    ({ key }) => `${sent.identity} got ${sent.item.id} by ${sent.entry.id}, although ${key} is the same video there.`,
  );

/**
 * Promise: a destination that has the same video already, or will have it, is left out.
 *
 * This is the part for items that were not made through Reelay. Both orders are accepted within the time in which a
 * post need not be visible yet.
 */
export function theSameVideoIsLeftOut(index: FactIndex): string[] {
  return sentReposts(index)
    .filter(({ item }) => item.sender === null)
    .flatMap((sent) => describeCopies(index, sent));
}

/** Promise: before a repost starts, Reelay also compares the newest posts of each destination, for own posts too. */
export function ownPostsAreComparedWithDestinations(index: FactIndex): string[] {
  return sentReposts(index)
    .filter(({ item }) => item.sender !== null)
    .flatMap((sent) => describeCopies(index, sent));
}

/** Size of a largest matching of left nodes with the right nodes that each of them accepts. */
function matchingSize(accepted: readonly (readonly string[])[]): number {
  const takenBy = new Map<string, number>();
  const assign = (left: number, visited: Set<string>): boolean => {
    for (const right of accepted[left] ?? []) {
      if (visited.has(right)) continue;
      visited.add(right);
      const holder = takenBy.get(right);
      if (holder === undefined || assign(holder, visited)) {
        takenBy.set(right, left);
        return true;
      }
    }
    return false;
  };
  return accepted.filter((_, left) => assign(left, new Set())).length;
}

/**
 * Whether the lengths of an item and of a placement can be compared. A listed length in whole seconds may be a rounded
 * one, and videos on destinations are not downloaded.
 */
const isMeasured = (index: FactIndex, item: Item, placement: Placement): boolean =>
  !(placement.kind === 'outside' && placement.durationMs % 1_000 === 0) &&
  [comparedItem(index, item), comparedPlacement(index, placement)].every(hasLength);

/**
 * Promise: two posts on one account are always two videos, even with the same caption.
 *
 * Each item of a source that was left out at a destination needs another video there. Which ones belong together is
 * free. An item whose own lineage is there needs no other. "Equal captions decide" where a length is not known, so that
 * one post can keep back several.
 */
export function seriesAreNotMerged(index: FactIndex): string[] {
  const groups = new Map<string, string[][]>();
  const names = new Map<string, string[]>();
  for (const entry of leftOut(index)) {
    const reasons = reasonsToLeaveOut(index, entry);
    if (reasons.some(({ lineage }) => lineage === entry.item.lineage)) continue;
    const isByTextAlone = reasons.some((reason) => !isMeasured(index, entry.item, reason));
    if (reasons.length === 0 || isByTextAlone) continue;
    const key = `${entry.rule.id} at ${index.account(entry.account).identity}`;
    const list = names.get(key) ?? [];
    if (list.includes(entry.item.id)) continue;
    names.set(key, [...list, entry.item.id]);
    groups.set(key, [...(groups.get(key) ?? []), [...new Set(reasons.map(({ lineage }) => lineage))]]);
  }
  return [...groups].flatMap(([key, accepted]) =>
    matchingSize(accepted) < accepted.length
      ? [`The rule ${key} left out ${accepted.length} posts (${names.get(key)?.join(', ')}) for fewer videos.`]
      : [],
  );
}

/**
 * Promise: series with one caption that come from several sources reach a destination as often as the longest series.
 *
 * Only groups count in which all pairs from different accounts are the same video without doubt. The number of posts
 * on an account, also those that rules made there, is the upper bound, whichever posts belong together.
 */
export function seriesAreNotDoubled(index: FactIndex): string[] {
  return index.facts.identities.flatMap(({ id }) => {
    const roots = new Map<string, Item>();
    for (const { entry, item, own, identity } of sentReposts(index)) {
      const isRepeat = own.appearances.length === 0 || isByHand(index, entry) || !item.isCertain;
      if (identity === id && !isRepeat) roots.set(item.root.id, item.root);
    }
    let groups: Item[][] = [];
    for (const root of roots.values()) {
      const joined = groups.filter((members) => members.some((member) => areOneVideo(index, member, root, id)));
      groups = [...groups.filter((group) => !joined.includes(group)), [...joined.flat(), root]];
    }
    return groups.flatMap((group) => {
      const accounts = [...new Set(group.map((root) => root.identity.id))];
      if (accounts.length < 2) return [];
      const isClique = group.every((a) =>
        group.every((b) => a.identity.id === b.identity.id || areOneVideo(index, a, b, id)),
      );
      const [first] = group;
      if (!isClique || !first) return [];
      const longest = Math.max(
        ...accounts.map(
          (account) =>
            index
              .itemsOn(account)
              .filter((post) => compareVideos(comparedItem(index, post), comparedItem(index, first), true) !== 'no')
              .length,
        ),
      );
      return group.length > longest
        ? [`${id} got ${group.length} posts (${group.map((root) => root.id).join(', ')}) of at most ${longest} videos.`]
        : [];
    });
  });
}

/**
 * Whether two roots on different accounts are the same video without doubt, apart from series. Two posts on one account
 * are always two videos, also if a rule made one of them, so that no account beside the destination may have both.
 */
function areOneVideo(index: FactIndex, a: Item, b: Item, destination: string): boolean {
  if (a.identity.id === b.identity.id || a.lineage === b.lineage) return false;
  const others = index.lineageIdentities(b.lineage);
  const haveBoth = [...index.lineageIdentities(a.lineage)].some((id) => id !== destination && others.has(id));
  return !haveBoth && compareVideos(comparedItem(index, a), comparedItem(index, b), false) === 'yes';
}

/**
 * Promise: a destination is left out only for the same video: equal captions, lengths within half a second, 7 days,
 * different accounts, or the same lineage. A post without a caption that may be one of ours for few is left out, too.
 */
export function onlyTheSameVideoIsLeftOut(index: FactIndex): string[] {
  return leftOut(index).flatMap((entry) =>
    reasonsToLeaveOut(index, entry).length > 0 || mayBeLimitedSend(index, entry.item)
      ? []
      : [
          `The rule ${entry.rule.id} left out ${index.account(entry.account).identity} for ${entry.item.id}, ` +
            'but the same video was not there.',
        ],
  );
}

/**
 * Promise: failed targets occupy nothing. If a repost is removed before it starts, or fails before anything was sent,
 * a rule that left the account to it decides again. What it reposted to other accounts comes there, too.
 *
 * The guide names reposts. Whether a failed direct post has the same effect is open, so that it is accepted.
 */
export function failedTargetsOccupyNothing(index: FactIndex): string[] {
  return leftOut(index).flatMap((entry) => {
    const { rule, item, at, isSkip, account } = entry;
    const reasons = reasonsToLeaveOut(index, entry);
    if (reasons.length === 0 || reasons.some(({ releasedAt }) => releasedAt === null)) return [];
    const released = Math.max(...reasons.map(({ releasedAt }) => releasedAt ?? 0));
    const where = index.account(account).identity;
    const line = index.linesOf(rule.id, item.id).at(0);
    const wasDecidedLater = (line?.decidedAt ?? null) !== null || !isSkip;
    if (wasDecidedLater && released + RACE_MS + index.facts.processingMs < at) {
      return [`The rule ${rule.id} left out ${where} for ${item.id}, although the sends there had failed before.`];
    }
    if (reasons.some(({ kind }) => kind !== 'repost') || (!isSkip && !isExtendable(index, entry))) return [];
    const isAvailable = item.changes.absent.length === 0 && item.changes.audience.length === 0;
    const again = decidedAgainBy(index, rule, released);
    const isConnected = contains(index.connected(account), index.facts.endedAt - 1);
    return again !== null && again <= index.facts.endedAt && isAvailable && isConnected
      ? [`The rule ${rule.id} still leaves out ${where} for ${item.id}, although every send of the video there failed.`]
      : [];
  });
}

/** Whether nothing that the documents leave open, or that takes time, keeps a repost from another account. */
function isExtendable(index: FactIndex, { rule, item }: LeftOut): boolean {
  const entries = index.repostsOf(rule.id, item.id);
  const isThere = entries.every(({ removedAt, withdrawnAt }) => removedAt === null && withdrawnAt === null);
  return isThere && rule.options.every(({ value }) => !value.quietHours);
}

/** A send that failed. */
export interface FailedSend {
  account: string;
  user: string;
  /** When it was queued. */
  from: Time;
  /** When it failed. */
  at: Time;
  kind: 'rejected' | 'unknown';
  code: string;
  text: string;
}

/** Whether the outside world explains that a send to an identity failed. */
export function hasCause(index: FactIndex, send: FailedSend): boolean {
  const identity = index.identity(index.account(send.account).identity);
  const { faults, processingMs, users, outages, clockJumps } = index.facts;
  const touches = (from: number, to: number | null) => from <= send.at && (to ?? send.at) >= send.from - processingMs;
  const kinds: string[] = ['rejected', 'unknown'];
  const isFault = faults.some(
    ({ identity: id, kind, from, to }) => id === identity.id && kinds.includes(kind) && touches(from, to),
  );
  if (isFault) return true;
  const stopped = [...outages, ...clockJumps.map(({ at, byMs }) => ({ from: at, to: at + byMs }))];
  const wasStopped = stopped.some(({ from, to }) => touches(from, to));
  if (send.kind === 'unknown') return wasStopped;
  switch (send.code) {
    case 'stopped':
      return true;
    // A target that is due in a long outage can be out of time at its first attempt.
    case 'late_skipped':
    case 'platform_unavailable':
      return wasStopped;
    case 'plan_limit_reached':
      return users.some(({ id, postsPerMonth }) => id === send.user && postsPerMonth !== null);
    case 'caption_rejected':
      return identity.captionLimit === null || [...send.text].length > identity.captionLimit;
    case 'reconnect_required': {
      const spans = index.connected(send.account);
      return !spans.some(({ from, to }) => from <= send.from - processingMs && to >= send.at + RACE_MS);
    }
    default:
      return false;
  }
}

/**
 * Promise: what you post to an account yourself is never left out, even if the video is there already.
 *
 * A failure needs a cause outside of the service.
 */
export function directPostsAreNeverLeftOut(index: FactIndex): string[] {
  return index.facts.posts.flatMap((post) =>
    post.targets.flatMap((target) => {
      const { identity } = index.account(target.account);
      const own = index.placementsOn(identity).find(({ key }) => key === `${post.id} ${target.account}`);
      const isThere = (own?.appearances.length ?? 0) > 0;
      const { outcome } = target;
      const from = post.scheduledFor ?? post.sentAt;
      if (outcome.kind === 'public' && !isThere) {
        return [`The post ${post.id} is said to be on ${identity}, but is not there.`];
      }
      // What its owner removed before it was confirmed fails.
      if (outcome.kind === 'rejected' && isThere) {
        return target.changes.absent.some(({ from: at }) => at <= outcome.at)
          ? []
          : [`The post ${post.id} is said to have failed, but ${identity} has it.`];
      }
      if (outcome.kind === 'rejected' || outcome.kind === 'unknown') {
        const code = outcome.kind === 'rejected' ? outcome.code : 'outcome_unknown';
        const { at, kind } = outcome;
        const text = target.text ?? post.text;
        const send = { account: target.account, user: post.user, from: post.sentAt, at, kind, code, text };
        return hasCause(index, send) ? [] : [`The post ${post.id} failed on ${identity} (${code}) without a cause.`];
      }
      if (outcome.kind === 'pending' && !isThere && isOverdue(index, target.account, from)) {
        return [`The post ${post.id} was never sent to ${identity}.`];
      }
      return [];
    }),
  );
}

/** Whether a send that was due must have begun: the service ran, the account was connected, and nothing failed. */
export function isOverdue(index: FactIndex, account: string, due: number): boolean {
  const { faults, endedAt, processingMs } = index.facts;
  const { identity } = index.account(account);
  if (endedAt - due < HOUR_MS + CHECK_MS + processingMs) return false;
  if (faults.some((fault) => fault.identity === identity && (fault.to ?? endedAt) >= due)) return false;
  const isWhole = (spans: readonly { from: number; to: number }[]) =>
    spans.some(({ from, to }) => from <= due && to >= endedAt);
  return isWhole(index.connected(account)) && isWhole(index.running);
}
