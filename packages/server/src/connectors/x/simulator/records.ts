/** What the books hold. Tests may change a record to bring about what a real account or application can be. */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { SimulatorOptions } from '../../kit/simulator.ts';

export const SCOPES = ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'] as const;
export const KNOWN_SCOPES: readonly string[] = [
  ...SCOPES,
  'follows.read',
  'follows.write',
  'like.read',
  'like.write',
  'list.read',
  'list.write',
  'space.read',
  'mute.read',
  'mute.write',
  'block.read',
  'block.write',
  'bookmark.read',
  'bookmark.write',
  'tweet.moderate.write',
  'users.email',
];

/** Kind `account`, by id. */
export interface Account {
  id: string;
  username: string;
  name: string;
  subscription: 'None' | 'Basic' | 'Premium' | 'PremiumPlus';
  /** Suspended or locked: may do nothing that writes. */
  locked: boolean;
  /** Longest video that a post may have, minutes; null: any. */
  maxVideoMinutes: number | null;
}

/** How the platform and the application are at present; kind and key are {@link SWITCHES}. */
export interface XSwitches {
  /** What the application may not do: nothing left to pay with, not enrolled, its month's reads used up. */
  application?: 'no-credits' | 'credits-depleted' | 'not-enrolled' | 'forbidden' | 'usage-capped';
  /** Lists show a post only this many ms after it was made. */
  listLagMs?: number;
  /** A gateway refuses segments of more bytes, with 413 and no body. */
  maxSegmentBytes?: number;
  /** A second finalize is refused. */
  finalizeOnce?: boolean;
  /** Media are usable when they are finalized, without `processing_info`. */
  synchronousMedia?: boolean;
  /** 202 for an upload that was opened, 204 without a body for a segment. */
  olderGateway?: boolean;
  /** How processing ends, for so many media (all when absent). */
  processingError?: { code: number; name: string; message: string; times?: number };
  /** The same text is a duplicate whatever its media. */
  strictDuplicates?: boolean;
  /** A post that begins with a name counts as a reply to it. */
  mentionsAreReplies?: boolean;
  /** Life of a media id, seconds. */
  mediaSeconds?: number;
}

export const SWITCHES = ['switches', 'x'] as const;

/** Kind `code`, by code. */
export interface AuthCode {
  accountId: string;
  scopes: string[];
  redirectUri: string;
  challenge: string;
  method: 'S256' | 'plain';
  expiresAt: number;
  used: boolean;
}

/** Kind `access` or `refresh`, by the token, owned by the grant's id. */
export interface Token {
  grantId: string;
  accountId: string;
  scopes: string[];
  /** ms since the epoch; null: lives until it is used or revoked */
  expiresAt: number | null;
  dead: boolean;
}

/** Kind `media`, by id, owned by the account. */
export interface Medium {
  id: string;
  accountId: string;
  key: string;
  type: string;
  category: string;
  totalBytes: number;
  expiresAt: number;
  /** Keys of the blobs in order, once it is finalized. */
  blobs: string[] | null;
  finalizedAt: number;
  readyAt: number;
  error: { code: number; name: string; message: string } | null;
}

/** Kind `segment`, by media id and index, owned by the media id. */
export interface Segment {
  index: number;
  blob: string;
  bytes: number;
}

/** Kind `post`, by what makes it a duplicate, owned by the account; kind `post-key` finds that key by the post's id. */
export interface Post {
  id: string;
  key: string;
  accountId: string;
  text: string;
  mediaIds: string[];
  createdAt: number;
  /** Whether the books of the world have it. */
  revealed: boolean;
}

/** Makes or finds the account of a user name. @throws Error for a name that cannot be one */
export async function enrolAccount(options: SimulatorOptions, given: string): Promise<Account> {
  const username = given.trim().replace(/^@/, '');
  if (!/^[^/\s\p{Cc}]{1,64}$/u.test(username)) throw new Error('A user name has 1 to 64 characters and no slash.');
  const digest = createHash('sha256').update(username.toLowerCase()).digest();
  const id = `18${String(digest.readBigUInt64BE() % 10n ** 17n).padStart(17, '0')}`;
  const account: Account = {
    id,
    username,
    name: username,
    subscription: 'None',
    locked: false,
    maxVideoMinutes: null,
  };
  await options.books.insert('account', id, account);
  return (await options.books.get<Account>('account', id)) ?? account;
}

export async function switchesOf(options: SimulatorOptions): Promise<XSwitches> {
  return (await options.books.get<XSwitches>(...SWITCHES)) ?? {};
}

const EPOCH_MS = 1_288_834_974_657;

/** A 64-bit id that grows with time, as the platform makes them. */
export function newId(now: number): string {
  return String((BigInt(Math.floor(now) - EPOCH_MS) << 22n) | BigInt(randomInt(1 << 22)));
}

export function newSecret(): string {
  return randomBytes(48).toString('base64url');
}
