/** Records of the simulator. Tests may change a record to create special states of a profile or application. */
import { createHash } from 'node:crypto';
import type { SimulatorOptions } from '../../contract.ts';
import type { CodeRecord } from '../../oauth/codes.ts';
import type { RotatingGrant } from '../../oauth/tokens.ts';
import { usernameOf } from '../../oauth/usernames.ts';
import type { Chunk } from '../../store/chunks.ts';
import { defineSettings, findOrCreate } from '../../store/records.ts';

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
export interface AuthCode extends CodeRecord {
  profileId: string;
  scopes: string[];
}

/** Kind `grant`, by id. */
export interface Grant extends RotatingGrant {
  profileId: string;
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
  parts: Record<string, Chunk>;
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
  /** A snap for friends, which is no spotlight: the API and the web do not show it. */
  forFriends?: boolean;
  createdAt: number;
  /** When the list shows the spotlight, in ms since the epoch; absent: after the usual delay. */
  listedFrom?: number;
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
  /** A full list states the next page, as Snapchat's Ads API does. Not documented for spotlights. */
  pages: boolean;
}

/** Kind and key of the settings. */
export const SETTINGS = ['app', 'settings'] as const;
export const { read: settingsOf, variant } = defineSettings<Settings>(SETTINGS, {
  allowlisted: true,
  forbidden: 'code',
  errorStatus: 400,
  profileShape: 'flat',
  rotates: true,
  postingMs: 0,
  listLagMs: 0,
  oldestFirst: false,
  pages: false,
});

/** Creates or finds the profile of a user name. @throws InvalidUsername */
export async function enrolProfile(options: SimulatorOptions, given: string): Promise<Profile> {
  const username = usernameOf(given, /^[\w.-]{1,64}$/, 'A user name has letters, digits, ".", "_" and "-".');
  const id = uuidOf(`profile ${username}`);
  const organizationId = uuidOf(`organization ${username}`);
  return findOrCreate<Profile>(options.store, 'profile', id, { id, organizationId, username, displayName: username });
}

/** Returns a stable id derived from a name. */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
