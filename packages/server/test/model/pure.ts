/** Runs a history on production's pure functions, with tables, platforms and workers in memory. */
import { HOUR, MINUTE } from '../../src/time.ts';
import type { Appearance, Line, ModelRule } from './facts.ts';
import { type Command, type History, type Job, type Place, SAME, type Words } from './history.ts';
import { appearanceOf, PurePlatforms } from './pure-platform.ts';
import { PurePublisher, type Sending } from './pure-publisher.ts';
import { PureStore } from './pure-store.ts';
import type { Bug, Due, Rule, Target } from './pure-tables.ts';
import { checkWatch, matchWatched } from './pure-watcher.ts';
import { judge, mayAdd } from './reference.ts';
import { createStepper, type Gate, type Stepper } from './stepper.ts';

/** Counts of what happened, by name. */
export type Figures = Record<string, number>;

const START = Date.UTC(2026, 0, 15, 9, 30);
const LEASE_MS = MINUTE;
/** Maximum time that a history's commands take, so that watches outlive pauses. */
const MAX_SPAN_MS = 30 * HOUR;
const JOBS: readonly Job[] = ['publish', 'watch', 'match', 'file', 'fire'];

/** @returns contradictions to the reference model; empty if there are none */
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
  readonly #failures: { content: number; on: Place; mayBeThere: boolean }[] = [];
  readonly #withdrawn: { content: number; on: Place }[] = [];
  readonly #stalled: Stepper[] = [];
  readonly #figures: Figures;
  readonly #findings: string[] = [];
  #contents = 0;

  constructor(bugs: readonly Bug[], figures: Figures) {
    this.#store = new PureStore(START, bugs);
    this.#platforms = new PurePlatforms(() => this.#store.now);
    this.#publisher = new PurePublisher(this.#store, this.#platforms, (target) => this.#fail(target));
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
    // Workers that were asleep meanwhile go on as if nothing had happened.
    for (const job of this.#stalled) while (await job.step());
    await this.#finish();
    this.#count('histories');
    return [...this.#findings, ...judge(this.#facts())];
  }

  #count(name: string): void {
    this.#figures[name] = (this.#figures[name] ?? 0) + 1;
  }

  async #execute(command: Command): Promise<void> {
    const store = this.#store;
    const at = <T>(list: readonly T[], index: number) => list[index % Math.max(1, list.length)];
    switch (command.do) {
      case 'addRule':
        return this.#addRule(command);
      case 'pause':
      case 'resume': {
        const rule = at(this.#rules, command.rule);
        if (!rule || !store.pause(rule.row, command.do === 'pause')) return;
        const open = rule.model.active.at(-1);
        if (command.do === 'resume') rule.model.active.push({ from: store.now, to: null });
        else if (open) open.to = store.now;
        return;
      }
      case 'deleteRule': {
        const rule = at(this.#rules, command.rule);
        if (!rule || rule.model.deletedAt !== null) return;
        const before = store.targets;
        store.deleteRule(rule.row);
        rule.model.deletedAt = store.now;
        const removed = before.filter((target) => !store.targets.includes(target));
        for (const target of removed) {
          if (target.dueAt === null) this.#fail(target);
          else this.#withdrawn.push({ content: target.post.content, on: target.place });
        }
        return;
      }
      case 'post': {
        const { user, to, words } = command;
        const content = this.#contents++;
        store.insertPost({ user, content, text: textOf(words, content), ruleId: null }, to);
        return;
      }
      case 'deletePost': {
        const post = at(store.posts, command.post);
        if (post) store.deletePost(post);
        return;
      }
      case 'phone': {
        const { on, words, age = 0, hidden, isPrivate = false } = command;
        const content = this.#contents++;
        const post = { on, content, text: textOf(words, content), isPublic: !isPrivate };
        this.#platforms.publish({ ...post, ...BY_PHONE }, { at: store.now - age, hidden });
        return;
      }
      case 'mirror': {
        const item = at(this.#platforms.items, command.item);
        if (!item || item.removedAt !== null || item.on === command.on) return;
        // Nobody could tell it from ours.
        const isAlike = (target: Target) => target.place === command.on && target.post.text === item.text;
        if (this.#store.targets.some((target) => target.state !== 'posted' && isAlike(target))) return;
        const copy = { on: command.on, content: this.#contents++, text: item.text, isPublic: true };
        this.#platforms.publish({ ...copy, ...BY_PHONE }, { at: store.now });
        return;
      }
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
        if (item && (item.text !== SAME || item.knownAt !== null)) item.removedAt ??= store.now;
        return;
      }
      case 'advance':
        store.now = Math.min(store.now + command.ms, Math.max(store.now, START + MAX_SPAN_MS));
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

  #addRule({ user, from, to, perDay, delay }: Extract<Command, { do: 'addRule' }>): void {
    const models = this.#rules.map(({ model }) => model);
    const options = { ...(perDay && { maxPerDay: perDay }), ...(delay && { delayMinutes: delay / MINUTE }) };
    const row = this.#store.addRule({ user, from, to, options });
    if ((row !== null) !== mayAdd(models, user, from, to))
      this.#findings.push(`adding ${from} to ${to}: ${row !== null}`);
    if (!row) return;
    const addedAt = this.#store.now;
    const model = {
      user,
      from,
      to,
      addedAt,
      deletedAt: null,
      perDay: perDay ?? null,
      active: [{ from: addedAt, to: null }],
    };
    this.#rules.push({ model, row });
  }

  #fail({ post, place, code }: Target): void {
    this.#failures.push({ content: post.content, on: place, mayBeThere: code === 'outcome_unknown' });
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
        return start(store.watched, (claim, gate) => matchWatched(store, this.#platforms, claim, gate));
      case 'file':
        return start(store.files, async ({ row, fence }, gate) => {
          await gate();
          const item = this.#platforms.find(row.watched.place, row.watched.remoteId);
          const isThere = item && this.#platforms.isListed(item);
          await gate();
          if (!store.holds({ row, fence })) return;
          if (!isThere) {
            row.watched.goneAt ??= store.now;
            store.reviseReposts(row.watched);
          }
          store.finishFile(row, isThere ? 'stored' : 'failed');
        });
      case 'fire':
        return start(store.firings, async ({ row, fence }, gate) => {
          await gate();
          if (!store.holds({ row, fence })) return;
          if (row.state === 'reposted') return store.revise(row);
          if (row.state !== 'waiting') return;
          if (store.fire(row)) this.#count('reposts');
        });
    }
  }

  /** Works until nothing is due at this moment. */
  async #settle(): Promise<void> {
    this.#store.startWatches();
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

  #facts() {
    const lines = this.#store.firings.map((firing): Line => {
      const { content, state, reason, decidedAt, rule } = firing;
      this.#count(state === 'skipped' ? `skipped ${reason}` : state);
      return { content, state, reason, decidedAt, rule: this.#rules.findIndex(({ row }) => row === rule) };
    });
    const rules = this.#rules.map(({ model }) => model);
    const appearances: Appearance[] = this.#platforms.items.map(appearanceOf);
    return { rules, appearances, failures: this.#failures, withdrawn: this.#withdrawn, lines };
  }
}

const BY_PHONE = { by: 'phone' as const, isRepost: false, targetId: null, isBlind: false };

const textOf = (words: Words, content: number) => (words === 'own' ? `Clip ${content}` : words === 'same' ? SAME : '');
