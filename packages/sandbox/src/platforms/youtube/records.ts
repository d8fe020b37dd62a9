/** Record types of the simulator's store. Tests may change a record to simulate other states of a channel or app. */
import { createHash, randomBytes } from 'node:crypto';
import type { SimulatorOptions, Trouble } from '../../contract.ts';
import type { CodeRecord } from '../../oauth/codes.ts';
import type { RevocableGrant } from '../../oauth/tokens.ts';
import { usernameOf } from '../../oauth/usernames.ts';
import type { Chunk } from '../../store/chunks.ts';
import { defineSettings, findOrCreate } from '../../store/records.ts';

const BASE = 'https://www.googleapis.com/auth/';
export const UPLOAD = `${BASE}youtube.upload`;
export const READ = `${BASE}youtube.readonly`;
const ALL = `${BASE}youtube`;
const FORCE_SSL = `${BASE}youtube.force-ssl`;
export const OPENID = 'openid';
export const EMAIL = `${BASE}userinfo.email`;
export const PROFILE = `${BASE}userinfo.profile`;
/** Short names of OpenID Connect, which Google replaces by its own. */
export const SCOPE_ALIASES: Readonly<Record<string, string>> = { email: EMAIL, profile: PROFILE };
export const KNOWN_SCOPES: readonly string[] = [
  ...[UPLOAD, READ, ALL, FORCE_SSL, OPENID, EMAIL, PROFILE],
  ...Object.keys(SCOPE_ALIASES),
];
/** Any one of these scopes is sufficient. */
export const MAY_UPLOAD: readonly string[] = [UPLOAD, ALL, FORCE_SSL];
export const MAY_READ: readonly string[] = [READ, ALL, FORCE_SSL];
export const MAY_MANAGE: readonly string[] = [ALL, FORCE_SSL];

/** Kind `account`, keyed by channel id. */
export interface Account {
  channelId: string;
  username: string;
  title: string;
  /** False for a Google account that never created a channel. */
  hasChannel: boolean;
  suspended: boolean;
  /** Verified by phone, which allows custom thumbnails. */
  verified: boolean;
  longUploads: 'allowed' | 'disallowed' | 'eligible';
  /** How many more uploads the channel may start today; null: unlimited. */
  uploadsLeft: number | null;
}

/** Kind `app`, key `settings`: the project's settings at Google, and the behavior of the upload servers. */
export interface AppSettings {
  /** Uploads of an unaudited project are locked to private. */
  audited: boolean;
  /** The API is enabled for the project. */
  enabled: boolean;
  /** The consent screen is "External" and "Testing": refresh tokens expire after 7 days. */
  testing: boolean;
  /** Only the first half of each part is stored. */
  keepsHalf: boolean;
  /** Whether `fileDetails` contains the file name from the session's `Slug`. */
  namesFiles: boolean;
  /** How long the list of uploads lags, ms. */
  listLagMs: number;
  /** Status of the response for a session that no longer exists. */
  goneStatus: 404 | 410;
}

/** Kind `code`, keyed by code. */
export interface AuthCode extends CodeRecord {
  channelId: string;
  scopes: string[];
  /** For the identity token; null if the request had none. */
  nonce: string | null;
  /** PKCE code challenge (S256), or null. */
  challenge: string | null;
  /** Whether a refresh token is issued. */
  lasting: boolean;
}

/** Kind `grant`, keyed by id, owned by the channel id. */
export interface Grant extends RevocableGrant {
  channelId: string;
  /** When the refresh token expires, ms since the epoch; null: never. */
  endsAt: number | null;
}

/** Metadata of a video. */
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

/** Kind `session`, keyed by upload id, owned by the channel id. */
export interface Session {
  uploadId: string;
  channelId: string;
  /** Assigned at the start, returned with the last byte. */
  videoId: string;
  metadata: Metadata;
  /** Parts of the resource in the final response. */
  parts: string[];
  slug: string;
  /** In bytes; null until a request states it. */
  size: number | null;
  type: string;
  notifies: boolean;
  chunks: Chunk[];
  expiresAt: number;
  trouble: Trouble | null;
  processingMs: number;
  failureReason: string | null;
  /** When the last byte was accepted, ms since the epoch. */
  completedAt: number | null;
  /** Whether the video is on the channel and recorded as published. */
  announced: boolean;
}

/** Kind `video`, keyed by id, owned by the channel id. */
export interface Video {
  id: string;
  channelId: string;
  channelTitle: string;
  metadata: Metadata;
  fileName: string;
  fileSize: number;
  /** Absent or 0: unknown. */
  durationMs?: number;
  createdAt: number;
  /** When the list of uploads shows the video, ms since the epoch; absent: after the usual lag. */
  listedFrom?: number;
  processedAt: number;
  failureReason: string | null;
  rejectionReason: string | null;
  deleted: boolean;
  /** Hexadecimal SHA-256 of the current custom thumbnail. */
  thumbnail: string | null;
}

/** Finds or creates the channel of a username. @throws InvalidUsername */
export async function enrolAccount(options: SimulatorOptions, given: string): Promise<Account> {
  const username = usernameOf(given);
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
  return findOrCreate(options.store, 'account', channelId, account);
}

export const SETTINGS = ['app', 'settings'] as const;
export const { read: appSettings } = defineSettings<AppSettings>(SETTINGS, {
  audited: true,
  enabled: true,
  testing: false,
  keepsHalf: false,
  namesFiles: true,
  listLagMs: 0,
  goneStatus: 404,
});

/** Id of the playlist with all uploads of a channel. */
export function uploadsOf(channelId: string): string {
  return `UU${channelId.slice(2)}`;
}

/** Video ids have eleven characters. */
export function newVideoId(): string {
  return randomBytes(8).toString('base64url').slice(0, 11);
}
