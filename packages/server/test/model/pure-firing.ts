/** What a rule does about one piece of content, in memory. Mirrors firing.ts, facts.ts, revise.ts, extend.ts, firing-store.ts. */
import type { WatchedPost } from '../../src/connectors/contract.ts';
import { DAY } from '../../src/lib/time.ts';
import { isSameText, SAME_WITHIN_MS } from '../../src/lineage/content.ts';
import { dayOf } from '../../src/local-time/days.ts';
import { quietUntil } from '../../src/local-time/quiet-hours.ts';
import { type Ahead, decide } from '../../src/reposts/decide.ts';
import { renderCaption } from '../../src/reposts/options/caption.ts';
import { filterProblem } from '../../src/reposts/options/filters.ts';
import { completeOptions, dailyLimit } from '../../src/reposts/options/rule-options.ts';
import type { Place } from './history.ts';
import { turnOfCatalog, wakeCatalog } from './pure-catalog.ts';
import { contentOf, formOf, isGone } from './pure-content.ts';
import { type Form, findDestinations } from './pure-copies.ts';
import { postOf, reopen, reopenLeftOut, repostOf } from './pure-firings.ts';
import type { PurePlatforms } from './pure-platform.ts';
import { insertPost, insertTargets, removePost } from './pure-posts.ts';
import type { PureStore } from './pure-store.ts';
import { due, type Firing, type Post } from './pure-tables.ts';

type Shown = ReadonlyMap<Place, readonly WatchedPost[]>;
/** `look`: the newest posts of the destinations must be read first. */
export type Fired =
  | { kind: 'none' }
  | { kind: 'wait' }
  | { kind: 'post'; post: Post }
  | { kind: 'look'; open: Place[]; sought: Sought };
interface Sought {
  texts: string[];
  at: number | null;
}

const NONE: Fired = { kind: 'none' };
const WAIT: Fired = { kind: 'wait' };

/** fire of firing.ts @param shown what the destinations show; null: not known yet */
export function fire(store: PureStore, firing: Firing, shown: Shown | null): Fired {
  const { rule } = firing;
  if (!store.rules.includes(rule)) return NONE;
  if (rule.isPaused && !store.bugs.has('pause ignored')) {
    postpone(store, firing, null, 'rule_paused');
    return NONE;
  }
  const content = contentOf(store, firing);
  const form = content && formOf(store, firing);
  const { open, copies, needsLength } = content
    ? findDestinations(store, firing, { form, content, shown })
    : { open: [], copies: [], needsLength: false };
  const options = completeOptions(rule.options);
  const limit = content && !firing.isCatalog ? dailyLimit(options, content.origin) : null;
  const day = dayAt(store.now, options.zone);
  const decision = decide({
    now: store.now,
    seenAt: firing.createdAt,
    chance: 0.5,
    byHand: false,
    pace: firing.isCatalog
      ? { ...turnOfCatalog(store, firing), everyMs: DAY / (options.backCatalog?.perDay ?? 1) }
      : null,
    options,
    content,
    openDestinations: open.length,
    copies: copies.map(String),
    needsLength,
    today:
      limit === null || store.bugs.has('limit ignored')
        ? null
        : { count: countReposts(store, firing, day.start), limit, ahead: countAhead(store, firing), endsAt: day.end },
    limitedAt: firing.limitedAt,
  });
  if (decision.then === 'wait') {
    postpone(store, firing, decision.until, decision.reason.code);
    return NONE;
  }
  if (decision.then === 'fetch') {
    requestFile(store, firing);
    postpone(store, firing, null, decision.reason.code);
    return NONE;
  }
  if (decision.then === 'repost' && form && shown === null)
    return {
      kind: 'look',
      open,
      sought: { texts: [form.text, decision.caption], at: firing.isCatalog ? null : form.at },
    };
  store.release(firing, null);
  const isSkip = decision.then === 'skip';
  Object.assign(firing, { state: isSkip ? 'skipped' : 'reposted', decidedAt: store.now, limitedAt: null });
  firing.reason = isSkip ? decision.reason.code : null;
  const post =
    decision.then === 'repost' && content ? repost(store, firing, { caption: decision.caption, form, open }) : null;
  if (firing.isCatalog) wakeCatalog(store, rule);
  return post ? { kind: 'post', post } : NONE;
}

const days = new Map<string, ReturnType<typeof dayOf>>();

/** The last day of each zone is kept, because it takes long to compute. */
function dayAt(at: number, zone: string): ReturnType<typeof dayOf> {
  const known = days.get(zone);
  const day = known && known.start <= at && at < known.end ? known : dayOf(at, zone);
  days.set(zone, day);
  return day;
}

interface Repost {
  caption: string;
  form: Form | null;
  open: readonly Place[];
}

function repost(store: PureStore, { rule, origin, content, target, watched }: Firing, { caption, form, open }: Repost) {
  const durationMs = target?.post.durationMs ?? watched?.durationMs ?? 0;
  return insertPost(
    store,
    {
      ...{ user: rule.user, origin, content, text: caption, durationMs, ruleId: rule.id },
      contentText: form?.text ?? caption,
      few: privacyOf(rule),
    },
    open,
  );
}

const privacyOf = ({ options }: Firing['rule']): Record<Place, boolean> =>
  Object.fromEntries(Object.keys(completeOptions(options).privacy).map((place) => [place, true]));

/** createFindShown of shown-on-destination.ts */
export function findShown(
  store: PureStore,
  platforms: PurePlatforms,
  { rule }: Firing,
  { open, sought: { texts, at } }: { open: readonly Place[]; sought: Sought },
): Shown {
  const isNear = (time: number) => at === null || Math.abs(time - at) <= SAME_WITHIN_MS;
  const found = open
    .filter((place) => store.isConnected(rule.user, place))
    .map((place): [Place, WatchedPost[]] => [
      place,
      platforms
        .newest(place)
        .filter(
          ({ text, publishedAt }) => isNear(publishedAt ?? store.now) && texts.some((each) => isSameText(each, text)),
        ),
    ]);
  return new Map(found);
}

/** reviseRepost of revise.ts @param shown what the destinations show; null: not known yet */
export function revise(store: PureStore, firing: Firing, shown: Shown | null): Fired {
  const post = store.rules.includes(firing.rule) ? postOf(store, firing) : undefined;
  const next = post && isRevised(store, firing) ? extend(store, firing, { post, shown }) : NONE;
  if (next.kind !== 'look' && next.kind !== 'wait') store.release(firing, null);
  return next;
}

/** revisePost @returns whether the repost may continue */
function isRevised(store: PureStore, firing: Firing): boolean {
  const { post, targets } = repostOf(store, firing) ?? { post: null, targets: [] };
  const content = contentOf(store, firing);
  const options = completeOptions(firing.rule.options);
  const isAway = content ? content.isGone : isGone(store, firing.target);
  const isFiltered = content && !firing.isCatalog && filterProblem(options.filters, content) !== null;
  if (isAway || content?.isPublic === false || isFiltered) {
    if (!post) return false;
    removePost(store, post);
    reopenLeftOut(store, targets);
    reopen(store, firing);
    return false;
  }
  if (!content || !post) return true;
  const { text } = renderCaption(options.caption, content);
  if (text === post.text) return true;
  Object.assign(post, { text, contentText: formOf(store, firing)?.text ?? content.caption });
  for (const target of targets) {
    target.text = text;
    target.version++;
  }
  return true;
}

/** extendRepost of extend.ts */
function extend(store: PureStore, firing: Firing, { post, shown }: { post: Post; shown: Shown | null }): Fired {
  const { rule } = firing;
  const form = formOf(store, firing);
  const known = form && { ...form, durationMs: post.durationMs, isMeasured: true };
  const content = { file: { state: 'stored' as const }, withoutFile: null, origin: firing.target ? 'own' : 'foreign' };
  const { open } = findDestinations(store, firing, { form: known, content, shown });
  const has = store.targets.filter((target) => target.post === post).map(({ place }) => place);
  const places = open.filter((place) => !has.includes(place));
  if (places.length === 0) return NONE;
  const quiet = quietUntil(completeOptions(rule.options).quietHours, store.now);
  if (rule.isPaused || quiet !== null) {
    store.release(firing, rule.isPaused ? null : quiet);
    firing.reason = rule.isPaused ? 'rule_paused' : 'quiet_hours';
    return WAIT;
  }
  if (form && shown === null)
    return {
      kind: 'look',
      open: places,
      sought: { texts: [form.text, post.text], at: firing.isCatalog ? null : form.at },
    };
  firing.reason = null;
  insertTargets(store, post, places, privacyOf(rule));
  return { kind: 'post', post };
}

/** postponeFiring, with dropFile */
function postpone(store: PureStore, firing: Firing, until: number | null, reason: string): void {
  store.release(firing, until);
  firing.reason = reason;
  if (reason !== 'rule_daily_limit') return;
  firing.limitedAt ??= store.now;
  const isShared = ({ watched, rule: { user }, state, limitedAt }: Firing) =>
    watched === firing.watched && user === firing.rule.user && state === 'waiting' && limitedAt === null;
  if (firing.watched && !store.firings.some(isShared))
    store.files = store.files.filter(
      ({ watched, user, state }) => watched !== firing.watched || user !== firing.rule.user || state === 'failed',
    );
}

function countReposts(store: PureStore, { rule }: Firing, since: number): number {
  return store.firings.filter(
    (each) => each.rule === rule && each.state === 'reposted' && !each.isCatalog && (each.decidedAt ?? 0) >= since,
  ).length;
}

function countAhead(store: PureStore, firing: Firing): Ahead {
  const moment = ({ watched, createdAt }: Firing) => watched?.publishedAt ?? createdAt;
  const isAhead = (each: Firing) =>
    moment(each) < moment(firing) || (moment(each) === moment(firing) && each.id < firing.id);
  const unplaced = [null, 'rule_paused', 'file_fetching'];
  const inLine = store.firings.filter(
    (each) =>
      each.rule === firing.rule &&
      each.state === 'waiting' &&
      !each.isCatalog &&
      (each.limitedAt !== null || unplaced.includes(each.reason)) &&
      isAhead(each),
  );
  return { inLine: inLine.length, limited: inLine.filter(({ limitedAt }) => limitedAt !== null).length };
}

function requestFile(store: PureStore, { watched, rule: { user } }: Firing): void {
  if (!watched || store.files.some((each) => each.watched === watched && each.user === user)) return;
  store.files.push({ ...due(store.now), watched, user, createdAt: store.now, state: 'wanted', problem: null });
}
