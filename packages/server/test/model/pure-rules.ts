/** Rules in memory, and the watches of their sources. */
import { DAY, HOUR } from '../../src/lib/time.ts';
import { closesCircle } from '../repost/rule-graph.ts';
import type { Place } from './history.ts';
import { reopenLeftOut } from './pure-firings.ts';
import { removePost } from './pure-posts.ts';
import type { PureStore } from './pure-store.ts';
import { due, hasBegun, type Rule } from './pure-tables.ts';

/** AFTER_PAUSE of watch-store.ts. */
const AFTER_PAUSE_MS = 48 * HOUR;
/** ACTIVITY_DAYS of rows.ts. */
const ACTIVITY_DAYS = 90;

/** addRule of service.ts */
export function addRule(store: PureStore, rule: Pick<Rule, 'user' | 'from' | 'to' | 'options'>): Rule | null {
  const mine = store.rules.filter(({ user }) => user === rule.user);
  const edges = mine.flatMap(({ from, to }) => to.map((each) => ({ from: String(from), to: String(each) })));
  if (closesCircle(edges, String(rule.from), rule.to.map(String))) return null;
  if (mine.some(({ from, to }) => from === rule.from && to.some((each) => rule.to.includes(each)))) return null;
  const intervals = [{ from: store.now, to: null }];
  const made = { ...rule, id: store.id(), createdAt: store.now, isPaused: false, intervals };
  store.rules.push(made);
  startWatches(store);
  return made;
}

/** pauseRule of service.ts @returns whether it changed */
export function pauseRule(store: PureStore, rule: Rule, isPaused: boolean): boolean {
  if (rule.isPaused === isPaused || !store.rules.includes(rule)) return false;
  rule.isPaused = isPaused;
  const open = rule.intervals.at(-1);
  if (isPaused && open) open.to = store.now;
  if (isPaused) return true;
  rule.intervals.push({ from: store.now, to: null });
  // wakeFirings
  if (!store.bugs.has('no wake on resume'))
    for (const firing of store.firings)
      if (firing.rule === rule && firing.dueAt === null && (firing.state === 'waiting' || isPostponed(firing))) {
        firing.dueAt = store.now;
        if (firing.limitedAt !== null) firing.limitedAt = store.now;
      }
  startWatches(store);
  return true;
}

/** Whether a repost is extended when its rule is resumed. */
const isPostponed = ({ state, reason }: PureStore['firings'][number]) => state === 'reposted' && reason !== null;

/** deleteRule with removeUnbegun */
export function deleteRule(store: PureStore, rule: Rule): void {
  store.rules = store.rules.filter((each) => each !== rule);
  store.firings = store.firings.filter((each) => each.rule !== rule);
  for (const post of store.posts.filter(({ ruleId }) => ruleId === rule.id)) {
    const targets = store.targets.filter((target) => target.post === post);
    if (hasBegun(targets) || targets.every(({ dueAt }) => dueAt === null)) continue;
    removePost(store, post);
    if (!store.bugs.has('skipped repost lost with a rule')) reopenLeftOut(store, targets);
  }
}

/** WANTED of watch-store.ts: the rules that need the posts of a place, and since when. */
function wanted(store: PureStore, place: Place): { rule: Rule; since: number }[] {
  return store.rules
    .filter((rule) => rule.from === place)
    .flatMap((rule) => rule.intervals.map((interval) => ({ rule, ...interval })))
    .filter(({ to }) => to === null || to > store.now - AFTER_PAUSE_MS)
    .map(({ rule, from }) => ({ rule, since: from }));
}

export const isWanted = (store: PureStore, place: Place) => wanted(store, place).length > 0;

/** findReaders of watch-store.ts */
export const hasReader = (store: PureStore, place: Place) =>
  wanted(store, place).some(({ rule }) => store.isConnected(rule.user, place));

/** startWatches of watch-store.ts */
export function startWatches(store: PureStore): void {
  for (const place of new Set(store.rules.map(({ from }) => from))) {
    const old = store.watches.get(place);
    if (!isWanted(store, place) || (old && (old.dueAt !== null || old.leaseUntil !== null))) continue;
    const beganAt = Math.min(...wanted(store, place).map(({ since }) => since));
    const { mark = null, version = 0, fence = 0, recent = [] } = old ?? {};
    store.watches.set(place, { ...due(store.now), place, mark, version, recent, fence, beganAt, checkedAt: null });
  }
}

/** sweepActivity of rows.ts */
export function sweepActivity(store: PureStore): void {
  const since = store.now - ACTIVITY_DAYS * DAY;
  store.firings = store.firings.filter(({ decidedAt }) => decidedAt === null || decidedAt >= since);
  const isKept = (post: PureStore['watched'][number]) =>
    post.foundAt >= since || post.state === 'new' || store.firings.some(({ watched }) => watched === post);
  store.watched = store.watched.filter(isKept);
  store.files = store.files.filter(({ watched }) => store.watched.includes(watched));
}
