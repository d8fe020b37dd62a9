/** Records of the simulator. Tests may change a record to create special states of a profile or application. */
import { createHash, randomBytes } from 'node:crypto';
import type { SimulatorOptions } from '../../contract.ts';

export const SCOPE = 'snapchat-profile-api';
export const KNOWN_SCOPES: readonly string[] = [SCOPE, 'snapchat-marketing-api'];

/** Kind `profile`, by id. */
export interface Profile {
  id: string;
  organizationId: string;
  username: string;
  displayName: string;
}

/** Kind `code`, by code. */
export interface AuthCode {
  profileId: string;
  scopes: string[];
  redirectUri: string;
  expiresAt: number;
  used: boolean;
}

/** Kind `grant`, by id. */
export interface Grant {
  profileId: string;
  scopes: string[];
  /** The only valid refresh token. */
  refreshToken: string;
  dead: boolean;
}

/** Kind `access`, by access token; kind `refresh`, by refresh token. */
export interface TokenRecord {
  grantId: string;
  expiresAt: number;
}

/** Kind `medium`, by id, owned by the profile. */
export interface Medium {
  id: string;
  profileId: string;
  /** Base64. */
  key: string;
  iv: string;
  createdAt: number;
  /** By part number. */
  parts: Record<string, { blob: string; bytes: number }>;
  finalizedAt: number | null;
  /** The decrypted file; null if the parts did not match the key. */
  plain: { blob: string; bytes: number; sha256: string } | null;
  /** Time of the last post request, in ms since the epoch. */
  postedAt: number | null;
}

/** Kind `spotlight`, by id, owned by the profile. */
export interface Spotlight {
  id: string;
  profileId: string;
  mediaId: string;
  caption: string;
  locale: string;
  savedToProfile: boolean;
  createdAt: number;
  rejected: boolean;
  /** Whether the spotlight was published. */
  announced: boolean;
}

/** Kind `app`, key `settings`: the platform's view of the application, and its current behavior. */
export interface Settings {
  allowlisted: boolean;
  /** Form of the error for a client that is not allowlisted. */
  forbidden: 'code' | 'empty';
  /** HTTP status of an error with a code. */
  errorStatus: 200 | 400;
  profileShape: 'flat' | 'list';
  /** Whether a refresh returns a new refresh token. */
  rotates: boolean;
  /** How long in ms a posted medium counts as being in progress. */
  postingMs: number;
  /** Delay in ms until the list shows a new spotlight. */
  listLagMs: number;
  /** The list starts with the oldest spotlight; its order is not documented. */
  oldestFirst: boolean;
}

const USUAL: Settings = {
  allowlisted: true,
  forbidden: 'code',
  errorStatus: 400,
  profileShape: 'flat',
  rotates: true,
  postingMs: 0,
  listLagMs: 0,
  oldestFirst: false,
};

/** Kind and key of the settings. */
export const SETTINGS = ['app', 'settings'] as const;

export async function settingsOf({ books }: Pick<SimulatorOptions, 'books'>): Promise<Settings> {
  return { ...USUAL, ...(await books.get<Partial<Settings>>(...SETTINGS)) };
}

/** Creates or finds the profile of a user name. @throws Error if the name is invalid */
export async function enrolProfile(options: SimulatorOptions, given: string): Promise<Profile> {
  const username = given.trim().replace(/^@/, '');
  if (!/^[\w.-]{1,64}$/.test(username)) throw new Error('A user name has letters, digits, ".", "_" and "-".');
  const id = uuidOf(`profile ${username}`);
  const organizationId = uuidOf(`organization ${username}`);
  await options.books.insert<Profile>('profile', id, { id, organizationId, username, displayName: username });
  return (await options.books.get<Profile>('profile', id)) ?? { id, organizationId, username, displayName: username };
}

export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** Returns a stable id derived from a name. */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
