/** Whether the reason of an activity line is true. */

import { isSourcePublic, isStillPublic } from './audience.ts';
import { lengthOf, renderCaption } from './captions.ts';
import type { FactIndex, Item } from './fact-index.ts';
import type { ActivityLine, Interval, Outcome, Rule, RuleOptions, Time } from './facts.ts';
import { FILTER_REASONS, type FilterReason, isFiltered, meetsRequirements } from './filters.ts';
import { contains, intersect, stretchEnd } from './intervals.ts';
import {
  CHECK_MS,
  FILE_WAIT_MS,
  LIMIT_WAIT_MS,
  MAX_CAPTION,
  RACE_MS,
  RETENTION_MS,
  SAME_VIDEO_WINDOW_MS,
} from './limits.ts';
import { isQuiet } from './local-time.ts';
import { mayBeLimitedSend, reasonsToLeaveOut } from './places.ts';
import {
  canBeFull,
  classOf,
  destinationsAt,
  earliestDue,
  isSelected,
  latestDue,
  limitOf,
  optionsBetween,
  wasInPause,
} from './schedule.ts';

/** A line with what it is about. */
export interface LineContext {
  index: FactIndex;
  line: ActivityLine;
  rule: Rule;
  item: Item;
  /** The latest time at which the reason can have been decided. */
  until: Time;
  /** All options that can have applied. */
  options: RuleOptions[];
}

/** Returns what is wrong, or null if the reason can be true. */
type ReasonCheck = (context: LineContext) => string | null;

/** The status that belongs to each reason, by the table of the guide. New reasons may be added. */
const STATUS_BY_REASON: ReadonlyMap<string, ActivityLine['status']> = new Map([
  ...['reposting', 'reposted', 'reposted_partly', 'repost_failed', 'repost_removed'].map(
    (reason) => [reason, 'reposted'] as const,
  ),
  ...[
    'undecided',
    'match_pending',
    'delayed',
    'quiet_hours',
    'rule_daily_limit',
    'back_catalog_queued',
    'back_catalog_behind',
    'rule_paused',
    'file_fetching',
    'file_retry',
  ].map((reason) => [reason, 'waiting'] as const),
  ...[
    ...FILTER_REASONS,
    'over_daily_limit',
    'no_file',
    'file_rejected',
    'caption_too_long',
    'echo',
    'already_there',
    'posted_while_paused',
    'source_private',
    'gone',
    'video_removed',
  ].map((reason) => [reason, 'skipped'] as const),
]);

const ensure = (condition: boolean, problem: string) => (condition ? null : problem);

/** The outcomes of the latest entry for the item, without changes too new to be shown. */
function outcomesOf({ index, rule, item }: LineContext): Outcome[] | null {
  const entry = index
    .repostsOf(rule.id, item.id)
    .toSorted((a, b) => a.madeAt - b.madeAt)
    .at(-1);
  return entry ? entry.targets.map(({ outcome }) => outcome) : null;
}

/** Whether some outcome is so new that the line need not show it yet. */
const isChanging = ({ index: { facts } }: LineContext, outcomes: readonly Outcome[]) =>
  outcomes.some((outcome) => outcome.kind !== 'pending' && outcome.at > facts.endedAt - facts.processingMs);

const isFailed = ({ kind }: Outcome) => kind === 'rejected' || kind === 'unknown' || kind === 'cancelled';

/** A check of the outcomes of the entry. */
function outcomeCheck(isTrue: (outcomes: readonly Outcome[]) => boolean): ReasonCheck {
  return (context) => {
    const outcomes = outcomesOf(context);
    if (!outcomes) return 'the history has no repost of it';
    return ensure(isTrue(outcomes) || isChanging(context, outcomes), 'the outcomes of the repost differ');
  };
}

/** Whether the item must have been decided well before the end: it was due, and the service could work. */
function isOverdueItem({ index, rule, item, line }: LineContext): boolean {
  const { endedAt, processingMs, faults } = index.facts;
  const due = latestDue(index, rule, item, line);
  if (due === null) return false;
  const settled = stretchEnd(intersect(index.active(rule.id), index.running), due, CHECK_MS + processingMs);
  if (settled === null || settled > endedAt) return false;
  const places = [rule.source, ...destinationsAt(index, rule, endedAt)];
  // The documents do not say what an item does while an account of its rule is not connected.
  const isConnected = places.every((id) =>
    index.connected(id).some(({ from, to }) => from <= item.at && to >= endedAt),
  );
  const identities = places.map((id) => index.account(id).identity);
  const hasFault = faults.some(({ identity, to }) => identities.includes(identity) && (to ?? endedAt) >= item.at);
  return isConnected && !hasFault;
}

/** Whether the line belongs to the selected older posts. */
const isOlderPost = ({ index, rule, item }: LineContext) =>
  isSelected(rule, item.id, index.facts.endedAt - index.facts.processingMs, index.facts.endedAt);

/** Whether an unfinished or unknown send to the source can be this item. */
function canBeMatched({ index, item }: LineContext): boolean {
  return index
    .placementsOn(item.identity.id)
    .some(
      (placement) =>
        placement.kind !== 'outside' &&
        !placement.appearances.some(({ id }) => id === item.id) &&
        (!placement.isCertain || placement.appearances.length === 0) &&
        placement.queuedAt <= item.at + SAME_VIDEO_WINDOW_MS &&
        item.at <= placement.queuedAt + SAME_VIDEO_WINDOW_MS,
    );
}

const filterCheck =
  (reason: FilterReason): ReasonCheck =>
  ({ index, item, options }) =>
    ensure(
      options.some(({ filters }) =>
        item.texts.some(({ text }) => isFiltered(index, reason, filters, item, text) !== 'no'),
      ),
      'no filter of the rule refuses it',
    );

const sameVideoCheck: ReasonCheck = ({ index, rule, item, until, line }) => {
  if (line.reason === 'echo' && mayBeLimitedSend(index, item)) return null;
  const places = destinationsAt(index, rule, until).filter((id) => contains(index.connected(id), until - RACE_MS));
  const reasons = places.map((account) => reasonsToLeaveOut(index, { rule, item, account, at: until }));
  const missing = places.filter((_, i) => reasons[i]?.length === 0);
  if (missing.length > 0) return `it was not on ${missing.map((id) => index.account(id).identity).join(', ')}`;
  const isSameLineage = reasons.flat().every(({ lineage, isCertain }) => lineage === item.lineage && isCertain);
  // "`echo` is a copy by text, `already_there` the same origin."
  return line.reason === 'echo' && reasons.length > 0 && isSameLineage && item.isCertain && item.sender === rule.user
    ? 'the destinations have the same post, not a copy of it'
    : null;
};

const fileCheck: ReasonCheck = (context) => {
  const { index, rule, item, options, line } = context;
  const { faults, endedAt, outages } = index.facts;
  if (classOf(rule, item) === 'own') return 'posts made through Reelay need no download';
  const source = item.identity.id;
  const hasFault = faults.some(
    ({ identity, kind, to }) => identity === source && kind !== 'rejected' && (to ?? endedAt) >= item.at,
  );
  const isConnected = index.connected(rule.source).some(({ from, to }) => from <= item.at && to >= endedAt);
  const isUndisturbed = !hasFault && isConnected && outages.length === 0;
  if (line.reason === 'file_retry' && isUndisturbed) return 'no download can have failed';
  // The documents do not say when a download without access is given up.
  if (!isConnected) return null;
  // A download can wait for its turn in the daily limit.
  if (options.some(({ maxPerDay }) => maxPerDay !== null) || canBeFull(index, rule, 'foreign', endedAt)) return null;
  const due = latestDue(index, rule, item, line);
  const running = intersect(index.active(rule.id), index.running);
  const end = due === null ? null : stretchEnd(running, due + FILE_WAIT_MS, CHECK_MS + index.facts.processingMs);
  return end !== null && end <= endedAt ? 'a download is given up after 24 hours' : null;
};

/** One check for each documented reason. */
const CHECKS: ReadonlyMap<string, ReasonCheck> = new Map<string, ReasonCheck>([
  ['reposting', outcomeCheck((outcomes) => outcomes.some(({ kind }) => kind === 'pending'))],
  ['reposted', outcomeCheck((outcomes) => outcomes.every(({ kind }) => kind === 'public'))],
  [
    'reposted_partly',
    outcomeCheck((outcomes) => outcomes.some(({ kind }) => kind === 'public') && outcomes.some(isFailed)),
  ],
  ['repost_failed', outcomeCheck((outcomes) => outcomes.every(isFailed))],
  [
    'repost_removed',
    ({ index, rule, item }) =>
      ensure(
        index.repostsOf(rule.id, item.id).some(({ removedAt }) => removedAt !== null),
        'nobody removed the repost',
      ),
  ],
  ['undecided', (context) => ensure(!isOverdueItem(context), 'it was due long ago')],
  ['match_pending', (context) => ensure(canBeMatched(context), 'no earlier post with unknown outcome can be this one')],
  [
    'delayed',
    (context) => {
      const hasDelay = context.options.some(({ delayMinutes, jitterMinutes }) => delayMinutes + jitterMinutes > 0);
      if (!hasDelay) return 'the rule has no delay';
      return ensure(!isOverdueItem(context), 'the delay was over long ago');
    },
  ],
  [
    'quiet_hours',
    (context) => {
      const { index, rule } = context;
      const { endedAt, processingMs, clockJumps, outages } = index.facts;
      const recent = optionsBetween(rule, endedAt - processingMs, endedAt);
      if (context.options.every(({ quietHours }) => quietHours === null)) return 'the rule has no quiet hours';
      const slack = CHECK_MS + processingMs;
      const isInside = recent.some(({ quietHours }) =>
        [endedAt, endedAt - slack].some((time) => isQuiet(index.clock, quietHours, time) !== 'no'),
      );
      // After an outage or a jump, the service works off what was due.
      const wasStopped =
        outages.some(({ to }) => (to ?? endedAt) > endedAt - slack) ||
        clockJumps.some(({ at, byMs }) => at + byMs > endedAt - slack);
      const isInPause = !contains(index.active(rule.id), endedAt - slack);
      return ensure(isInside || wasStopped || isInPause, 'the quiet hours are over');
    },
  ],
  [
    'rule_daily_limit',
    (context) => {
      const { index, rule, item, options } = context;
      const { endedAt, processingMs, activity } = index.facts;
      const postClass = classOf(rule, item);
      if (postClass === null) return null;
      if (options.every((option) => limitOf(option, postClass) === null)) return 'the rule has no daily limit for it';
      // A new day begins with downloads and with items that are first in the order.
      const recent = endedAt - CHECK_MS - processingMs;
      const isNewDay = options.some(({ zone }) => index.clock.day(zone, recent) !== index.clock.day(zone, endedAt));
      const waitsForFiles = activity.some(
        (other) => other.rule === rule.id && (other.reason === 'file_fetching' || other.reason === 'file_retry'),
      );
      const canWait = isNewDay || waitsForFiles || canBeFull(index, rule, postClass, endedAt);
      return ensure(canWait || !isOverdueItem(context), 'the limit of this day is not used up');
    },
  ],
  ['back_catalog_queued', (context) => ensure(isOlderPost(context), 'it is not among the selected older posts')],
  ['back_catalog_behind', (context) => ensure(isOlderPost(context), 'it is not among the selected older posts')],
  [
    'rule_paused',
    ({ index, rule }) => {
      const { endedAt, processingMs } = index.facts;
      const spans = index.active(rule.id);
      const isActive = spans.some(({ from, to }) => from < endedAt - processingMs - CHECK_MS && to >= endedAt);
      return ensure(!isActive, 'the rule is not paused');
    },
  ],
  ['file_fetching', fileCheck],
  ['file_retry', fileCheck],
  ...FILTER_REASONS.map((reason) => [reason, filterCheck(reason)] as const),
  [
    'over_daily_limit',
    ({ index, rule, item, line, options, until }) => {
      const postClass = classOf(rule, item);
      if (postClass && options.every((option) => limitOf(option, postClass) === null)) {
        return 'the rule has no daily limit for it';
      }
      // "These days do not pass" and "they begin again" can be read as a stop or as a restart. The stop is shorter.
      const due = earliestDue(item, options);
      const waited = index
        .active(rule.id)
        .reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, until) - Math.max(from, due)), 0);
      return ensure(
        waited + RACE_MS >= LIMIT_WAIT_MS,
        `it waited for less than 3 days${line.decidedAt === null ? ' until the end' : ''}`,
      );
    },
  ],
  [
    'no_file',
    ({ index, rule, item, until }) => {
      const postClass = classOf(rule, item);
      if (postClass === 'own') return 'posts made through Reelay have their file';
      if (postClass === null || item.identity.list.mode !== 'files') return null;
      const hasFault = index.facts.faults.some(
        ({ identity, kind, from }) => identity === item.identity.id && kind === 'no_file' && from <= until,
      );
      const wasAbsent = item.changes.absent.some(({ from }) => from <= until);
      const isAway = !contains(index.connected(rule.source), until - RACE_MS);
      return ensure(hasFault || wasAbsent || isAway, 'its platform gives the file');
    },
  ],
  [
    'file_rejected',
    ({ rule, item, options }) =>
      ensure(
        classOf(rule, item) !== 'own' && options.some(({ fit }) => meetsRequirements(item, fit) !== 'yes'),
        'it meets the requirements of uploads',
      ),
  ],
  [
    'caption_too_long',
    ({ item, options }) =>
      ensure(
        options.some(({ caption }) =>
          item.texts.some(
            ({ text }) =>
              lengthOf(renderCaption(caption, { text, name: item.identity.name, url: item.appearance.url })) >
              MAX_CAPTION,
          ),
        ),
        'its caption is not too long',
      ),
  ],
  ['echo', sameVideoCheck],
  ['already_there', sameVideoCheck],
  [
    'posted_while_paused',
    ({ index, rule, item }) =>
      ensure(rule.between === 'skip' && wasInPause(index, rule, item) !== 'no', 'the rule was not paused then'),
  ],
  [
    'source_private',
    ({ index, rule, item, until }) =>
      ensure(
        isSourcePublic(index, item, rule.user) !== 'yes' || isStillPublic(index, item, until) !== 'yes',
        'it is public',
      ),
  ],
  [
    'gone',
    ({ index, rule, item, until }) => {
      const { facts } = index;
      const hidden = item.changes.audience
        .filter(({ isPublic }) => !isPublic)
        .map(({ at }): Interval => ({ from: at, to: null }));
      const canHide: Interval[] = item.startsPublic ? hidden : [{ from: item.at, to: null }, ...hidden];
      const reasons = [...item.changes.absent, ...canHide].filter(({ from }) => from <= until + RACE_MS);
      if (reasons.length === 0) return 'it was never removed';
      const returned = Math.max(...reasons.map(({ to }) => to ?? Number.POSITIVE_INFINITY));
      if (returned === Number.POSITIVE_INFINITY) return null;
      const visible = returned + item.identity.list.visibleAfterMs;
      const spans = intersect(index.checked(item.identity.id), index.active(rule.id));
      const noticed = stretchEnd(spans, visible, CHECK_MS + facts.processingMs);
      return ensure(noticed === null || noticed > facts.endedAt, 'it returned long ago');
    },
  ],
  [
    'video_removed',
    ({ item, until }) =>
      ensure(until >= item.at + RETENTION_MS - RACE_MS, 'its stored video was not due to be removed'),
  ],
]);

/** Whether the guide names the reason. */
export const isKnownReason = (reason: string) => STATUS_BY_REASON.has(reason);

/** What is wrong with a line; null if its status and its reason can be true. Unknown reasons are accepted. */
export function reasonProblem(index: FactIndex, line: ActivityLine): string | null {
  const status = STATUS_BY_REASON.get(line.reason);
  if (status === undefined) return null;
  if (status !== line.status) return `${line.reason} belongs to ${status}, not to ${line.status}`;
  const item = index.item(line.item);
  if (!item) return 'its source has no such post';
  const rule = index.rule(line.rule);
  const { endedAt, processingMs } = index.facts;
  const isReposted = index.facts.appearances.some(
    ({ by, at }) =>
      by.kind === 'repost' &&
      at < endedAt - processingMs &&
      index.repostsOf(rule.id, item.id).some(({ id }) => id === by.repost),
  );
  if (isReposted && line.status !== 'reposted') return 'the rule reposted it';
  // "New options also apply to what waits."
  const until = line.status === 'waiting' ? endedAt : (line.decidedAt ?? endedAt);
  const from = Math.min(line.seenAt, item.at) - processingMs;
  const check = CHECKS.get(line.reason);
  return check?.({ index, line, rule, item, until, options: optionsBetween(rule, from, until) }) ?? null;
}
