/** Whether a post on a source is public, so that a rule can repost it. */

import { agree, all, type Certainty } from './certainty.ts';
import type { FactIndex, Item } from './fact-index.ts';
import type { Account, Identity, Time } from './facts.ts';
import { contains, type Span, stretchEnd } from './intervals.ts';
import { CHECK_MS, DAY_MS, HOUR_MS, LATE_PUBLIC_MS } from './limits.ts';

/** The values that were in effect at some time in the window. */
function valuesBetween<T>(versions: readonly { from: Time; value: T }[], from: Time, to: Time): T[] {
  return versions
    .filter((version, i) => version.from <= to && (versions[i + 1]?.from ?? Number.POSITIVE_INFINITY) > from)
    .map(({ value }) => value);
}

/** The audiences that the account had in the window; `[null]` if none was chosen. */
export function accountAudiences(account: Account, from: Time, to: Time): (string | null)[] {
  const values = valuesBetween(account.privacy, from, to);
  return values.length > 0 ? values : [null];
}

/**
 * Whether the account as a whole was open.
 *
 * The documents do not say how fast a change of the account is noticed. Capabilities are read daily, so that both are
 * accepted within a day of a change.
 */
function isOpen(identity: Identity, time: Time): Certainty {
  const changes = identity.access;
  if (changes.length === 0) return 'yes';
  const near = valuesBetween(
    changes.map(({ from, isOpen: value }) => ({ from, value })),
    time - DAY_MS - HOUR_MS,
    time + DAY_MS + HOUR_MS,
  );
  if (near.length === 0 || near.every((value) => value)) return 'yes';
  return near.some((value) => value) ? 'either' : 'no';
}

/**
 * Whether an audience that was sent is public, by the table of the guide.
 *
 * Without an option and without a setting, the platform decides the audience. The documents do not say which one it
 * is, so that both are accepted, except on TikTok, where the account must choose.
 */
export function isPublicAudience(identity: Identity, value: string | null, time: Time): Certainty {
  const oneOf = (...values: string[]): Certainty => (value === null ? 'either' : values.includes(value) ? 'yes' : 'no');
  switch (identity.platform) {
    case 'tiktok':
      return value === 'PUBLIC_TO_EVERYONE' ? 'yes' : 'no';
    case 'youtube':
      return oneOf('public');
    case 'mastodon':
      return oneOf('public', 'unlisted');
    case 'linkedin':
      return oneOf('PUBLIC');
    case 'pinterest': {
      const board = identity.boards.find(({ id }) => id === value);
      if (board?.isSecret) return 'no';
      // "A new board is known after the next daily check."
      if (board) return time - board.createdAt > DAY_MS + HOUR_MS ? 'yes' : 'either';
      return value === null ? 'either' : 'no';
    }
    case 'telegram':
    case 'x':
      return isOpen(identity, time);
    case 'instagram':
      // The guide names trial reels only; decisions.md also names the protection of the account.
      return value === 'trial' ? 'no' : agree('yes', isOpen(identity, time));
    case 'threads':
      // The guide says always; decisions.md says by the protection of the account.
      return agree('yes', isOpen(identity, time));
    case 'facebook':
    case 'bluesky':
    case 'snapchat':
      return 'yes';
  }
}

/** The audience that was sent with a post made through Reelay. */
function sentAudience(index: FactIndex, item: Item): Certainty {
  const { by } = item.appearance;
  if (by.kind === 'post') {
    const post = index.facts.posts.find(({ id }) => id === by.post);
    const target = post?.targets.find(({ account }) => account === by.account);
    if (!post || !target) return 'either';
    const values =
      target.privacy === null ? accountAudiences(index.account(by.account), post.sentAt, item.at) : [target.privacy];
    return oneVerdict(values.map((value) => isPublicAudience(item.identity, value, item.at)));
  }
  if (by.kind === 'repost') {
    const entry = index.reposts.find(({ id }) => id === by.repost);
    if (!entry) return 'either';
    const values = repostAudiences(index, entry.rule, by.account, entry.madeAt, item.at);
    return oneVerdict(values.map((value) => isPublicAudience(item.identity, value, item.at)));
  }
  return 'either';
}

/** The verdict on which all agree, else `either`. */
function oneVerdict(verdicts: readonly Certainty[]): Certainty {
  const [first = 'either'] = verdicts;
  return verdicts.every((verdict) => verdict === first) ? first : 'either';
}

/** The audiences with which a rule can have sent to an account in the window: the option, else the setting. */
export function repostAudiences(
  index: FactIndex,
  rule: string,
  account: string,
  from: Time,
  to: Time,
): (string | null)[] {
  const versions = valuesBetween(index.rule(rule).options, from, to);
  return versions.flatMap((options) => {
    const value = options.privacy[account];
    return value === undefined ? accountAudiences(index.account(account), from, to) : [value];
  });
}

/** When a post that was found was public. */
function publicSpans(item: Item): Span[] {
  const changes = [{ at: item.at, isPublic: item.startsPublic }, ...item.changes.audience];
  return changes.flatMap(({ at, isPublic }, i) =>
    isPublic ? [{ from: at, to: changes[i + 1]?.at ?? Number.POSITIVE_INFINITY }] : [],
  );
}

/** Whether a post that was not made through Reelay was public when it was found, or became so within 48 hours. */
function foundPublic(index: FactIndex, item: Item): Certainty {
  const spans = publicSpans(item);
  const access = isOpen(item.identity, item.at);
  const isBothRead = item.identity.platform === 'threads' || item.identity.platform === 'instagram';
  const open = isBothRead ? agree('yes', access) : access;
  if (spans.length === 0) return 'no';
  const needed = CHECK_MS + index.facts.processingMs;
  const checked = index.checked(item.identity.id);
  const verdicts = spans.map(({ from, to }): Certainty => {
    const start = from + item.identity.list.visibleAfterMs;
    const seen = stretchEnd(checked, start, needed);
    // It was public for so short a time that no check must have seen it.
    if (seen === null || seen > to) return 'either';
    if (from <= item.at) return 'yes';
    if (seen - item.at <= LATE_PUBLIC_MS) return 'yes';
    // "Public when they are found" allows a post that nobody could read before, however old it is.
    const wasReadable = stretchEnd(checked, item.at, 1);
    if (from - item.at > LATE_PUBLIC_MS && wasReadable !== null && wasReadable < from) return 'no';
    return 'either';
  });
  const everSeen: Certainty = verdicts.includes('yes') ? 'yes' : verdicts.includes('either') ? 'either' : 'no';
  return all(everSeen, open);
}

/**
 * Whether the post was public in the sense of the guide, for a rule of the user.
 *
 * For a post that another user sent through Reelay to a shared account, the documents do not say whether the audience
 * that was sent decides, or what is found. The verdict counts if both agree.
 */
export function isSourcePublic(index: FactIndex, item: Item, user: string): Certainty {
  if (item.sender === null) return foundPublic(index, item);
  const sent = sentAudience(index, item);
  return item.sender === user ? sent : agree(sent, foundPublic(index, item));
}

/**
 * Whether the post was still public in the last check before the time.
 *
 * A change that a check need not have seen yet is `either`. A post made through Reelay that becomes private on its
 * platform is `either`: "Changing either later changes nothing", but "it is withdrawn if the post becomes private".
 */
export function isStillPublic(index: FactIndex, item: Item, time: Time): Certainty {
  const spans = publicSpans(item);
  if (contains(spans, time)) return spans.some(({ from, to }) => from <= item.at && time < to) ? 'yes' : 'either';
  if (item.sender !== null) return 'either';
  const lastEnd = Math.max(item.at, ...spans.filter(({ to }) => to <= time).map(({ to }) => to));
  const noticed = stretchEnd(
    index.checked(item.identity.id),
    lastEnd + item.identity.list.visibleAfterMs,
    CHECK_MS + index.facts.processingMs,
  );
  return noticed !== null && noticed <= time ? 'no' : 'either';
}
