/** Decides what a rule does about one piece of content. Pure. */
import { DAY, SECOND } from '../lib/time.ts';
import { dayOf } from '../local-time/days.ts';
import { quietUntil } from '../local-time/quiet-hours.ts';
import { errorMessage } from '../messages/error-texts.ts';
import type { Message, MessageRef } from '../messages/message.ts';
import { say } from '../messages/rules.ts';
import { renderCaption } from './options/caption.ts';
import { filterProblem } from './options/filters.ts';
import type { RuleOptions } from './options/rule-options.ts';
import { earliestAt } from './options/timing.ts';

/** Content on a rule's source. Durations in ms. */
export interface Content {
  /** `own`: posted through us. `foreign`: found on the account. */
  origin: 'own' | 'foreign';
  caption: string;
  /** null if unknown. */
  durationMs: number | null;
  url: string | null;
  /** How the source account is shown. */
  sourceName: string;
  isPublic: boolean;
  /** Whether the account already had the same content from us. */
  isEcho: boolean;
  /** Whether the platform no longer has it. */
  isGone: boolean;
  /** The video. `none`: not requested yet. `wanted`: it is being fetched since a time in ms since the epoch. */
  file: { state: 'stored' | 'none' } | { state: 'wanted'; since: number } | { state: 'failed'; problem: MessageRef };
  /** Why the video cannot be had; null if it can. */
  withoutFile: MessageRef | null;
}

export interface DecisionFacts {
  /** ms since the epoch */
  now: number;
  /** When the content was found or posted, in ms since the epoch. */
  seenAt: number;
  /** In [0, 1). Selects the jitter. */
  chance: number;
  /** The user asked for this repost: only what makes it impossible or unsafe still counts. */
  byHand: boolean;
  options: RuleOptions;
  /** null if it was deleted here. */
  content: Content | null;
  /** Number of destinations that the content has not reached. */
  openDestinations: number;
  /** Names of destinations that turned out to have a copy. */
  copies: readonly string[];
  /** Whether only the length of the video can tell if a destination has a copy. */
  needsLength: boolean;
  /**
   * Set for older content that the user selected: when the rule last reposted such content (null: never), the time
   * between two of them in ms, and whether this one is the next. Filters, delay and limit do not apply to it.
   */
  pace: { lastAt: number | null; everyMs: number; isNext: boolean } | null;
  /**
   * Reposts of this rule today, the older items that wait for its limit or may have to (`inLine`), and the end of the day
   * in ms since the epoch; null if there is no limit.
   */
  today: { count: number; limit: number; ahead: Ahead; endsAt: number } | null;
  /** When it first waited for the limit, in ms since the epoch; null: never. */
  limitedAt: number | null;
}

/** Numbers of older items of the rule. */
export interface Ahead {
  limited: number;
  inLine: number;
}

/**
 * - `wait`: until a time, or (null) until the file is there or an earlier item of the back catalog is done.
 * - `fetch`: the file must be requested first.
 */
export type Decision =
  | { then: 'skip'; reason: MessageRef }
  | { then: 'wait'; until: number | null; reason: Message }
  | { then: 'fetch'; reason: Message }
  | { then: 'repost'; caption: string };

/** The limits of a video, with room for durations that platforms round. In ms. */
const MIN_MS = 2 * SECOND;
const MAX_MS = 91.5 * SECOND;

/** How long an item waits for the daily limit before it is skipped, in ms. */
const MAX_LIMITED_MS = 3 * DAY;

export function decide(facts: DecisionFacts): Decision {
  const { content, byHand, openDestinations, copies, options, pace } = facts;
  if (!content) return skip(say('gone'));
  const never = neverReposted(content, byHand);
  if (never) return skip(never);
  const [place] = copies;
  if (openDestinations === 0) return skip(place === undefined ? say('already_there') : say('echo', { place }));
  const filtered = byHand || pace ? null : filterProblem(options.filters, content);
  if (filtered) return skip(filtered);
  const turn = pace && !byHand ? waitForTurn(pace, facts.now) : null;
  if (turn) return turn;
  const missingLength = facts.needsLength ? fileFirst(content) : null;
  if (missingLength) return missingLength;
  const isDelayed = !byHand && !pace && earliestOf(facts) > facts.now;
  // What waits for the limit needs no file yet.
  const limited = byHand || isDelayed ? null : waitForLimit(facts);
  if (limited) return limited;
  const missingFile = fileFirst(content);
  if (missingFile) return missingFile;
  const wait = byHand ? null : waitFor(facts);
  if (wait) return wait;
  const { text, problem } = renderCaption(options.caption, content);
  return problem ? skip(problem) : { then: 'repost', caption: text };
}

/**
 * Decides about content that the user asks for, as far as the content alone tells: times, limits and the destinations'
 * own posts are not considered.
 */
export function decideByHand(options: RuleOptions, content: Content | null, hasOpenDestination: boolean): Decision {
  const untimed = { now: 0, seenAt: 0, chance: 0, pace: null, today: null, limitedAt: null };
  const destinations = { openDestinations: hasOpenDestination ? 1 : 0, copies: [], needsLength: false };
  return decide({ ...untimed, ...destinations, byHand: true, options, content });
}

const skip = (reason: MessageRef): Decision => ({ then: 'skip', reason });

/** Failures of downloads that another attempt may not meet. */
const TEMPORARY = ['download_failed', 'downloader_failed'];

/** Whether the video is missing only because a download failed that may succeed now. */
export function canDownloadAgain(content: Pick<Content, 'file'> | null): boolean {
  const cause = content?.file.state === 'failed' ? content.file.problem.params.reason : undefined;
  return typeof cause === 'object' && 'code' in cause && TEMPORARY.includes(cause.code);
}

function neverReposted({ isPublic, isEcho, isGone, file, sourceName }: Content, byHand: boolean): Message | null {
  if (!isPublic) return say('source_private');
  if (isEcho && !byHand) return say('echo', { place: sourceName });
  // The user may ask for a deleted post whose video is still here.
  return isGone && !(byHand && file.state === 'stored') ? say('gone') : null;
}

/** What must happen before the video is there; null if it is. */
function fileFirst({ file, withoutFile, durationMs }: Content): Decision | null {
  if (file.state === 'stored') return null;
  if (file.state === 'failed') return skip(file.problem);
  if (withoutFile) return skip(say('no_file', { reason: withoutFile }));
  const code =
    durationMs === null
      ? null
      : durationMs > MAX_MS
        ? 'video_too_long'
        : durationMs < MIN_MS
          ? 'video_too_short'
          : null;
  if (code) return skip(say('file_rejected', { reason: errorMessage(code) }));
  if (file.state === 'wanted') return { then: 'wait', until: null, reason: say('file_fetching') };
  return { then: 'fetch', reason: say('file_fetching') };
}

function waitForTurn({ lastAt, everyMs, isNext }: NonNullable<DecisionFacts['pace']>, now: number): Decision | null {
  if (!isNext) return { then: 'wait', until: null, reason: say('back_catalog_behind') };
  const next = lastAt === null ? now : lastAt + everyMs;
  return next > now ? { then: 'wait', until: next, reason: say('back_catalog_queued', { untilAt: next }) } : null;
}

const earliestOf = ({ options, seenAt, chance }: DecisionFacts) => earliestAt(options, { seenAt, random: chance });

function waitFor(facts: DecisionFacts): Decision | null {
  const { now, options, pace } = facts;
  const earliest = earliestOf(facts);
  if (earliest > now && !pace) return { then: 'wait', until: earliest, reason: say('delayed', { untilAt: earliest }) };
  const quiet = quietUntil(options.quietHours, now);
  return quiet === null ? null : { then: 'wait', until: quiet, reason: say('quiet_hours', { untilAt: quiet }) };
}

/**
 * The oldest come first: an item waits if those ahead of it use what is left of today. It waits for the day in which it
 * is its turn, so that no day wakes more than its limit. A second apart, they keep their order.
 */
function waitForLimit({ now, options, today, limitedAt }: DecisionFacts): Decision | null {
  if (!today) return null;
  const { count, limit, ahead, endsAt } = today;
  const free = Math.max(0, limit - count);
  if (ahead.limited < free) return null;
  const latest = (limitedAt ?? now) + MAX_LIMITED_MS;
  if (now >= latest) return skip(say('over_daily_limit', { limit }));
  const place = ahead.inLine - free;
  let day = endsAt;
  for (let left = Math.floor(place / limit); left > 0 && day < latest; left--) day = dayOf(day, options.zone).end;
  const until = Math.min(day + (place % limit) * SECOND, latest);
  return { then: 'wait', until, reason: say('rule_daily_limit', { limit, untilAt: until }) };
}
