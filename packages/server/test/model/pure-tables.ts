/** The rows of the tables in memory, and the errors that can be planted in what is done with them. */
import type { StoredOptions } from '../../src/reposts/options/rule-options.ts';
import type { Place, User } from './history.ts';

/** Deliberate errors, by which the model proves that it would find them. */
export const BUGS = [
  'no lane lock',
  'no hold while unknown',
  'no echo',
  'no unique lineage',
  'interval off by one',
  'pause ignored',
  'mark stored before posts',
  'duplicate firing',
  'no fencing token',
  'send repeated after a crash',
  'no wake on resume',
  'late proof fires no rules',
  'limit ignored',
  'private posts reposted',
  'placement forgotten with its post',
  'skipped repost lost with a rule',
  'failed repost keeps its account',
  'repost not extended',
  'queued copies ignored',
  'copies compared by sent text',
  'few copies compared',
  'own posts not compared',
  'lengths not compared',
  'own posts always public',
  'description reposted',
  'old content decided again',
  'unwanted file counts as gone',
  'gone ignored once stored',
  'new order ignored',
  'ids in two forms',
  'every post may be ours',
] as const;
export type Bug = (typeof BUGS)[number];

export interface Due {
  dueAt: number | null;
  leaseUntil: number | null;
  fence: number;
  attempts: number;
}

export const due = (now: number): Due => ({ dueAt: now, leaseUntil: null, fence: 0, attempts: 0 });

export interface Rule {
  id: number;
  user: User;
  from: Place;
  to: Place[];
  createdAt: number;
  isPaused: boolean;
  intervals: { from: number; to: number | null }[];
  options: StoredOptions;
}

export interface Post {
  id: number;
  user: User;
  origin: number;
  content: number;
  /** Its description. */
  text: string;
  /** Of a repost: the text of its source, before any template. */
  contentText: string | null;
  durationMs: number;
  ruleId: number | null;
  createdAt: number;
}

export interface Target {
  id: number;
  post: Post;
  place: Place;
  origin: number;
  text: string;
  /** The audience of its own; undefined: the setting of the account. */
  few: boolean | undefined;
  /** Whether its audience was everybody when it was sent; null before that. */
  isPublic: boolean | null;
  state: 'scheduled' | 'waiting' | 'committing' | 'unknown' | 'posted' | 'failed';
  dueAt: number | null;
  begun: boolean;
  committedAt: number | null;
  unknownSince: number | null;
  code: string | null;
  settledAt: number | null;
  remoteId: string | null;
  publishedAt: number | null;
  version: number;
}

export const hasBegun = (targets: readonly Target[]) =>
  targets.some(({ state, begun }) => begun || (state !== 'scheduled' && state !== 'failed'));

export interface Placement {
  origin: number;
  place: Place;
  targetId: number | null;
  user: User | null;
  remoteId: string | null;
  /** The sent text. */
  text: string;
  /** Before any template; null: the sent text. */
  contentText: string | null;
  durationMs: number | null;
  isMeasured: boolean;
  /** It may be one of ours, but nothing identifies it. */
  isUnclear?: boolean;
  publishedAt: number;
}

export interface Watch extends Due {
  place: Place;
  mark: { after: number } | null;
  beganAt: number;
  checkedAt: number | null;
  version: number;
  recent: number[];
}

export interface Watched extends Due {
  id: number;
  place: Place;
  remoteId: string;
  content: number;
  publishedAt: number;
  text: string;
  durationMs: number | null;
  isMeasured: boolean;
  isPublic: boolean;
  publicInTime: boolean;
  state: 'new' | 'own' | 'foreign' | 'echo';
  origin: number | null;
  foundAt: number;
  missingSince: number | null;
  goneAt: number | null;
}

export interface SourceFile extends Due {
  watched: Watched;
  user: User;
  createdAt: number;
  state: 'wanted' | 'stored' | 'failed';
  /** Why it failed. */
  problem: 'gone' | 'no_file' | null;
}

export interface Firing extends Due {
  id: number;
  rule: Rule;
  origin: number;
  content: number;
  target: Target | null;
  watched: Watched | null;
  /** What a removed post left. */
  copy: Post | null;
  isCatalog: boolean;
  state: 'waiting' | 'reposted' | 'skipped';
  reason: string | null;
  createdAt: number;
  decidedAt: number | null;
  /** When it first waited for the daily limit. */
  limitedAt: number | null;
}

/** An account as one user connected it. */
export interface Account {
  status: 'connected' | 'expired' | 'disconnected';
  /** The audience that its user chose. */
  few: boolean;
}
