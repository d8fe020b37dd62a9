/** Record types of the simulator's store. Tests may change a record to simulate other states of an account or app. */
import { createHash } from 'node:crypto';
import type { SimulatorOptions, Trouble } from '../../contract.ts';
import type { CodeRecord } from '../../oauth/codes.ts';
import type { RotatingGrant } from '../../oauth/tokens.ts';
import { usernameOf } from '../../oauth/usernames.ts';
import type { Chunk } from '../../store/chunks.ts';
import { defineSettings, findOrCreate } from '../../store/records.ts';

export const SCOPES = [
  'user.info.basic',
  'user.info.profile',
  'user.info.stats',
  'video.list',
  'video.publish',
] as const;
export const KNOWN_SCOPES: readonly string[] = [...SCOPES, 'video.upload'];

/** Kind `account`, keyed by open id. */
export interface Account {
  openId: string;
  unionId: string;
  username: string;
  displayName: string;
  private: boolean;
  banned: boolean;
  commentDisabled: boolean;
  duetDisabled: boolean;
  stitchDisabled: boolean;
  maxSeconds: number;
  /** Times of posts in the last 24 hours, ms since the epoch, ascending and distinct. */
  posts: number[];
}

/** Kind `app`, key `settings`: the settings in the developer portal. */
export interface AppSettings {
  audited: boolean;
  /** Maximum number of creators who may post in 24 hours; null: no limit. */
  activeUserCap: number | null;
  /** The consent requires a PKCE challenge for web redirects too, as reported for some apps. Default: false. */
  requiresChallenge?: boolean;
  /** The status of public posts never gets an id, as reported by several clients (2025 and 2026). Default: false. */
  hidesPostIds?: boolean;
}
export const { read: appSettings, variant } = defineSettings<AppSettings>(['app', 'settings'], {
  audited: true,
  activeUserCap: null,
});

/** Kind `code`, keyed by code. */
export interface AuthCode extends CodeRecord {
  openId: string;
  scopes: string[];
  /** SHA-256 of the verifier, hexadecimal or (for the web alone) base64url; null if absent. */
  challenge: string | null;
}

/** Kind `grant`, keyed by id. */
export interface Grant extends RotatingGrant {
  openId: string;
  refreshExpiresAt: number;
}

/** Post settings other than text and privacy. */
export interface Wishes {
  noComments: boolean;
  noDuets: boolean;
  noStitches: boolean;
  ownBusiness: boolean;
  partnership: boolean;
  byMachine: boolean;
  /** Cover position, ms from the start; 0 if absent or not a 32-bit integer. */
  coverAtMs: number;
}

/** Kind `task`, keyed by upload id, owned by the open id. */
export interface Task {
  uploadId: string;
  uploadToken: string;
  openId: string;
  title: string;
  privacy: string;
  wishes: Wishes;
  size: number;
  chunkSize: number;
  chunkCount: number;
  chunks: Chunk[];
  /** When the upload URL expires, ms since the epoch. */
  expiresAt: number;
  /** Assigned at init; visible once the post is public. */
  postId: string;
  trouble: Trouble | null;
  processingMs: number;
  failReason: string | null;
  mime: string;
  /** When the last byte was accepted, ms since the epoch. */
  completedAt: number | null;
  /** Whether the post is recorded as published. */
  announced: boolean;
}

/** Kind `video`, keyed by post id, owned by the open id: what the Display API lists. */
export interface Video {
  postId: string;
  openId: string;
  username: string;
  title: string;
  privacy: string;
  /** Absent in records written before this field existed. */
  byMachine?: boolean;
  createdAt: number;
  visibleAt: number;
  durationMs: number;
  width: number;
  height: number;
}

/** Finds or creates the account of a username. @throws InvalidUsername */
export async function enrolAccount(options: SimulatorOptions, given: string): Promise<Account> {
  const username = usernameOf(given);
  const openId = `${digest('open', username)}-open`;
  const account: Account = {
    openId,
    unionId: `${digest('union', username)}-union`,
    username,
    displayName: username,
    private: false,
    banned: false,
    commentDisabled: false,
    duetDisabled: false,
    stitchDisabled: false,
    maxSeconds: 600,
    posts: [],
  };
  return findOrCreate(options.store, 'account', openId, account);
}

export function publishIdOf(uploadId: string): string {
  return `v_pub_file~v2-1.${uploadId}`;
}

/** The upload id contained in a publish id, or null. */
export function uploadIdIn(publishId: string): string | null {
  return /^v_pub_file~v2-1\.(\d+)$/.exec(publishId)?.[1] ?? null;
}

/**
 * A new 64-bit id in TikTok's format: seconds in the upper half, and odd, so that a double cannot represent it.
 * @param at ms since the epoch
 */
export function newId({ now, serial }: Pick<SimulatorOptions, 'now' | 'serial'>, at = now()): string {
  const seconds = BigInt(Math.max(1, Math.floor(at / 1000)));
  return String((seconds << 32n) | (BigInt(serial() % 2 ** 31) << 1n) | 1n);
}

function digest(kind: string, username: string): string {
  return createHash('sha256').update(`${kind}\n${username}`).digest('hex').slice(0, 32);
}

export function avatarUrl({ baseUrl }: SimulatorOptions, openId: string): string {
  return `${baseUrl}/avatar/${openId}.png`;
}
