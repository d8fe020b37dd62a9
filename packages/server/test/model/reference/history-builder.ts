/** Builds small facts by hand, for tests. */

import type {
  ActivityLine,
  Appearance,
  Changes,
  Facts,
  Fault,
  Identity,
  Interval,
  Outcome,
  PostList,
  RuleOptions,
  Time,
  Video,
} from './facts.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The beginning of every history: a Monday at 9:00 UTC. */
export const START = Date.UTC(2026, 2, 2, 9);

const LIST: PostList = {
  mode: 'files',
  durations: 'exact',
  times: 'exact',
  visibleAfterMs: 0,
  cutTextAt: null,
  showsLimited: true,
  chargesReads: false,
};

/** Options of a rule without options. */
export const DEFAULT_OPTIONS: RuleOptions = {
  delayMinutes: 0,
  jitterMinutes: 0,
  quietHours: null,
  maxPerDay: null,
  zone: 'UTC',
  privacy: {},
  caption: { template: '{caption}', removeMentions: false, removeHashtags: false, append: '' },
  filters: { contains: [], excludes: [], hashtags: [], minSeconds: null, maxSeconds: null },
  fit: null,
  backCatalog: null,
};

const NO_CHANGES: Changes = { edits: [], absent: [], audience: [] };

export interface IdentityInput extends Partial<Omit<Identity, 'list'>> {
  list?: Partial<PostList>;
}

export interface RuleInput {
  user?: string;
  options?: Partial<RuleOptions>;
  addedAt?: Time;
  active?: Interval[];
  between?: 'skip' | 'keep';
  deletedAt?: Time;
}

export interface PostInput {
  text?: string;
  durationMs?: number;
  isVertical?: boolean;
  /** The id of the video. Default: the id of the post. */
  video?: string;
  isPublic?: boolean;
  changes?: Partial<Changes>;
}

export interface DirectInput extends PostInput {
  user?: string;
  /** By identity. */
  captions?: Record<string, string>;
  privacy?: Record<string, string>;
  outcomes?: Record<string, Outcome>;
}

export interface RepostInput {
  /** Identities. Default: all destinations. */
  on?: string[];
  text?: string;
  video?: string;
  privacy?: string;
  begunAt?: Time;
  outcomes?: Record<string, Outcome>;
  removedAt?: Time;
  changedText?: string;
  /** Default: reposted. null: no line. */
  reason?: string | null;
  seenAt?: Time;
}

/** A history in which one thing after the other is written down. Times are relative to `START`. */
export interface HistoryBuilder {
  facts: Facts;
  identity(id: string, input?: IdentityInput): void;
  /** Connects a user to an identity; the account id is `user@identity`. */
  connect(user: string, identity: string, privacy?: string): void;
  /** A rule between identities of one user, from an hour before the start. */
  rule(id: string, source: string, destinations: string[], input?: RuleInput): void;
  /** A post with the app of the platform. */
  hand(id: string, identity: string, at: number, input?: PostInput): void;
  /** A post made through Reelay to identities. Its appearances have the ids `id@identity`. */
  direct(id: string, identities: string[], at: number, input?: DirectInput): void;
  /** A repost by a rule, with its line. Its appearances have the ids `id@identity`. */
  repost(id: string, rule: string, item: string, at: number, input?: RepostInput): void;
  line(rule: string, item: string, reason: string, seenAt: number, decidedAt?: number): void;
  fault(identity: string, kind: Fault['kind'], from: number, to: number): void;
}

const STATUS: Readonly<Record<string, ActivityLine['status']>> = {
  reposting: 'reposted',
  reposted: 'reposted',
  reposted_partly: 'reposted',
  repost_failed: 'reposted',
  repost_removed: 'reposted',
  undecided: 'waiting',
  match_pending: 'waiting',
  delayed: 'waiting',
  quiet_hours: 'waiting',
  rule_daily_limit: 'waiting',
  back_catalog_queued: 'waiting',
  back_catalog_behind: 'waiting',
  rule_paused: 'waiting',
  file_fetching: 'waiting',
  file_retry: 'waiting',
};

/** Creates an empty history that ends `lengthMs` after the start, with the user `ann`. */
export function createHistory(lengthMs: number): HistoryBuilder {
  const facts: Facts = {
    startedAt: START - 100 * DAY,
    endedAt: START + lengthMs,
    processingMs: 5 * MINUTE,
    users: [],
    identities: [],
    accounts: [],
    rules: [],
    refusedRules: [],
    posts: [],
    handPosts: [],
    reposts: [],
    retries: [],
    handReposts: [],
    faults: [],
    clockJumps: [],
    outages: [],
    appearances: [],
    activity: [],
  };
  const history: HistoryBuilder = {
    facts,
    identity(id, input = {}) {
      facts.identities.push({
        id,
        platform: 'bluesky',
        name: id,
        sharesTo: [],
        access: [],
        boards: [],
        captionLimit: null,
        ...input,
        list: { ...LIST, ...input.list },
      });
    },
    connect(user, identity, privacy) {
      if (!facts.users.some(({ id }) => id === user)) facts.users.push({ id: user, postsPerMonth: null });
      facts.accounts.push({
        id: `${user}@${identity}`,
        user,
        identity,
        states: [{ from: facts.startedAt, state: 'connected' }],
        privacy: privacy === undefined ? [] : [{ from: facts.startedAt, value: privacy }],
      });
    },
    rule(id, source, destinations, input = {}) {
      const user = input.user ?? 'ann';
      const addedAt = input.addedAt ?? START - HOUR;
      facts.rules.push({
        id,
        user,
        source: `${user}@${source}`,
        destinations: destinations.map((name) => `${user}@${name}`),
        addedAt,
        options: [{ from: addedAt, value: { ...DEFAULT_OPTIONS, ...input.options } }],
        active: input.active ?? [{ from: addedAt, to: null }],
        between: input.between ?? 'skip',
        deletedAt: input.deletedAt ?? null,
      });
    },
    hand(id, identity, at, input = {}) {
      const text = input.text ?? `Caption of ${id}`;
      facts.handPosts.push({
        id,
        identity,
        video: video(id, input),
        text,
        at: START + at,
        isPublic: input.isPublic ?? true,
        changes: { ...NO_CHANGES, ...input.changes },
      });
      appear(facts, {
        id,
        identity,
        video: video(id, input),
        text,
        at: START + at,
        by: { kind: 'hand', handPost: id },
      });
    },
    direct: (...args) => addDirect(facts, ...args),
    repost: (...args) => addRepost(history, ...args),
    line(rule, item, reason, seenAt, decidedAt) {
      const appearance = facts.appearances.find(({ id }) => id === item);
      const isOwn = appearance?.by.kind === 'post' || appearance?.by.kind === 'repost';
      facts.activity.push({
        rule,
        item,
        status: STATUS[reason] ?? 'skipped',
        reason,
        origin: isOwn ? 'own' : 'foreign',
        seenAt: START + seenAt,
        decidedAt: START + (decidedAt ?? seenAt),
        sourceDeletedAt: null,
        sourceEditedAt: null,
      });
    },
    fault(identity, kind, from, to) {
      facts.faults.push({ identity, kind, from: START + from, to: START + to });
    },
  };
  return history;
}

const video = (id: string, input: PostInput): Video => ({
  id: input.video ?? id,
  durationMs: input.durationMs ?? 20_000,
  isVertical: input.isVertical ?? true,
});

const appear = (facts: Facts, entry: Omit<Appearance, 'url' | 'privacy'> & { privacy?: string | null }) =>
  facts.appearances.push({ url: `https://example.com/${entry.id}`, ...entry, privacy: entry.privacy ?? null });

const identityOf = (account: string) => account.slice(account.indexOf('@') + 1);

/** As {@link HistoryBuilder.direct}. */
function addDirect(facts: Facts, ...[id, identities, at, input = {}]: Parameters<HistoryBuilder['direct']>): void {
  const user = input.user ?? 'ann';
  const text = input.text ?? `Caption of ${id}`;
  const published = START + at + MINUTE;
  facts.posts.push({
    id,
    user,
    video: video(id, input),
    text,
    sentAt: START + at,
    scheduledFor: null,
    removedAt: null,
    targets: identities.map((name) => ({
      account: `${user}@${name}`,
      text: input.captions?.[name] ?? null,
      privacy: input.privacy?.[name] ?? null,
      outcome: input.outcomes?.[name] ?? { kind: 'public', at: published },
      changes: { ...NO_CHANGES, ...input.changes },
    })),
  });
  for (const name of identities) {
    if ((input.outcomes?.[name]?.kind ?? 'public') !== 'public') continue;
    appear(facts, {
      id: `${id}@${name}`,
      identity: name,
      video: video(id, input),
      text: input.captions?.[name] ?? text,
      at: published,
      privacy: input.privacy?.[name] ?? null,
      by: { kind: 'post', post: id, account: `${user}@${name}` },
    });
  }
}

/** As {@link HistoryBuilder.repost}. */
function addRepost(
  { facts, line }: HistoryBuilder,
  ...[id, rule, item, at, input = {}]: Parameters<HistoryBuilder['repost']>
): void {
  const madeAt = START + at;
  const begunAt = input.begunAt ?? madeAt + 10_000;
  const published = begunAt + 30_000;
  const source = facts.appearances.find((appearance) => appearance.id === item);
  const found = facts.rules.find((entry) => entry.id === rule);
  if (!source || !found) throw new Error(`No source ${item} or no rule ${rule}.`);
  const accounts = input.on?.map((name) => `${found.user}@${name}`) ?? found.destinations;
  facts.reposts.push({
    id,
    rule,
    item,
    madeAt,
    targets: accounts.map((account) => {
      const outcome: Outcome = input.outcomes?.[identityOf(account)] ?? { kind: 'public', at: published };
      return {
        account,
        queuedAt: madeAt,
        begunAt: outcome.kind === 'public' || outcome.kind === 'unknown' ? begunAt : null,
        outcome,
        changes: NO_CHANGES,
      };
    }),
    removedAt: input.removedAt ?? null,
    withdrawnAt: null,
    changedText: input.changedText ?? null,
  });
  for (const account of accounts) {
    const identity = identityOf(account);
    if ((input.outcomes?.[identity]?.kind ?? 'public') !== 'public') continue;
    appear(facts, {
      id: `${id}@${identity}`,
      identity,
      video: { ...source.video, id: input.video ?? source.video.id },
      text: input.text ?? source.text,
      at: published,
      privacy: input.privacy ?? null,
      by: { kind: 'repost', repost: id, account },
    });
  }
  if (input.reason !== null) {
    line(rule, item, input.reason ?? 'reposted', (input.seenAt ?? madeAt) - START, at);
  }
}

/** A history of 12 hours with the identities A, B and D, which `ann` connected, and the rule `r` from A to D. */
export function createPair(lengthMs = 12 * HOUR, rule: RuleInput = {}, source: IdentityInput = {}): HistoryBuilder {
  const history = createHistory(lengthMs);
  history.identity('A', source);
  history.identity('B');
  history.identity('D');
  for (const name of ['A', 'B', 'D']) history.connect('ann', name);
  history.rule('r', 'A', ['D'], rule);
  return history;
}
