/** Runs a history on production's pure functions, with tables, platforms and workers in memory. */
import { DAY, HOUR, MINUTE } from '../../src/lib/time.ts';
import { countConstellations } from './constellations.ts';
import type { Facts, Line, ModelRule } from './facts.ts';
import { type Command, type History, type Job, type Length, type Place, SAME, type Words } from './history.ts';
import { setStatus } from './pure-accounts.ts';
import { selectCatalog } from './pure-catalog.ts';
import { runFile } from './pure-files.ts';
import { findShown, fire, revise } from './pure-firing.ts';
import { appearanceOf, type Item, LISTS, PurePlatforms } from './pure-platform.ts';
import { deletePost, insertPost } from './pure-posts.ts';
import { PurePublisher, type Sending } from './pure-publisher.ts';
import { addRule, deleteRule, pauseRule, startWatches, sweepActivity } from './pure-rules.ts';
import { PureStore } from './pure-store.ts';
import type { Bug, Due, Firing, Rule, Target, Watched } from './pure-tables.ts';
import { checkWatch, matchWatched, readCatalog } from './pure-watcher.ts';
import { judge, mayAdd } from './reference.ts';
import { createStepper, type Gate, type Stepper } from './stepper.ts';

/** Counts of what happened, by name. */
export type Figures = Record<string, number>;

const START = Date.UTC(2026, 0, 15, 9, 30);
const LEASE_MS = MINUTE;
/** Maximum time that a history's commands take, so that watches outlive pauses. */
const MAX_SPAN_MS = 30 * HOUR;
const RETENTION_MS = 91 * DAY;
const LENGTHS: Readonly<Record<Length, number>> = { usual: 6_040, near: 6_340, long: 7_400 };
const JOBS: readonly Job[] = ['publish', 'watch', 'match', 'file', 'fire'];

/** @returns contradictions to the reference model; or an empty list */
export async function runPure(
  history: History,
  { bugs = [], figures = {} }: { bugs?: readonly Bug[]; figures?: Figures } = {},
) {
  return new PureRun(bugs, figures).run(history);
}

class PureRun {
  readonly #store: PureStore;
  readonly #platforms: PurePlatforms;
  readonly #publisher: PurePublisher;
  readonly #rules: { model: ModelRule; row: Rule }[] = [];
  readonly #failures: Facts['failures'][number][] = [];
  readonly #withdrawn: { content: number; on: Place }[] = [];
  readonly #removed: { content: number; rule: number }[] = [];
  readonly #pending: { on: Place; texts: string[]; at: number }[] = [];
  /** When the entry of each target was made, and the index of its rule. */
  readonly #made = new Map<number, { rule: number; at: number }>();
  #jump: Facts['jump'] = null;
  #endOfSpan = START + MAX_SPAN_MS;
  readonly #stalled: Stepper[] = [];
  readonly #figures: Figures;
  readonly #findings: string[] = [];
  #contents = 0;

  constructor(bugs: readonly Bug[], figures: Figures) {
    this.#store = new PureStore(START, bugs);
    this.#platforms = new PurePlatforms(() => this.#store.now);
    this.#publisher = new PurePublisher(this.#store, this.#platforms);
    this.#store.onFailed = (target) => this.#fail(target);
    this.#publisher.onSent = (item) => this.#share(item);
    this.#figures = figures;
    this.#store.onMatch = (kind) => this.#count(`match ${kind}`);
  }

  async run(history: History): Promise<string[]> {
    for (const command of history) {
      this.#store.now++;
      this.#count(command.do === 'run' ? `run ${command.job}` : command.do);
      await this.#execute(command);
    }
    await this.#finish();
    // Workers that were asleep continue as if nothing had happened.
    for (const job of this.#stalled) while (await job.step());
    await this.#finish();
    this.#count('histories');
    const facts = this.#facts();
    for (const [name, count] of Object.entries(countConstellations(facts, history)))
      this.#count(`constellation: ${name}`, count);
    return [...this.#findings, ...judge(facts)];
  }

  #count(name: string, by = 1): void {
    this.#figures[name] = (this.#figures[name] ?? 0) + by;
  }

  async #execute(command: Command): Promise<void> {
    const store = this.#store;
    const at = <T>(list: readonly T[], index: number) => list.at(index % Math.max(1, list.length));
    switch (command.do) {
      case 'addRule':
        return this.#addRule(command);
      case 'pause':
      case 'resume': {
        const rule = at(this.#rules, command.rule);
        if (!rule || !pauseRule(store, rule.row, command.do === 'pause')) return;
        const open = rule.model.active.at(-1);
        if (command.do === 'resume') rule.model.active.push({ from: store.now, to: null });
        else if (open) open.to = store.now;
        return;
      }
      case 'deleteRule': {
        const rule = at(this.#rules, command.rule);
        if (rule) this.#change(() => deleteRule(store, rule.row));
        return;
      }
      case 'account':
        return this.#change(() => setStatus(store, command.user, command.on, command.is));
      case 'audience':
        store.account(command.user, command.on).few = command.few;
        return;
      case 'post':
        return this.#post(command);
      case 'deletePost': {
        const post = at(store.posts, command.post);
        if (post && deletePost(store, post) && post.ruleId !== null)
          this.#removed.push({
            content: post.content,
            rule: this.#rules.findIndex(({ row }) => row.id === post.ruleId),
          });
        return;
      }
      case 'phone': {
        const { on, words, age = 0, hidden, isPrivate = false, length = 'usual' } = command;
        const content = this.#contents++;
        const post = { on, content, text: textOf(words, content), isPublic: !isPrivate, lengthMs: LENGTHS[length] };
        this.#publish({ ...post, ...BY_PHONE }, { at: store.now - age, hidden });
        return;
      }
      case 'burst':
        for (let left = command.count; left > 0; left--) {
          const content = this.#contents++;
          store.now++;
          const post = { on: command.on, content, text: textOf('own', content), isPublic: true };
          this.#platforms.publish({ ...post, lengthMs: LENGTHS.usual, ...BY_PHONE }, { at: store.now });
        }
        return;
      case 'mirror': {
        const item = at(this.#platforms.items, command.item);
        if (item && item.removedAt === null) this.#copy(item, command.on, command.length && LENGTHS[command.length]);
        return;
      }
      case 'share':
        if (command.from !== command.to) this.#platforms.shares.set(command.from, command.to);
        return;
      case 'edit': {
        const item = at(this.#platforms.items, command.item);
        if (item?.by !== 'phone') return;
        item.oldTexts.push(item.text);
        item.text = `Edited ${item.content}`;
        return;
      }
      case 'remove': {
        const item = at(this.#platforms.items, command.item);
        // If it is removed before we know it is ours, nobody can tell it from a later post with its text.
        if (item && (!item.text.startsWith(SAME) || item.knownAt !== null)) item.removedAt ??= store.now;
        return;
      }
      case 'restore': {
        const item = at(this.#platforms.items, command.item);
        if (item && item.removedAt !== null) Object.assign(item, { removedAt: null, wasAway: true });
        return;
      }
      case 'reveal':
      case 'hide': {
        const item = at(this.#platforms.items, command.item);
        const isPublic = command.do === 'reveal';
        if (item && item.isPublic !== isPublic) Object.assign(item, { isPublic, isMixed: true });
        return;
      }
      case 'select':
        return this.#select(command);
      case 'retention':
        if (this.#jump) return;
        this.#jump = { at: store.now, lines: store.firings.map(this.#lineOf) };
        store.now += RETENTION_MS;
        this.#endOfSpan += RETENTION_MS;
        sweepActivity(store);
        return;
      case 'advance':
        store.now = Math.min(store.now + command.ms, Math.max(store.now, this.#endOfSpan));
        return;
      case 'settle':
        return this.#settle();
      case 'run': {
        const job = this.#start(command.job, command.on, command);
        if (!job) return;
        for (let step = 0; command.end === 'done' || step <= command.steps; step++) {
          store.now++;
          if (!(await job.step())) return;
        }
        this.#count(command.end);
        if (command.end === 'stall') this.#stalled.push(job);
        return;
      }
      case 'go': {
        const job = at(this.#stalled, command.stalled);
        for (let step = 0; job && step < command.steps; step++) {
          store.now++;
          if (await job.step()) continue;
          this.#stalled.splice(this.#stalled.indexOf(job), 1);
          return;
        }
      }
    }
  }

  #addRule({ user, from, to, perDay, delay, options: more }: Extract<Command, { do: 'addRule' }>): void {
    const models = this.#rules.map(({ model }) => model);
    if ([from, ...to].some((place) => !this.#store.isConnected(user, place))) return;
    const options = { ...more, ...(perDay && { maxPerDay: perDay }), ...(delay && { delayMinutes: delay / MINUTE }) };
    const row = addRule(this.#store, { user, from, to, options });
    if ((row !== null) !== mayAdd(models, user, from, to))
      this.#findings.push(`adding ${from} to ${to}: ${row !== null}`);
    if (!row) return;
    const addedAt = this.#store.now;
    const model = {
      ...{ user, from, to, addedAt, deletedAt: null, perDay: perDay ?? null, options },
      active: [{ from: addedAt, to: null }],
    };
    this.#rules.push({ model, row });
  }

  /** Notes what a change does to rules and their queued reposts. */
  #change(change: () => void): void {
    const store = this.#store;
    const before = store.targets;
    change();
    for (const { model, row } of this.#rules) {
      if (!store.rules.includes(row)) model.deletedAt ??= store.now;
      else if (row.to !== model.to)
        Object.assign(model, { formerTo: [...(model.formerTo ?? []), ...model.to], to: row.to });
      if (!store.isConnected(model.user, model.from)) model.wasBlind = true;
    }
    for (const target of before) {
      if (store.targets.includes(target) || target.state === 'failed') continue;
      if (target.dueAt !== null) this.#withdrawn.push({ content: target.post.content, on: target.place });
    }
  }

  #post({ user, to: given, words, length = 'usual', captions, few }: Extract<Command, { do: 'post' }>): void {
    const store = this.#store;
    const to = given.filter((place) => store.isConnected(user, place));
    const content = this.#contents++;
    const text = textOf(words, content);
    const by = <T>(value: (place: Place) => T) => Object.fromEntries(to.map((place) => [place, value(place)]));
    insertPost(
      store,
      {
        ...{ user, content, text, contentText: null, durationMs: LENGTHS[length], ruleId: null },
        ...(captions && { captions: by((place) => captionOf(text || `Clip ${content}`, place)) }),
        ...(few !== undefined && { few: by(() => few) }),
      },
      to,
    );
  }

  /** Publishes what a phone posts, and what its platform shares. */
  #publish(...given: Parameters<PurePlatforms['publish']>): void {
    this.#share(this.#platforms.publish(...given));
  }

  #share(item: Item): void {
    const on = this.#platforms.shares.get(item.on);
    if (on === undefined) return;
    // Rules and shares may post in a circle, up to the daily limit.
    const reaches = (at: Place, seen: readonly Place[] = []): boolean =>
      at === item.on ||
      this.#store.rules.some(
        ({ from, to }) => from === at && to.some((each) => !seen.includes(each) && reaches(each, [...seen, at])),
      );
    if (reaches(on)) return;
    const isThere = this.#platforms.items.some((each) => each.on === on && each.text === item.text);
    if (!isThere && item.text !== '') this.#copy(item, on, item.lengthMs);
  }

  #copy(item: Item, on: Place, lengthMs = item.lengthMs): void {
    if (item.on === on) return;
    // Nobody could tell it from ours.
    const isAlike = (each: { place: Place; text: string }) => each.place === on && each.text === item.text;
    if (this.#store.targets.some((target) => target.state !== 'posted' && isAlike(target))) return;
    if (this.#store.placements.some((placed) => placed.remoteId === null && isAlike(placed))) return;
    const copy = { on, content: this.#contents++, text: item.text, isPublic: true, lengthMs };
    this.#platforms.publish({ ...copy, ...BY_PHONE }, { at: this.#store.now });
  }

  #select({ rule: index, count, order, perDay }: Extract<Command, { do: 'select' }>): void {
    const store = this.#store;
    const rule = this.#rules.at(index % Math.max(1, this.#rules.length));
    if (!rule || !store.rules.includes(rule.row) || !store.isConnected(rule.row.user, rule.row.from)) return;
    const listed = readCatalog(store, this.#platforms, rule.row.from);
    const items = listed.filter(({ state }) => state !== 'new').slice(0, count);
    selectCatalog(store, rule.row, { items, order, perDay });
    const contents = items.map(({ content }) => content);
    rule.model.selections = [...(rule.model.selections ?? []), { at: store.now, order, perDay, contents }];
  }

  #fail({ post, place, code }: Target): void {
    const rule = this.#rules.findIndex(({ row }) => row.id === post.ruleId);
    this.#failures.push({ content: post.content, on: place, mayBeThere: code === 'outcome_unknown', rule });
  }

  /** Claims a job. @returns null if none is due */
  #start(job: Job, on = 0, sending: Sending = {}): Stepper | null {
    const store = this.#store;
    const start = <R extends Due>(
      rows: Iterable<R>,
      run: (claim: { row: R; fence: number }, gate: Gate) => Promise<void>,
    ) => {
      const claim = store.claim(rows, LEASE_MS);
      return claim && createStepper((gate) => run(claim, gate));
    };
    switch (job) {
      case 'publish':
        return this.#publisher.start(on, sending, LEASE_MS);
      case 'watch':
        return start(store.watches.values(), (claim, gate) => checkWatch(store, this.#platforms, claim, gate));
      case 'match':
        return start(store.watched, (claim, gate) =>
          matchWatched(store, this.#platforms, claim, gate, (watched) => this.#notePending(watched)),
        );
      case 'file':
        return start(store.files, (claim, gate) => runFile(store, this.#platforms, claim, gate));
      case 'fire':
        return start(store.firings, (claim, gate) => this.#fire(claim, gate));
    }
  }

  /** createFiring of firing.ts */
  async #fire({ row, fence }: { row: Firing; fence: number }, gate: Gate): Promise<void> {
    const store = this.#store;
    await gate();
    if (!store.holds({ row, fence })) return;
    if (row.state === 'skipped') return;
    const decide = row.state === 'reposted' ? revise : fire;
    const { state } = row;
    let fired = decide(store, row, null);
    if (fired.kind === 'look') {
      const shown = findShown(store, this.#platforms, row, fired);
      await gate();
      if (!store.holds({ row, fence }) || row.state !== state) return;
      fired = decide(store, row, shown);
    }
    if (fired.kind !== 'post') return;
    const { post } = fired;
    this.#count('reposts');
    const made = { rule: this.#indexOf(row.rule), at: store.now };
    for (const target of store.targets)
      if (target.post === post && !this.#made.has(target.id)) this.#made.set(target.id, made);
  }

  #notePending({ place, remoteId, text }: Watched): void {
    const oldTexts = this.#platforms.find(place, remoteId)?.oldTexts ?? [];
    this.#pending.push({ on: place, texts: [text, ...oldTexts], at: this.#store.now });
  }

  #indexOf = (rule: Rule) => this.#rules.findIndex(({ row }) => row === rule);

  /** Works until nothing is due at this moment. */
  async #settle(): Promise<void> {
    startWatches(this.#store);
    for (let isBusy = true, turns = 0; isBusy; turns++) {
      if (turns > 500) throw new Error('The loops do not come to rest.');
      isBusy = false;
      for (const kind of JOBS) {
        for (let job = this.#start(kind); job; job = this.#start(kind)) {
          isBusy = true;
          while (await job.step());
        }
      }
    }
  }

  /** Lets time pass until nothing but checks of lists is left to do. */
  async #finish(): Promise<void> {
    const store = this.#store;
    let end = store.now + 5 * HOUR;
    for (let turns = 0; ; turns++) {
      await this.#settle();
      const times = [...store.watched, ...store.files, ...store.firings, ...store.targets].flatMap((row) => {
        const leaseUntil = 'leaseUntil' in row ? (row.leaseUntil ?? 0) : this.#publisher.leaseUntil(row.place);
        return row.dueAt === null ? [] : Math.max(row.dueAt, leaseUntil);
      });
      const next = Math.min(...times);
      if (store.now >= end && times.length === 0) return;
      // What is posted late must be found, too.
      if (times.length > 0) end = Math.max(end, next + HOUR);
      if (turns > 3_000) throw new Error('Work remains forever.');
      const check = store.now < end ? store.now + 40 * MINUTE : Number.POSITIVE_INFINITY;
      store.now = Math.max(store.now + 1, Math.min(next, check));
    }
  }

  #lineOf = ({ content, state, reason, decidedAt, rule }: Firing): Line => ({
    ...{ content, state, reason, decidedAt },
    rule: this.#indexOf(rule),
  });

  #facts(): Facts {
    const lines = this.#store.firings.map(this.#lineOf);
    for (const { state, reason } of lines) this.#count(state === 'skipped' ? `skipped ${reason}` : state);
    const appearances = this.#platforms.items.map((item) => {
      const made = item.targetId === null ? undefined : this.#made.get(item.targetId);
      return { ...appearanceOf(item), ...(made && { made }) };
    });
    return {
      ...{ appearances, lines, failures: this.#failures, withdrawn: this.#withdrawn, lists: LISTS },
      removed: this.#removed,
      ...{ rules: this.#rules.map(({ model }) => model), jump: this.#jump },
      ...{ sends: this.#publisher.sends, pending: this.#pending },
    };
  }
}

/** A caption of its own. */
const captionOf = (text: string, place: Place) => `${text} ad${place % 2 === 0 ? ' @bob #tag' : ''}`;

const BY_PHONE = { by: 'phone' as const, isRepost: false, targetId: null, isBlind: false };

const textOf = (words: Words, content: number) => (words === 'own' ? `Clip ${content}` : words === 'same' ? SAME : '');
