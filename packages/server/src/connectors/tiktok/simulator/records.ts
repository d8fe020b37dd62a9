/** What the books hold. Tests may change a record to bring about what a real account or application can be. */
import { createHash, randomBytes } from 'node:crypto';
import type { SimulatorOptions, Trouble } from '../../kit/simulator.ts';

export const SCOPES = [
  'user.info.basic',
  'user.info.profile',
  'user.info.stats',
  'video.list',
  'video.publish',
] as const;
export const KNOWN_SCOPES: readonly string[] = [...SCOPES, 'video.upload'];

export const DAY_MS = 86_400_000;

/** Kind `account`, by open id. */
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
  /** When it posted in the last 24 hours, ms, ascending, no two alike. */
  posts: number[];
}

/** Kind `app`, key `settings`: what the developer portal would hold. */
export interface AppSettings {
  audited: boolean;
  /** Creators who may post in 24 hours; null: no cap. */
  activeUserCap: number | null;
}

/** Kind `code`, by code. */
export interface AuthCode {
  openId: string;
  scopes: string[];
  redirectUri: string;
  /** Hex SHA-256 of the verifier, or null. */
  challenge: string | null;
  expiresAt: number;
  used: boolean;
}

/** Kind `grant`, by id. */
export interface Grant {
  openId: string;
  scopes: string[];
  /** The only one that works. */
  refreshToken: string;
  refreshExpiresAt: number;
  dead: boolean;
}

/** Kind `access`, by access token; kind `refresh`, by refresh token. */
export interface TokenRecord {
  grantId: string;
  expiresAt: number;
}

/** What a post says of itself besides its text and who may see it. */
export interface Wishes {
  noComments: boolean;
  noDuets: boolean;
  noStitches: boolean;
  ownBusiness: boolean;
  partnership: boolean;
  byMachine: boolean;
  /** ms from the beginning; the first picture where it was none or no moment of a 32-bit number. */
  coverAtMs: number;
}

/** Kind `task`, by upload id, owned by the open id. */
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
  chunks: { blob: string; bytes: number }[];
  /** Until when the upload address works, ms. */
  expiresAt: number;
  /** Chosen at init, shown when the post is public. */
  postId: string;
  trouble: Trouble | null;
  processingMs: number;
  failReason: string | null;
  mime: string;
  /** When the last byte was accepted, ms. */
  completedAt: number | null;
  /** Whether the books of the world have it. */
  announced: boolean;
}

/** Kind `video`, by post id, owned by the open id: what the Display API lists. */
export interface Video {
  postId: string;
  openId: string;
  username: string;
  title: string;
  privacy: string;
  /** Absent in records that were made before it was kept. */
  byMachine?: boolean;
  createdAt: number;
  visibleAt: number;
  durationMs: number;
  width: number;
  height: number;
}

/** Makes or finds the account of a user name. @throws Error for a name that cannot be one */
export async function enrolAccount(options: SimulatorOptions, given: string): Promise<Account> {
  const username = given.trim().replace(/^@/, '');
  if (!isUsername(username)) throw new Error('A user name has 1 to 64 characters and no slash.');
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
  await options.books.insert('account', openId, account);
  return (await options.books.get<Account>('account', openId)) ?? account;
}

export async function appSettings(options: SimulatorOptions): Promise<AppSettings> {
  return (await options.books.get<AppSettings>('app', 'settings')) ?? { audited: true, activeUserCap: null };
}

export function uploadedBytes(task: Task): number {
  return task.chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
}

export function publishIdOf(uploadId: string): string {
  return `v_pub_file~v2-1.${uploadId}`;
}

/** The upload id in a publish id, or null. */
export function uploadIdIn(publishId: string): string | null {
  return /^v_pub_file~v2-1\.(\d+)$/.exec(publishId)?.[1] ?? null;
}

/** A 64-bit id as the platform makes them: seconds in the upper half, odd, so that no double can hold it. */
export function newId(now: number): string {
  const seconds = BigInt(Math.max(1, Math.floor(now / 1000)));
  return String((seconds << 32n) | BigInt(randomBytes(4).readUInt32BE()) | 1n);
}

export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url').replaceAll('_', 'A').replaceAll('-', 'B');
}

function isUsername(text: string): boolean {
  return /^[^/\p{Cc}]{1,64}$/u.test(text);
}

function digest(kind: string, username: string): string {
  return createHash('sha256').update(`${kind}\n${username}`).digest('hex').slice(0, 32);
}
