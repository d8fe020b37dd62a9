/** What the books hold. Tests may change a record to bring about what a real profile or application can be. */
import { createHash, randomBytes } from 'node:crypto';
import type { SimulatorOptions } from '../../kit/simulator.ts';

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
  /** The only one that works. */
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
  /** What came out of the parts; null where they did not fit the key. */
  plain: { blob: string; bytes: number; sha256: string } | null;
  /** When it was last posted, ms. */
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
  /** Whether the books of the world have it. */
  announced: boolean;
}

/** Kind `app`, key `settings`: what the platform knows of the application, and how it is today. */
export interface Settings {
  allowlisted: boolean;
  /** What a client that is not let in is told. */
  forbidden: 'code' | 'empty';
  /** HTTP status of an error that has a code. */
  errorStatus: 200 | 400;
  profileShape: 'flat' | 'list';
  /** Whether renewing gives a new refresh token. */
  rotates: boolean;
  /** How long a medium that was posted counts as being posted, ms. */
  postingMs: number;
  /** How long after it was made a spotlight is not in the list, ms. */
  listLagMs: number;
  /** The list begins with the oldest: its order is not known. */
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

/** Where the settings lie in the books: kind and key. */
export const SETTINGS = ['app', 'settings'] as const;

export async function settingsOf({ books }: Pick<SimulatorOptions, 'books'>): Promise<Settings> {
  return { ...USUAL, ...(await books.get<Partial<Settings>>(...SETTINGS)) };
}

/** Makes or finds the profile of a user name. @throws Error for a name that cannot be one */
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

/** An id that follows from a name, so that it is the same for ever. */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
