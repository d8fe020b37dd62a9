/**
 * The facts that the reference model knows about one history.
 *
 * Facts describe what users and the outside world did, and what can be observed at the end. They say nothing about the
 * inside of the service. All times are milliseconds since the epoch on the clock of the service; durations are
 * milliseconds.
 */

/** A time in milliseconds since the epoch. */
export type Time = number;

/** A half-open interval. `to: null` means that it lasts until the end of the history. */
export interface Interval {
  from: Time;
  to: Time | null;
}

export type PlatformName =
  | 'tiktok'
  | 'youtube'
  | 'instagram'
  | 'facebook'
  | 'threads'
  | 'x'
  | 'linkedin'
  | 'pinterest'
  | 'snapchat'
  | 'bluesky'
  | 'mastodon'
  | 'telegram';

/** One history: the actions and the observations. */
export interface Facts {
  startedAt: Time;
  /** When everything was observed. */
  endedAt: Time;
  /** Upper bound for one step of the service without faults (a queue, a send, a download). Chosen by the harness. */
  processingMs: number;
  users: User[];
  identities: Identity[];
  accounts: Account[];
  rules: Rule[];
  refusedRules: RefusedRule[];
  posts: ReelayPost[];
  handPosts: HandPost[];
  reposts: Repost[];
  retries: Retry[];
  handReposts: HandRepost[];
  faults: Fault[];
  clockJumps: ClockJump[];
  /** When the service did not run. */
  outages: Interval[];
  appearances: Appearance[];
  activity: ActivityLine[];
}

export interface User {
  id: string;
  /** Posts per month of the plan; null: no limit that this history can reach. */
  postsPerMonth: number | null;
}

/** An account as its platform knows it. Several users can connect one identity. */
export interface Identity {
  id: string;
  platform: PlatformName;
  /** The name that `{source}` shows. */
  name: string;
  list: PostList;
  /** Identities to which the platform itself shares every post of this one. */
  sharesTo: string[];
  /**
   * Whether the account as a whole is open, by time: X and Instagram without protection, Telegram with a public name.
   * Empty: open all the time.
   */
  access: { from: Time; isOpen: boolean }[];
  /** Pinterest only. The privacy value of a pin is the id of its board. */
  boards: { id: string; isSecret: boolean; createdAt: Time }[];
  /** Maximum caption length in code points; null: not known to the model. */
  captionLimit: number | null;
}

/** What the list of posts of an identity says. */
export interface PostList {
  /** `watch.mode`: all posts with files, all posts without files, or only posts made through Reelay. */
  mode: 'files' | 'announce' | 'own';
  durations: 'exact' | 'seconds' | 'none';
  times: 'exact' | 'seconds';
  /** Maximum time until a new post is in the list. */
  visibleAfterMs: number;
  /** Length at which the list cuts texts, in code points; null: never. */
  cutTextAt: number | null;
  /** Whether the list contains posts that are not public. */
  showsLimited: boolean;
  /** Whether the platform charges for reads. */
  chargesReads: boolean;
}

/** An identity as one user connected it. */
export interface Account {
  id: string;
  user: string;
  identity: string;
  /** In order of time, without gaps after the first. */
  states: { from: Time; state: 'connected' | 'expired' | 'disconnected' }[];
  /** The audience chosen for the account, by time; null: none chosen. */
  privacy: { from: Time; value: string | null }[];
}

/** All options of a rule, with defaults, in the form of `RepostOptions` in the OpenAPI document. */
export interface RuleOptions {
  delayMinutes: number;
  jitterMinutes: number;
  quietHours: { from: string; to: string; zone: string } | null;
  maxPerDay: number | null;
  zone: string;
  /** By account id of the destination. */
  privacy: Readonly<Record<string, string>>;
  caption: { template: string; removeMentions: boolean; removeHashtags: boolean; append: string };
  filters: {
    contains: string[];
    excludes: string[];
    hashtags: string[];
    minSeconds: number | null;
    maxSeconds: number | null;
  };
  fit: 'pad' | 'blur' | 'crop' | null;
  /** `items` are ids of appearances on the source. */
  backCatalog: { order: 'oldest' | 'newest'; perDay: number; items: string[] } | null;
}

export interface Rule {
  id: string;
  user: string;
  /** Account ids. */
  source: string;
  destinations: string[];
  addedAt: Time;
  /** In order of time; the first from `addedAt`. */
  options: { from: Time; value: RuleOptions }[];
  /** When the rule was active, in order of time. The gaps are pauses. */
  active: Interval[];
  /** What happens to posts from a pause. */
  between: 'skip' | 'keep';
  /** When its user deleted it; null: never. */
  deletedAt: Time | null;
}

/** A rule that its user could not add. */
export interface RefusedRule {
  user: string;
  source: string;
  destinations: string[];
  at: Time;
  code: string;
}

/** A video file. `id` tells which video it shows. */
export interface Video {
  id: string;
  durationMs: number;
  isVertical: boolean;
}

/** What happened to a post on its platform after it was published. */
export interface Changes {
  edits: { at: Time; text: string }[];
  /** When the post was not on the platform: removed at `from`, returned at `to`. */
  absent: Interval[];
  audience: { at: Time; isPublic: boolean }[];
}

/** How a send ended, as the history shows it. */
export type Outcome =
  | { kind: 'public'; at: Time }
  /** Failed before anything was sent, or with proof that nothing appeared. */
  | { kind: 'rejected'; at: Time; code: string }
  | { kind: 'unknown'; at: Time }
  /** Cancelled by its user before it started. */
  | { kind: 'cancelled'; at: Time }
  | { kind: 'pending' };

/** A post that a user made through Reelay. */
export interface ReelayPost {
  id: string;
  user: string;
  video: Video;
  text: string;
  /** When it was accepted. */
  sentAt: Time;
  /** When it was to be published; null: at once. */
  scheduledFor: Time | null;
  /** When its user deleted the entry from the history; null: never. */
  removedAt: Time | null;
  targets: PostTarget[];
}

export interface PostTarget {
  account: string;
  /** Its own caption; null: the text of the post. */
  text: string | null;
  /** Its own audience; null: the setting of the account. */
  privacy: string | null;
  outcome: Outcome;
  changes: Changes;
}

/** A post that was made with the app of the platform. */
export interface HandPost {
  id: string;
  identity: string;
  video: Video;
  text: string;
  at: Time;
  /** Whether it was public at first, in the sense of the guide. */
  isPublic: boolean;
  changes: Changes;
}

/** An entry in the history that a rule made. */
export interface Repost {
  id: string;
  rule: string;
  /** Id of the appearance on the source. */
  item: string;
  madeAt: Time;
  targets: RepostTarget[];
  /** When its user removed the entry; null: never. */
  removedAt: Time | null;
  /** When the service withdrew it because of its source; null: never. */
  withdrawnAt: Time | null;
  /** The text that its user gave it before it started; null: none. */
  changedText: string | null;
}

export interface RepostTarget {
  account: string;
  /** When it was added to the repost. */
  queuedAt: Time;
  /** When sending began; null: it did not begin. */
  begunAt: Time | null;
  outcome: Outcome;
  changes: Changes;
}

/** A retry of a failed target by its user. */
export interface Retry {
  /** Id of a post or of a repost. */
  entry: string;
  account: string;
  at: Time;
  acceptDuplicate: boolean;
  response: 'accepted' | 'already_there' | 'not_retryable' | 'video_gone';
}

/** A repost of one item by hand. */
export interface HandRepost {
  rule: string;
  item: string;
  at: Time;
  response: 'accepted' | 'not_repostable';
}

/** What the outside world did to an identity. */
export interface Fault extends Interval {
  identity: string;
  /** Sends are rejected, sends have an unknown outcome, the list cannot be read, or files cannot be downloaded. */
  kind: 'rejected' | 'unknown' | 'unreadable' | 'no_file';
}

/** The clock jumped forward: the times between `at` and `at + byMs` did not exist. */
export interface ClockJump {
  at: Time;
  byMs: number;
}

/** One post as its platform holds it, or held it before it was removed. */
export interface Appearance {
  id: string;
  identity: string;
  video: Video;
  /** The text at publication. */
  text: string;
  url: string;
  at: Time;
  /** The audience that the platform received; null: the platform has no such value. */
  privacy: string | null;
  by:
    | { kind: 'post'; post: string; account: string }
    | { kind: 'repost'; repost: string; account: string }
    | { kind: 'hand'; handPost: string }
    /** The platform shared another appearance by itself. */
    | { kind: 'share'; of: string }
    /** The harness knows nobody who made it. */
    | { kind: 'unexplained' };
}

/** One line in the activity of a rule. */
export interface ActivityLine {
  rule: string;
  /** Id of the appearance on the source. */
  item: string;
  status: 'reposted' | 'waiting' | 'skipped';
  reason: string;
  origin: 'own' | 'foreign';
  seenAt: Time;
  /** When the present reason was decided; null: not known. */
  decidedAt: Time | null;
  sourceDeletedAt: Time | null;
  sourceEditedAt: Time | null;
}
