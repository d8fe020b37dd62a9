/** Record types of the simulator's store. Tests may change a record to simulate other states of a profile. */
import { createHash, randomBytes } from 'node:crypto';
import type { SimulatorOptions, Trouble } from '../../contract.ts';
import type { PhoneMark } from '../../graph/phone.ts';
import type { CodeRecord } from '../../oauth/codes.ts';
import { usernameOf } from '../../oauth/usernames.ts';
import { defineSettings, findOrCreate } from '../../store/records.ts';

export const SCOPES = ['threads_basic', 'threads_content_publish'] as const;
export const KNOWN_SCOPES: readonly string[] = [
  ...SCOPES,
  'threads_manage_replies',
  'threads_read_replies',
  'threads_manage_insights',
  'threads_delete',
  'threads_manage_mentions',
  'threads_keyword_search',
  'threads_location_tagging',
  'threads_profile_discovery',
];

/** Kind `profile`, keyed by id, a number too large for a double. */
export interface Profile {
  id: string;
  username: string;
  name: string;
  /** Times of posts in the last 24 hours, ms since the epoch. */
  posts: number[];
}

/** Kind `grant`, keyed by id: the result of one consent. */
export interface Grant {
  profileId: string;
  scopes: string[];
  /** Subcode of error 190 for its tokens; null while they are valid. */
  dead: number | null;
}

/** Kind `code`, keyed by code. */
export interface AuthCode extends CodeRecord {
  grantId: string;
}

/** Kind `token`, keyed by token. */
export interface TokenRecord {
  grantId: string;
  long: boolean;
  issuedAt: number;
  expiresAt: number;
}

/** Kind `container`, keyed by id, owned by the profile. */
export interface Container {
  id: string;
  profileId: string;
  text: string;
  createdAt: number;
  /** Counted from the creation, ms. */
  processingMs: number;
  /** The error that processing ends with, or null for success. */
  errorMessage: string | null;
  size: number;
  mime: string;
  replyControl: string;
  topicTag: string;
  trouble: Trouble | null;
  /** Media created from it; normally one. */
  media: { id: string; code: string; at: number }[];
  /** How many of them are recorded as published. */
  announced: number;
  /** Lost: it reports FINISHED, or is not found any more, and can never be published. */
  lost?: 'publish' | 'status';
}

/** Kind `media`, keyed by id, owned by the profile. */
export interface Media {
  id: string;
  profileId: string;
  code: string;
  text: string;
  at: number;
  /** Keys of the blobs that form the file. */
  blobs: string[];
  mime: string;
  phone?: PhoneMark;
  /** Default: VIDEO. */
  type?: 'TEXT_POST' | 'IMAGE' | 'CAROUSEL_ALBUM' | 'AUDIO' | 'REPOST_FACADE';
  isQuote?: boolean;
  /** Types of a carousel's children. */
  children?: ('IMAGE' | 'VIDEO')[];
  /** Its sound is protected, so its file and its URL are not given. */
  flagged?: boolean;
}

/** Kind `switches`, key `all`: other documented or plausible platform behaviors. */
export interface Switches {
  processingMs?: number;
  /** Publishing a container again publishes it again. */
  publishTwice?: boolean;
  /** How long a published container still reports FINISHED, ms. */
  statusLagMs?: number;
  /** How long a published post is not listed, ms. */
  listLagMs?: number;
  /** A finished container cannot be published; a new one can. */
  lostContainer?: 'publish' | 'status';
  /** How long the URL of a file works, ms. */
  fileLifeMs?: number;
  /** Responses omit the URLs of posts. */
  noPermalink?: boolean;
}
export const SWITCHES = ['switches', 'all'] as const;
export const { read: switchesOf, variant } = defineSettings<Switches>(SWITCHES, {});

/** Finds or creates the profile of a username. @throws InvalidUsername */
export async function enrolProfile(options: SimulatorOptions, given: string): Promise<Profile> {
  const username = usernameOf(given);
  const digits = BigInt(`0x${createHash('sha256').update(username).digest('hex')}`).toString();
  // Odd, so that a double cannot represent it.
  const id = `25${digits.slice(0, 14)}7`;
  return findOrCreate<Profile>(options.store, 'profile', id, { id, username, name: username, posts: [] });
}

/** Seventeen digits, odd. @param prefix two digits */
export function newId(prefix: '17' | '18'): string {
  return `${prefix}${String(randomBytes(6).readUIntBE(0, 6)).padStart(15, '0').slice(-14)}7`;
}

export function newToken(): string {
  return `TH${randomBytes(48).toString('base64url').replace(/[-_]/g, 'Z')}`;
}

export function newCode(): string {
  return randomBytes(8).toString('base64url').replace(/[-_]/g, 'C');
}
