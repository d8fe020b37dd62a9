/** Collects the facts of a history on the real service: what was posted, what rules made, and what can be observed. */
import { handleOf } from '../../src/lib/handle.ts';
import { activityItem } from '../../src/reposts/activity.ts';
import { readActivity } from '../../src/reposts/activity-store.ts';
import { completeOptions, type StoredOptions } from '../../src/reposts/options/rule-options.ts';
import { PROCESSING_MS, readAudience, traitsOf } from './database-platforms.ts';
import { isElsewhere, isSameId, isUser, outcomeOf, type TargetState, withoutPorts } from './database-targets.ts';
import type { ModelWorld } from './database-world.ts';
import { LIMITED_USER, PLATFORMS } from './history-generator.ts';
import type * as Model from './reference/facts.ts';

/** An account that a user connected at a place. */
export interface ModelAccount {
  id: string;
  identityId: string;
  user: number;
  place: number;
  username: string;
  facts: Model.Account;
}

export interface ModelRule {
  id: string;
  user: number;
  facts: Model.Rule;
}

/** A post on a platform, as it appeared. */
export interface SeenPost {
  /** As the platform names it. */
  remoteId: string;
  place: number;
  facts: Model.Appearance;
  changes: Model.Changes;
  /** Whether it is there now. */
  isThere: boolean;
}

interface Entry {
  targets: Map<string, TargetState>;
  rule: string | null;
  madeAt: number;
  goneAt: number | null;
  /** The target or the found post that it reposts. */
  source: Source | null;
}

interface Source {
  target: string | null;
  identity: string | null;
  remoteId: string | null;
}

export class FactRecorder {
  readonly #world: ModelWorld;
  readonly #username: (place: number) => string;
  readonly userIds: string[] = [];
  readonly accounts: ModelAccount[] = [];
  readonly rules: ModelRule[] = [];
  readonly seen: SeenPost[] = [];
  readonly videos = new Map<string, Model.Video>();
  readonly refusedRules: Model.RefusedRule[] = [];
  readonly posts: Model.ReelayPost[] = [];
  readonly hands: Model.HandPost[] = [];
  readonly retries: Model.Retry[] = [];
  readonly handReposts: Model.HandRepost[] = [];
  readonly faults: Model.Fault[] = [];
  readonly jumps: Model.ClockJump[] = [];
  readonly outages: Model.Interval[] = [];
  readonly hiddenMs = PLATFORMS.map(() => 0);
  readonly sharesTo = PLATFORMS.map((): string[] => []);
  readonly entries = new Map<string, Entry>();
  /** Entries that a user removed, and when. */
  readonly removed = new Map<string, number>();
  readonly #sources = new Map<string, Source>();
  startedAt = 0;

  constructor(world: ModelWorld, username: (place: number) => string) {
    this.#world = world;
    this.#username = username;
  }

  identityOf(place: number): string {
    return `${place} ${PLATFORMS[place]}`;
  }

  /** Notes what can disappear: targets, what rules reposted, and posts on platforms. */
  async observe(): Promise<void> {
    await this.#readTargets();
    await this.#readPosts();
    await this.#readStates();
  }

  /** Notes accounts whose access ended by itself, as in a long absence. */
  async #readStates(): Promise<void> {
    const rows = await this.#world.db.query<{ id: string; now: Date }>(
      `select id, app_now() as now from account
       where id = any($1::uuid[]) and status not in ('CONNECTED', 'DISCONNECTED')`,
      [this.accounts.map(({ id }) => id)],
    );
    for (const { id, now } of rows) {
      const states = this.accounts.find((account) => account.id === id)?.facts.states;
      const last = states?.at(-1);
      if (last?.state !== 'connected') continue;
      // Its tokens ended in the longest absence, and were refused when they were used next.
      const [jump] = this.jumps.filter(({ at }) => at > last.from).toSorted((a, b) => b.byMs - a.byMs);
      states?.push({ from: jump?.at ?? now.getTime(), state: 'expired' });
    }
  }

  async #readTargets(): Promise<void> {
    const { db } = this.#world;
    const rows = await db.query<Omit<TargetState, 'sha'> & { sha: Buffer }>(
      `select t.id, t.post_id as post, p.rule_id as rule, p.is_repost as "isRepost", t.account_id as account,
         m.sha256 as sha, t.state, t.code, t.unproven, t.begun_at as "begunAt", t.settled_at as "settledAt",
         p.created_at as "createdAt", t.created_at as "queuedAt", t.remote_id as "remoteId", t.url
       from target t join post p on p.id = t.post_id join media m on m.id = p.media_id where t.user_id = any($1::uuid[])`,
      [this.userIds],
    );
    const existing = new Set<string>();
    for (const row of rows) {
      existing.add(row.post);
      const entry = this.entries.get(row.post) ?? {
        targets: new Map(),
        rule: row.rule,
        madeAt: row.createdAt.getTime(),
        goneAt: null,
        source: null,
      };
      entry.targets.set(row.id, { ...row, sha: row.sha.toString('hex') });
      this.entries.set(row.post, entry);
    }
    const now = await this.#world.now();
    for (const [id, entry] of this.entries) if (!existing.has(id)) entry.goneAt ??= now;
    const firings = await db.query<{ post: string } & Source>(
      `select f.post_id as post, f.target_id as target, w.identity_id as identity, w.remote_id as "remoteId"
       from firing f left join watched_post w on w.id = f.watched_post_id
       where f.user_id = any($1::uuid[]) and f.post_id is not null`,
      [this.userIds],
    );
    for (const { post, ...source } of firings) this.#sources.set(post, source);
    this.#noteConversions();
  }

  /** A converted file has another hash than the video of its source. */
  #noteConversions(): void {
    for (const [post, { targets }] of this.entries)
      for (const { sha, isRepost } of targets.values()) {
        const source = isRepost && !this.videos.has(sha) ? this.#foundPost(this.#sources.get(post)) : undefined;
        if (source) this.videos.set(sha, source.facts.video);
      }
  }

  async #readPosts(): Promise<void> {
    const known = new Set(this.seen.map(({ place, remoteId }) => `${place} ${remoteId}`));
    for (const [platform, simulator] of this.#world.simulators)
      for (const entry of await simulator.store.published()) {
        const place = PLATFORMS.findIndex((each, i) => each === platform && isUser(entry.username, this.#username(i)));
        if (place < 0 || known.has(`${place} ${entry.id}`)) continue;
        known.add(`${place} ${entry.id}`);
        this.seen.push({
          remoteId: entry.id,
          place,
          isThere: true,
          changes: { edits: [], absent: [], audience: [] },
          facts: {
            id: `${place} ${entry.id}`,
            identity: this.identityOf(place),
            video: this.videos.get(entry.sha256) ?? { id: `unknown ${entry.sha256}`, durationMs: 0, isVertical: true },
            text: withoutPorts(entry.text),
            url: entry.url,
            at: entry.publishedAt,
            privacy: await readAudience(simulator, platform, entry.id),
            by: { kind: 'unexplained' },
          },
        });
      }
  }

  /** The post on a platform that a target made; undefined if nothing appeared. */
  postOf(target: TargetState): SeenPost | undefined {
    const posts = this.#postsOf(target);
    const named = posts.find(({ remoteId }) => target.remoteId !== null && isSameId(remoteId, target.remoteId));
    return named ?? posts.at(-1);
  }

  /**
   * The posts that a target made: more than one if its user accepted a second one. What has no known id, as after a lost
   * response, has its video, and no other target made it.
   */
  #postsOf(target: TargetState): SeenPost[] {
    const place = this.#placeOf(target.account);
    const video = this.videos.get(target.sha);
    const others = [...this.entries.values()].flatMap(({ targets }) =>
      [...targets.values()].filter(({ id, account }) => id !== target.id && this.#placeOf(account) === place),
    );
    return this.seen.filter(
      (post) =>
        post.place === place &&
        post.facts.video === video &&
        !isElsewhere(post.facts) &&
        !others.some(({ remoteId }) => remoteId !== null && isSameId(post.remoteId, remoteId)),
    );
  }

  #placeOf(account: string): number | undefined {
    return this.accounts.find(({ id }) => id === account)?.place;
  }

  /** Reads the intervals of rules that exist. */
  async readRules(): Promise<void> {
    const rows = await this.#world.db.query<{ rule: string; from: Date; to: Date | null }>(
      `select rule_id as rule, active_from as "from", active_to as "to" from rule_interval
       where rule_id = any($1::uuid[]) order by active_from`,
      [this.rules.map(({ id }) => id)],
    );
    for (const { id, facts } of this.rules) {
      const mine = rows.filter(({ rule }) => rule === id);
      // The service has no gap for a pause that keeps posts.
      if (mine.length === 0 || facts.deletedAt !== null || facts.between === 'keep') continue;
      facts.active = mine.map(({ from, to }) => ({ from: from.getTime(), to: to?.getTime() ?? null }));
    }
  }

  async facts(): Promise<Model.Facts> {
    await this.observe();
    await this.readRules();
    const endedAt = await this.#world.now();
    const targets = [...this.entries.values()].flatMap((entry) => [...entry.targets.values()]);
    // What has begun comes first: the others can only have lost that.
    for (const target of targets.filter(({ begunAt }) => begunAt !== null)) this.#explain(target);
    for (const target of targets) this.#explain(target);
    const activity = await this.#activity();
    return {
      startedAt: this.startedAt,
      endedAt,
      processingMs: PROCESSING_MS,
      users: this.userIds.map((id, user) => ({
        id,
        postsPerMonth: user === LIMITED_USER ? this.#world.plans.STARTER.postsPerMonth : null,
      })),
      identities: PLATFORMS.map((platform, place) => this.#identity(platform, place)),
      accounts: this.accounts.map(({ facts }) => facts),
      rules: this.rules.map(({ facts }) => facts),
      refusedRules: this.refusedRules,
      posts: this.posts.map((post) => ({
        ...post,
        removedAt: this.removed.get(post.id) ?? null,
        targets: post.targets.map((each) => this.#postTarget(post, each)),
      })),
      handPosts: this.hands,
      reposts: this.#reposts(),
      retries: this.retries,
      handReposts: this.handReposts,
      faults: this.faults,
      clockJumps: this.jumps,
      outages: this.outages,
      appearances: this.seen.map(({ facts }) => facts),
      activity,
    };
  }

  #identity(platform: string, place: number): Model.Identity {
    const { list, cutTextAt, captionLimit } = traitsOf(platform);
    return {
      id: this.identityOf(place),
      platform: platform as Model.PlatformName,
      name: handleOf(this.accounts.find((account) => account.place === place)?.username ?? ''),
      list: { ...list, cutTextAt, visibleAfterMs: this.hiddenMs[place] ?? 0 },
      sharesTo: this.sharesTo[place] ?? [],
      access: [],
      boards: [],
      captionLimit,
    };
  }

  /** Notes which appearances a target made. */
  #explain(target: TargetState): void {
    const own = this.postOf(target);
    // Some platforms have several addresses of one post.
    if (own) own.facts.url = target.url ?? own.facts.url;
    for (const { facts } of this.#postsOf(target))
      if (facts.by.kind === 'unexplained')
        facts.by = target.isRepost
          ? { kind: 'repost', repost: target.post, account: target.account }
          : { kind: 'post', post: target.post, account: target.account };
  }

  #changesOf(target: TargetState | undefined): Model.Changes {
    return (target && this.postOf(target)?.changes) ?? { edits: [], absent: [], audience: [] };
  }

  #postTarget(post: Model.ReelayPost, target: Model.PostTarget): Model.PostTarget {
    const entry = this.entries.get(post.id);
    const state = [...(entry?.targets.values() ?? [])].find(({ account }) => account === target.account);
    if (target.outcome.kind === 'cancelled' || !state) return target;
    return { ...target, outcome: outcomeOf(state), changes: this.#changesOf(state) };
  }

  #reposts(): Model.Repost[] {
    return [...this.entries].flatMap(([id, entry]) => {
      const [first] = entry.targets.values();
      if (!first?.isRepost || entry.rule === null) return [];
      const removedAt = this.removed.get(id) ?? null;
      const rule = this.rules.find((each) => each.id === entry.rule);
      const byRule =
        rule && rule.facts.deletedAt !== null && entry.goneAt !== null && entry.goneAt >= rule.facts.deletedAt;
      return [
        {
          id,
          rule: entry.rule,
          item: this.#itemOf(this.#sources.get(id)),
          madeAt: entry.madeAt,
          targets: [...entry.targets.values()].map((target) => ({
            account: target.account,
            queuedAt: target.queuedAt.getTime(),
            begunAt: target.begunAt?.getTime() ?? null,
            outcome: outcomeOf(target),
            changes: this.#changesOf(target),
          })),
          removedAt: removedAt ?? (byRule ? entry.goneAt : null),
          withdrawnAt: removedAt === null && !byRule ? entry.goneAt : null,
          changedText: null,
        },
      ];
    });
  }

  /** The appearance of a firing on its source. */
  async itemOfFiring(id: string): Promise<string> {
    const [source] = await this.#world.db.query<Source>(
      `select f.target_id as target, w.identity_id as identity, w.remote_id as "remoteId"
       from firing f left join watched_post w on w.id = f.watched_post_id where f.id = $1`,
      [id],
    );
    return this.#itemOf(source);
  }

  /** The appearance on the source; an unknown id if nothing appeared. */
  #itemOf(source: Source | undefined): string {
    if (!source) return 'unknown';
    if (source.target !== null) {
      for (const entry of this.entries.values()) {
        const target = entry.targets.get(source.target);
        if (target) return this.postOf(target)?.facts.id ?? `target ${source.target}`;
      }
      return `target ${source.target}`;
    }
    return this.#foundPost(source)?.facts.id ?? `post ${source.remoteId}`;
  }

  /** The post that a check of the source found. */
  #foundPost({ identity = null, remoteId = null }: Partial<Source> = {}): SeenPost | undefined {
    const place = this.accounts.find(({ identityId }) => identityId === identity)?.place;
    return this.seen.find((post) => post.place === place && remoteId !== null && isSameId(post.remoteId, remoteId));
  }

  async #activity(): Promise<Model.ActivityLine[]> {
    const { db, connectors } = this.#world;
    const lines: Model.ActivityLine[] = [];
    for (const { id, facts } of this.rules) {
      if (facts.deletedAt !== null) continue;
      const [row] = await db.query<{ options: StoredOptions; paused: boolean }>(
        'select options, is_paused as paused from rule where id = $1',
        [id],
      );
      if (!row) continue;
      const options = completeOptions(row.options);
      const rule = { isPaused: row.paused, options };
      const shown = await readActivity(db, { id, fit: options.fit ?? '' }, { after: null, id: null, limit: 200 });
      const refs = await db.query<{ id: string; decidedAt: Date | null } & Source>(
        `select f.id, f.decided_at as "decidedAt", f.target_id as target, w.identity_id as identity,
           w.remote_id as "remoteId"
         from firing f left join watched_post w on w.id = f.watched_post_id where f.rule_id = $1`,
        [id],
      );
      for (const each of shown) {
        const item = activityItem(each, rule, { connectors, downloads: false });
        const ref = refs.find((one) => one.id === each.id);
        lines.push({
          rule: id,
          item: this.#itemOf(ref),
          status: item.status,
          reason: item.reason.code,
          origin: each.origin,
          seenAt: each.seenAt.getTime(),
          decidedAt: ref?.decidedAt?.getTime() ?? null,
          sourceDeletedAt: each.goneAt?.getTime() ?? null,
          sourceEditedAt: each.editedAt?.getTime() ?? null,
        });
      }
    }
    return lines;
  }
}
