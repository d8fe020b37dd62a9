/** What the books hold. Tests may change a record to bring about what a real channel or application can be. */
import { createHash, randomBytes } from 'node:crypto';
import type { SimulatorOptions, Trouble } from '../../kit/simulator.ts';

const BASE = 'https://www.googleapis.com/auth/';
export const UPLOAD = `${BASE}youtube.upload`;
export const READ = `${BASE}youtube.readonly`;
const ALL = `${BASE}youtube`;
const FORCE_SSL = `${BASE}youtube.force-ssl`;
export const KNOWN_SCOPES: readonly string[] = [UPLOAD, READ, ALL, FORCE_SSL];
/** Any of these is enough. */
export const MAY_UPLOAD: readonly string[] = [UPLOAD, ALL, FORCE_SSL];
export const MAY_READ: readonly string[] = [READ, ALL, FORCE_SSL];

/** Kind `account`, by channel id. */
export interface Account {
  channelId: string;
  username: string;
  title: string;
  /** False: a Google account that never made a channel. */
  hasChannel: boolean;
  suspended: boolean;
  /** By phone: may have pictures of its own. */
  verified: boolean;
  longUploads: 'allowed' | 'disallowed' | 'eligible';
  /** How many uploads the channel may still begin today; null: as many as it likes. */
  uploadsLeft: number | null;
}

/** Kind `app`, key `settings`: what Google knows of the project, and how the upload servers behave today. */
export interface AppSettings {
  /** Uploads of a project that was not audited are locked to private. */
  audited: boolean;
  /** The API is switched on for the project. */
  enabled: boolean;
  /** The consent screen is "External" and in "Testing": refresh tokens die after 7 days. */
  testing: boolean;
  /** Of every part only the first half is kept. */
  keepsHalf: boolean;
  /** Whether `fileDetails` names the file by the `Slug` of its session. */
  namesFiles: boolean;
  /** How long the list of uploads lags behind, ms. */
  listLagMs: number;
  /** How a session that is gone is refused. */
  goneStatus: 404 | 410;
}

/** Kind `code`, by code. */
export interface AuthCode {
  channelId: string;
  scopes: string[];
  redirectUri: string;
  /** Of PKCE (S256), or null. */
  challenge: string | null;
  /** Whether a refresh token goes along. */
  lasting: boolean;
  expiresAt: number;
  used: boolean;
}

/** Kind `grant`, by id, owned by the channel id. */
export interface Grant {
  channelId: string;
  scopes: string[];
  dead: boolean;
  /** When its refresh token ends; null: no fixed end. */
  endsAt: number | null;
}

/** Kind `access`, by access token. */
export interface AccessRecord {
  grantId: string;
  expiresAt: number;
}

/** Kind `refresh`, by refresh token. */
export interface RefreshRecord {
  grantId: string;
}

/** What a video is told to be. */
export interface Metadata {
  title: string;
  description: string;
  tags: string[];
  categoryId: string;
  privacyStatus: string;
  selfDeclaredMadeForKids: boolean | null;
  containsSyntheticMedia: boolean | null;
  embeddable: boolean;
  license: string;
  publishAt: string | null;
}

/** Kind `session`, by upload id, owned by the channel id. */
export interface Session {
  uploadId: string;
  channelId: string;
  /** Chosen at the start, given out with the last byte. */
  videoId: string;
  metadata: Metadata;
  /** Which parts of the resource are answered in the end. */
  parts: string[];
  slug: string;
  size: number;
  type: string;
  notifies: boolean;
  chunks: { blob: string; bytes: number }[];
  expiresAt: number;
  trouble: Trouble | null;
  processingMs: number;
  failureReason: string | null;
  /** When the last byte was taken, ms. */
  completedAt: number | null;
  /** Whether the channel and the books of the world have it. */
  announced: boolean;
}

/** Kind `video`, by id, owned by the channel id. */
export interface Video {
  id: string;
  channelId: string;
  channelTitle: string;
  metadata: Metadata;
  fileName: string;
  fileSize: number;
  createdAt: number;
  processedAt: number;
  failureReason: string | null;
  rejectionReason: string | null;
  deleted: boolean;
  /** Hex SHA-256 of the picture that was set last. */
  thumbnail: string | null;
}

/** Makes or finds the channel of a user name. @throws Error for a name that cannot be one */
export async function enrolAccount(options: SimulatorOptions, given: string): Promise<Account> {
  const username = given.trim().replace(/^@/, '');
  if (!/^[^/\p{Cc}]{1,64}$/u.test(username)) throw new Error('A user name has 1 to 64 characters and no slash.');
  const channelId = `UC${createHash('sha256').update(username).digest('base64url').slice(0, 22)}`;
  const account: Account = {
    channelId,
    username,
    title: username,
    hasChannel: true,
    suspended: false,
    verified: true,
    longUploads: 'allowed',
    uploadsLeft: null,
  };
  await options.books.insert('account', channelId, account);
  return (await options.books.get<Account>('account', channelId)) ?? account;
}

export const SETTINGS = ['app', 'settings'] as const;

/** How things are unless a test has said otherwise. */
export async function appSettings(options: SimulatorOptions): Promise<AppSettings> {
  return {
    audited: true,
    enabled: true,
    testing: false,
    keepsHalf: false,
    namesFiles: true,
    listLagMs: 0,
    goneStatus: 404,
    ...(await options.books.get<Partial<AppSettings>>(...SETTINGS)),
  };
}

/** Id of the list that holds all uploads of a channel. */
export function uploadsOf(channelId: string): string {
  return `UU${channelId.slice(2)}`;
}

export function keptBytes(session: Session): number {
  return session.chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
}

/** Eleven characters, as the ids of videos have. */
export function newVideoId(): string {
  return randomBytes(8).toString('base64url').slice(0, 11);
}

export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}
