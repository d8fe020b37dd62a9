/** What the books hold. Tests may change a record to bring about what a real profile can be. */
import { createHash, randomBytes } from 'node:crypto';
import type { SimulatorOptions, Trouble } from '../../kit/simulator.ts';

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
export const DAY_MS = 86_400_000;

/** Kind `profile`, by id: a number too large for a double. */
export interface Profile {
  id: string;
  username: string;
  name: string;
  /** When it posted in the last 24 hours, ms. */
  posts: number[];
}

/** Kind `grant`, by id: what one consent gave. */
export interface Grant {
  profileId: string;
  scopes: string[];
  /** The subcode of 190 that its tokens are refused with; null: they work. */
  dead: number | null;
}

/** Kind `code`, by code. */
export interface AuthCode {
  grantId: string;
  redirectUri: string;
  expiresAt: number;
  used: boolean;
}

/** Kind `token`, by token. */
export interface TokenRecord {
  grantId: string;
  long: boolean;
  issuedAt: number;
  expiresAt: number;
}

/** Kind `container`, by id, owned by the profile. */
export interface Container {
  id: string;
  profileId: string;
  text: string;
  createdAt: number;
  /** ms from the creation on */
  processingMs: number;
  /** What processing ends with, in place of success. */
  errorMessage: string | null;
  size: number;
  mime: string;
  replyControl: string;
  topicTag: string;
  trouble: Trouble | null;
  /** Media made of it: one, on an ordinary day. */
  media: { id: string; code: string; at: number }[];
  /** How many of them the books of the world have. */
  announced: number;
}

/** Kind `media`, by id, owned by the profile. */
export interface Media {
  id: string;
  containerId: string;
  profileId: string;
  code: string;
  text: string;
  at: number;
}

/** Kind `switches`, key `all`: other honest ways for the platform to be. */
export interface Switches {
  processingMs?: number;
  /** Publishing a container again publishes it again. */
  publishTwice?: boolean;
  /** For so long after it was published a container still says FINISHED, ms. */
  statusLagMs?: number;
  /** For so long after it was published a post is not listed, ms. */
  listLagMs?: number;
  /** Addresses of posts are left out. */
  noPermalink?: boolean;
}
export const SWITCHES = ['switches', 'all'] as const;

export async function switchesOf(options: SimulatorOptions): Promise<Switches> {
  return (await options.books.get<Switches>(...SWITCHES)) ?? {};
}

/** Makes or finds the profile of a user name. @throws Error for a name that cannot be one */
export async function enrolProfile(options: SimulatorOptions, given: string): Promise<Profile> {
  const username = given.trim().replace(/^@/, '');
  if (!/^[^/\p{Cc}]{1,64}$/u.test(username)) throw new Error('A user name has 1 to 64 characters and no slash.');
  const digits = BigInt(`0x${createHash('sha256').update(username).digest('hex')}`).toString();
  // Odd, so that no double can hold it.
  const id = `25${digits.slice(0, 14)}7`;
  const profile: Profile = { id, username, name: username, posts: [] };
  await options.books.insert('profile', id, profile);
  return (await options.books.get<Profile>('profile', id)) ?? profile;
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
