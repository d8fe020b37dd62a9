/**
 * The service's tables and transactions in memory, as far as reposting needs them. Each transaction is one call. What
 * production decides in TypeScript is called; what it decides in SQL is mirrored, with the name of that SQL.
 */
import { compareContent, hasText, SAME_WITHIN_MS } from '../../src/lineage/content.ts';
import { FIRING_DAYS } from '../../src/lineage/firings.ts';
import { type Match, matchPost } from '../../src/lineage/match.ts';
import { type Ahead, decide } from '../../src/reposts/decide.ts';
import { renderCaption } from '../../src/reposts/options/caption.ts';
import { completeOptions, dailyLimit } from '../../src/reposts/options/rule-options.ts';
import { dayOf } from '../../src/reposts/options/timing.ts';
import { DAY, HOUR } from '../../src/time.ts';
import { closesCircle } from '../repost/rule-graph.ts';
import type { Place, User } from './history.ts';
import { DURATION_MS, foreignContent, isGone, ownContent } from './pure-content.ts';
import {
  type Bug,
  type Due,
  due,
  type Firing,
  type Placement,
  type Post,
  type Rule,
  type SourceFile,
  type Target,
  type Watch,
  type Watched,
} from './pure-tables.ts';

/** AFTER_PAUSE of watch-store.ts. */
const AFTER_PAUSE_MS = 48 * HOUR;

export class PureStore {
  now: number;
  readonly bugs: ReadonlySet<Bug>;
  rules: Rule[] = [];
  posts: Post[] = [];
  targets: Target[] = [];
  placements: Placement[] = [];
  watches = new Map<Place, Watch>();
  watched: Watched[] = [];
  files: SourceFile[] = [];
  firings: Firing[] = [];
  /** Called with each decision of a match. */
  onMatch: (match: Match['kind']) => void = () => {};
  #ids = 0;

  constructor(now: number, bugs: readonly Bug[] = []) {
    this.now = now;
    this.bugs = new Set(bugs);
  }

  id(): number {
    this.#ids++;
    return this.#ids;
  }

  /** dueRows().claim */
  claim<R extends Due>(rows: Iterable<R>, leaseMs: number): { row: R; fence: number } | null {
    const ready = [...rows].filter(
      (row) => row.dueAt !== null && row.dueAt <= this.now && (row.leaseUntil === null || row.leaseUntil <= this.now),
    );
    const row = ready.sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))[0];
    if (!row) return null;
    row.leaseUntil = this.now + leaseMs;
    row.fence++;
    row.attempts++;
    return { row, fence: row.fence };
  }

  holds({ row, fence }: { row: Due; fence: number }): boolean {
    return this.bugs.has('no fencing token') || (row.fence === fence && row.leaseUntil !== null);
  }

  release(row: Due, dueAt: number | null, failed = false): void {
    row.leaseUntil = null;
    row.dueAt = dueAt;
    if (!failed) row.attempts = 0;
  }

  /** addRule of service.ts */
  addRule(rule: Pick<Rule, 'user' | 'from' | 'to' | 'options'>): Rule | null {
    const mine = this.rules.filter(({ user }) => user === rule.user);
    const edges = mine.flatMap(({ from, to }) => to.map((each) => ({ from: String(from), to: String(each) })));
    if (closesCircle(edges, String(rule.from), rule.to.map(String))) return null;
    if (mine.some(({ from, to }) => from === rule.from && to.some((each) => rule.to.includes(each)))) return null;
    const intervals = [{ from: this.now, to: null }];
    const made = { ...rule, id: this.id(), createdAt: this.now, isPaused: false, intervals };
    this.rules.push(made);
    this.startWatches();
    return made;
  }

  pause(rule: Rule, isPaused: boolean): boolean {
    if (rule.isPaused === isPaused || !this.rules.includes(rule)) return false;
    rule.isPaused = isPaused;
    const open = rule.intervals.at(-1);
    if (isPaused && open) open.to = this.now;
    if (isPaused) return true;
    rule.intervals.push({ from: this.now, to: null });
    // wakeFirings
    if (!this.bugs.has('no wake on resume'))
      for (const firing of this.firings)
        if (firing.rule === rule && firing.state === 'waiting' && firing.dueAt === null) {
          firing.dueAt = this.now;
          if (firing.limitedAt !== null) firing.limitedAt = this.now;
        }
    this.startWatches();
    return true;
  }

  /** deleteRule with removeUnbegun */
  deleteRule(rule: Rule): void {
    this.rules = this.rules.filter((each) => each !== rule);
    this.firings = this.firings.filter((each) => each.rule !== rule);
    for (const post of this.posts.filter(({ ruleId }) => ruleId === rule.id)) {
      const targets = this.targets.filter((target) => target.post === post);
      const begun = targets.some(({ state, begun: has }) => has || (state !== 'scheduled' && state !== 'failed'));
      if (begun || targets.every(({ dueAt }) => dueAt === null)) continue;
      this.removePost(post);
      if (!this.bugs.has('skipped repost lost with a rule')) this.#reopenSkipped(targets);
    }
  }

  /** reopenSkipped of firings.ts */
  #reopenSkipped(deleted: readonly Target[]): void {
    const queued = deleted.filter(({ dueAt }) => dueAt !== null);
    for (const firing of this.firings) {
      if (firing.state !== 'skipped' || !['already_there', 'echo'].includes(firing.reason ?? '')) continue;
      if (!queued.some(({ origin, place }) => origin === firing.origin && firing.rule.to.includes(place))) continue;
      Object.assign(firing, { state: 'waiting', reason: null, decidedAt: null, dueAt: this.now });
    }
  }

  /** reopenAfterFailure of firings.ts */
  reopenAfterFailure({ origin, place, code }: Target): void {
    if (code === 'outcome_unknown' || this.bugs.has('failed repost keeps its account')) return;
    for (const firing of this.firings) {
      if (firing.state !== 'skipped' || !['already_there', 'echo'].includes(firing.reason ?? '')) continue;
      if (firing.origin !== origin || !firing.rule.to.includes(place)) continue;
      Object.assign(firing, { state: 'waiting', reason: null, decidedAt: null, dueAt: this.now });
    }
  }

  /** OF_FOUND of firings.ts */
  #firingsOf({ place, origin }: Watched): Firing[] {
    return this.firings.filter((each) => each.rule.from === place && each.origin === origin);
  }

  /** reopenGone of firings.ts */
  reopenGone(watched: Watched): void {
    this.files = this.files.filter((file) => file.watched !== watched || file.state !== 'failed');
    for (const firing of this.#firingsOf(watched))
      if (firing.state === 'skipped' && firing.reason === 'gone')
        Object.assign(firing, { state: 'waiting', reason: null, decidedAt: null, dueAt: this.now });
  }

  /** reviseReposts of firings.ts */
  reviseReposts(watched: Watched): void {
    for (const firing of this.#firingsOf(watched))
      if (firing.state === 'reposted' && this.#repostOf(firing)) firing.dueAt = this.now;
  }

  /** The repost of a firing, if none of its targets has begun. */
  #repostOf({ rule, origin }: Firing): { post: Post; targets: Target[] } | null {
    const post = this.posts.find((each) => each.ruleId === rule.id && each.origin === origin);
    const targets = this.targets.filter((target) => target.post === post);
    const begun = targets.some(({ state, begun: has }) => has || (state !== 'scheduled' && state !== 'failed'));
    return post && !begun && targets.some(({ state }) => state === 'scheduled') ? { post, targets } : null;
  }

  /** reviseRepost of revise.ts */
  revise(firing: Firing): void {
    this.release(firing, null);
    const repost = this.rules.includes(firing.rule) ? this.#repostOf(firing) : null;
    if (!repost) return;
    const { post, targets } = repost;
    const content = firing.target ? ownContent(this, firing) : foreignContent(this, firing);
    if (content?.isGone || content?.isPublic === false || (!content && isGone(this, firing.target))) {
      this.removePost(post);
      this.#reopenSkipped(targets);
      Object.assign(firing, { state: 'waiting', reason: null, decidedAt: null, dueAt: this.now });
      return;
    }
    if (!content) return;
    post.text = renderCaption(completeOptions(firing.rule.options).caption, content).text;
    for (const target of targets) target.version++;
  }

  removePost(post: Post): void {
    this.posts = this.posts.filter((each) => each !== post);
    this.targets = this.targets.filter((each) => each.post !== post);
  }

  /** removePost of change.ts @returns false if a target is not final */
  deletePost(post: Post): boolean {
    const targets = this.targets.filter((target) => target.post === post);
    if (targets.some(({ dueAt }) => dueAt !== null)) return false;
    // copyToFirings
    for (const firing of this.firings)
      if (firing.state === 'waiting' && firing.target?.post === post) firing.copy = post;
    // placeUnproven
    for (const { id, place, origin, state, code } of targets)
      if (state === 'failed' && code === 'outcome_unknown')
        this.placements.push({
          ...{ origin, place, targetId: id, user: post.user, text: post.text },
          remoteId: null,
          publishedAt: this.now,
        });
    this.removePost(post);
    if (this.bugs.has('placement forgotten with its post'))
      this.placements = this.placements.filter(({ targetId }) => !targets.some(({ id }) => id === targetId));
    return true;
  }

  /** WANTED of watch-store.ts */
  #wanted(place: Place): number[] {
    return this.rules
      .filter((rule) => rule.from === place)
      .flatMap(({ intervals }) => intervals)
      .filter(({ to }) => to === null || to > this.now - AFTER_PAUSE_MS)
      .map(({ from }) => from);
  }

  isWanted(place: Place): boolean {
    return this.#wanted(place).length > 0;
  }

  startWatches(): void {
    for (const place of new Set(this.rules.map(({ from }) => from))) {
      const old = this.watches.get(place);
      if (!this.isWanted(place) || (old && (old.dueAt !== null || old.leaseUntil !== null))) continue;
      const beganAt = Math.min(...this.#wanted(place));
      const { mark = null, version = 0, fence = 0, recent = [] } = old ?? {};
      this.watches.set(place, { ...due(this.now), place, mark, version, recent, fence, beganAt, checkedAt: null });
    }
  }

  /** addFirings and addFiringsOfWatched of firings.ts @param moment ms since the epoch */
  addFirings(
    rules: readonly Rule[],
    of: Pick<Firing, 'origin' | 'content' | 'target' | 'watched'>,
    moment: number,
  ): void {
    const at = Math.min(moment, this.now);
    const inclusive = this.bugs.has('interval off by one');
    for (const rule of rules) {
      if (this.firings.some((firing) => firing.rule === rule && firing.origin === of.origin)) {
        if (!this.bugs.has('duplicate firing')) continue;
      }
      const isActive =
        this.bugs.has('pause ignored') ||
        rule.intervals.some(({ from, to }) => from <= at && (to === null || to > at || (inclusive && to === at)));
      if (!isActive && at < rule.createdAt) continue;
      if (at <= this.now - FIRING_DAYS * DAY) continue;
      this.firings.push({
        ...due(this.now),
        ...of,
        id: this.id(),
        rule,
        copy: null,
        state: isActive ? 'waiting' : 'skipped',
        reason: isActive ? null : 'posted_while_paused',
        createdAt: this.now,
        dueAt: isActive ? this.now : null,
        decidedAt: isActive ? null : this.now,
        limitedAt: null,
      });
    }
  }

  /** claimPlacement and addFirings, as in posted.ts and evidence-store.ts */
  posted(target: Target, remoteId: string, publishedAt: number, late = false): void {
    const { place, origin, post } = target;
    Object.assign(target, { state: 'posted', dueAt: null, code: null, settledAt: this.now, remoteId, publishedAt });
    target.version++;
    const taken = this.placements.some((p) => p.place === place && p.remoteId === remoteId && p.targetId !== target.id);
    if (taken) {
      target.remoteId = null;
      return;
    }
    this.placements = this.placements.filter(({ targetId }) => targetId !== target.id);
    this.placements.push({
      ...{ origin, place, remoteId, publishedAt },
      targetId: target.id,
      user: post.user,
      text: post.text,
    });
    if (late && this.bugs.has('late proof fires no rules')) return;
    const rules = this.rules.filter(({ user, from }) => user === post.user && from === place);
    const moment = Math.max(publishedAt, target.committedAt ?? 0);
    this.addFirings(rules, { origin, content: post.content, target, watched: null }, moment);
  }

  /** readMatchFacts and matchPost */
  match(found: Watched): Match {
    const { place, remoteId, publishedAt, text } = found;
    const known = this.placements.find((p) => p.place === place && p.remoteId === remoteId);
    const unproven = this.targets.filter(
      ({ place: on, committedAt, state, code, settledAt }) =>
        on === place &&
        committedAt !== null &&
        (['committing', 'unknown'].includes(state) ||
          (code === 'outcome_unknown' && (settledAt ?? 0) > this.now - SAME_WITHIN_MS)),
    );
    const nameless = this.placements.filter(
      (p) => p.place === place && p.remoteId === null && Math.abs(p.publishedAt - publishedAt) <= SAME_WITHIN_MS,
    );
    const isBlind = this.bugs.has('no hold while unknown');
    const match = matchPost({
      post: { publishedAt, text, durationMs: DURATION_MS },
      known: known ? { ...nameOf(known), isOurs: known.targetId !== null } : null,
      unproven: unproven.flatMap(({ id, state, committedAt, post }) => {
        const outcome = state === 'failed' ? 'gaveUp' : 'open';
        if (isBlind && outcome === 'open') return [];
        return [{ id: String(id), outcome, committedAt, text: post.text, durationMs: DURATION_MS }];
      }),
      nameless: nameless.map((p) => ({
        ...{
          originId: String(p.origin),
          placementId: String(this.placements.indexOf(p)),
          text: p.text,
          durationMs: DURATION_MS,
        },
      })),
    });
    this.onMatch(match.kind);
    return match;
  }

  /** record of match-posts.ts */
  record(found: Watched, match: Match): void {
    if (match.kind === 'wait' || match.kind === 'proof') return;
    const { place, remoteId, text, publishedAt, content } = found;
    const known = match.kind === 'known' ? match : match.kind === 'named' ? { ...match.post, isOurs: true } : null;
    if (match.kind === 'named') {
      const named = this.placements[Number(match.post.placementId)];
      if (named) named.remoteId = remoteId;
    }
    const origin = known ? Number(known.originId) : this.id();
    this.release(found, null);
    found.origin = origin;
    found.state = known ? (known.isOurs ? 'own' : 'foreign') : match.kind === 'foreign' ? 'foreign' : 'echo';
    if (!known) this.placements.push({ origin, place, remoteId, text, publishedAt, targetId: null, user: null });
    if (match.kind === 'known' && match.isOurs && match.userId === null) return;
    const isOwner = (user: User) =>
      match.kind === 'known' && String(user) === match.userId && !this.bugs.has('duplicate firing');
    const rules = this.rules.filter(({ user, from }) => from === place && !isOwner(user));
    this.addFirings(rules, { origin, content, target: null, watched: found }, publishedAt);
  }

  /** HAS_CONTENT of occupancy.ts */
  #hasContent(origin: number, place: Place): boolean {
    const occupies = ({ state, code }: Target) =>
      state !== 'failed' || code === 'outcome_unknown' || this.bugs.has('failed repost keeps its account');
    return (
      this.targets.some((t) => t.origin === origin && t.place === place && occupies(t)) ||
      this.placements.some((p) => p.origin === origin && p.place === place)
    );
  }

  /** findCandidates of copies.ts, and the verdict */
  #copyOn(place: Place, origin: number, text: string, at: number): number | undefined {
    if (this.bugs.has('no echo') || !hasText(text)) return undefined;
    const form = (of: string) => ({ text: of, durationMs: DURATION_MS, isMeasured: true });
    const places = [0, 1, 2, 3].filter((each) => this.#hasContent(origin, each));
    const isQueuedIgnored = this.bugs.has('queued copies ignored');
    const rows = [
      ...this.placements.map((p) => ({ ...p, at: p.publishedAt })),
      ...this.targets
        .filter(({ state, origin: o, place: on }) => state !== 'posted' && !isQueuedIgnored && this.#hasContent(o, on))
        .filter(({ state, code }) => state !== 'failed' || code === 'outcome_unknown')
        .map((t) => ({ ...t, text: t.post.text, at: this.now })),
    ].sort((a, b) => a.at - b.at);
    return rows.find(
      (each) =>
        each.place === place &&
        Math.abs(each.at - at) <= SAME_WITHIN_MS &&
        compareContent(form(each.text), form(text)) === 'same' &&
        !places.some((mine) => this.#hasContent(each.origin, mine)),
    )?.origin;
  }

  /** joinOrigins of origins.ts */
  #join(from: number, into: number): void {
    const rows = [...this.targets, ...this.placements, ...this.watched, ...this.firings, ...this.posts];
    for (const row of rows) if (row.origin === from) row.origin = into;
  }

  /** fire of firing.ts @returns a new repost */
  fire(firing: Firing): Post | null {
    const { rule, target } = firing;
    if (!this.rules.includes(rule)) return null;
    if (rule.isPaused && !this.bugs.has('pause ignored')) {
      this.#postpone(firing, null, 'rule_paused');
      return null;
    }
    const content = target ? ownContent(this, firing) : foreignContent(this, firing);
    const isOpen = (place: Place) => this.bugs.has('no unique lineage') || !this.#hasContent(firing.origin, place);
    const at = firing.target?.publishedAt ?? firing.watched?.publishedAt ?? firing.createdAt;
    const copies: string[] = [];
    for (const place of rule.to) {
      const into = content && isOpen(place) ? this.#copyOn(place, firing.origin, content.caption, at) : undefined;
      if (into === undefined) continue;
      copies.push(String(place));
      this.#join(firing.origin, into);
    }
    const open = rule.to.filter(isOpen);
    const options = completeOptions(rule.options);
    const limit = content && dailyLimit(options, content.origin);
    const day = dayOf(this.now, options.zone);
    const count = this.firings.filter(
      (each) => each.rule === rule && each.state === 'reposted' && (each.decidedAt ?? 0) >= day.start,
    ).length;
    const decision = decide({
      now: this.now,
      seenAt: firing.createdAt,
      chance: 0.5,
      byHand: false,
      pace: null,
      options,
      content,
      openDestinations: open.length,
      copies,
      needsLength: false,
      today:
        limit === null || this.bugs.has('limit ignored')
          ? null
          : { count, limit, ahead: this.#countAhead(firing), endsAt: day.end },
      limitedAt: firing.limitedAt,
    });
    if (decision.then === 'wait') this.#postpone(firing, decision.until, decision.reason.code);
    else if (decision.then === 'fetch') {
      this.#requestFile(firing);
      this.#postpone(firing, null, decision.reason.code);
    } else {
      this.release(firing, null);
      const isSkip = decision.then === 'skip';
      Object.assign(firing, { state: isSkip ? 'skipped' : 'reposted', decidedAt: this.now, limitedAt: null });
      firing.reason = isSkip ? decision.reason.code : null;
      if (!isSkip) {
        const { origin, content: shown } = firing;
        return this.insertPost(
          { user: rule.user, origin, content: shown, text: decision.caption, ruleId: rule.id },
          open,
        );
      }
    }
    return null;
  }

  #postpone(firing: Firing, until: number | null, reason: string): void {
    this.release(firing, until);
    firing.reason = reason;
    if (reason !== 'rule_daily_limit') return;
    firing.limitedAt ??= this.now;
    // dropFile
    const isShared = ({ watched, rule: { user }, state, limitedAt }: Firing) =>
      watched === firing.watched && user === firing.rule.user && state === 'waiting' && limitedAt === null;
    if (firing.watched && !this.firings.some(isShared))
      this.files = this.files.filter(
        ({ watched, user, state }) => watched !== firing.watched || user !== firing.rule.user || state === 'failed',
      );
  }

  /** countAhead of firing-store.ts */
  #countAhead(firing: Firing): Ahead {
    const moment = ({ watched, createdAt }: Firing) => watched?.publishedAt ?? createdAt;
    const isAhead = (each: Firing) =>
      moment(each) < moment(firing) || (moment(each) === moment(firing) && each.id < firing.id);
    const unplaced = [null, 'rule_paused', 'file_fetching'];
    const inLine = this.firings.filter(
      (each) =>
        each.rule === firing.rule &&
        each.state === 'waiting' &&
        (each.limitedAt !== null || unplaced.includes(each.reason)) &&
        isAhead(each),
    );
    return { inLine: inLine.length, limited: inLine.filter(({ limitedAt }) => limitedAt !== null).length };
  }

  #requestFile({ watched, rule: { user } }: Firing): void {
    if (!watched || this.files.some((each) => each.watched === watched && each.user === user)) return;
    this.files.push({ ...due(this.now), watched, user, state: 'wanted' });
  }

  /** finishFile and failFile */
  finishFile(file: SourceFile, state: 'stored' | 'failed'): void {
    this.release(file, null);
    file.state = state;
    for (const firing of this.firings)
      if (firing.watched === file.watched && firing.rule.user === file.user && firing.state === 'waiting')
        firing.dueAt ??= this.now;
  }

  insertPost(given: Omit<Post, 'id' | 'origin'> & { origin?: number }, places: readonly Place[]): Post {
    const id = this.id();
    const post = { ...given, id, origin: given.origin ?? id };
    this.posts.push(post);
    for (const place of places) {
      // target_lineage
      const isTaken = this.#hasContent(post.origin, place);
      if (isTaken && !this.bugs.has('no unique lineage')) throw new Error('The unique lineage is violated.');
      this.targets.push({
        ...{ id: this.id(), post, place, origin: post.origin, state: 'scheduled', dueAt: this.now, begun: false },
        ...{ committedAt: null, unknownSince: null, code: null, settledAt: null, remoteId: null, publishedAt: null },
        version: 0,
      });
    }
    return post;
  }
}

const nameOf = ({ origin, user }: Placement) => ({
  originId: String(origin),
  userId: user === null ? null : String(user),
});
