/** Records of the simulator. Tests may change a record to create special states of an account or application. */
import { createHash } from 'node:crypto';
import type { SimulatorOptions } from '../../contract.ts';
import type { CodeRecord } from '../../oauth/codes.ts';
import type { RotatingGrant } from '../../oauth/tokens.ts';
import { usernameOf } from '../../oauth/usernames.ts';
import { defineSettings } from '../../store/records.ts';

export const SCOPES = [
  'boards:read',
  'boards:read_secret',
  'boards:write',
  'boards:write_secret',
  'pins:read',
  'pins:read_secret',
  'pins:write',
  'pins:write_secret',
  'user_accounts:read',
] as const;
export const KNOWN_SCOPES: readonly string[] = [...SCOPES, 'ads:read'];
export const PRIVACIES = ['PUBLIC', 'PROTECTED', 'SECRET'] as const;
export type Privacy = (typeof PRIVACIES)[number];

/** Kind `account`, by id. */
export interface Account {
  id: string;
  username: string;
  type: 'PINNER' | 'BUSINESS';
  /** null for a personal account. */
  businessName: string | null;
}

/** Kind `board`, by id, owned by the account. */
export interface Board {
  id: string;
  accountId: string;
  name: string;
  privacy: Privacy;
}

/** Kind `code`, by code. */
export interface AuthCode extends CodeRecord {
  accountId: string;
  scopes: string[];
}

/** Kind `grant`, by id. */
export interface Grant extends RotatingGrant {
  accountId: string;
  refreshExpiresAt: number;
}

/** Kind `medium`, by id, owned by the account. */
export interface Medium {
  id: string;
  accountId: string;
  /** Required fields of the upload form, verbatim. */
  parameters: Record<string, string>;
  /** Expiry of the form, in ms since the epoch. */
  expiresAt: number;
  /** null until a file was uploaded. */
  file: { blob: string; bytes: number; sha256: string } | null;
  uploadedAt: number | null;
  /** Whether processing fails. */
  failed: boolean;
}

/** The cover of a pin. */
export type Cover = { sha256: string } | { seconds: number } | { url: string };

/** Kind `pin`, by id, owned by the account. */
export interface Pin {
  id: string;
  accountId: string;
  boardId: string;
  title: string | null;
  description: string | null;
  link: string | null;
  altText: string | null;
  mediaId: string;
  /** The uploaded picture, or the named moment. */
  cover: Cover;
  /** What the pin shows of its video; absent: nothing. */
  film?: { durationMs: number; width: number; height: number };
  /** Id of another user's pin that this one is a save of. */
  savedFrom?: string;
  createdAt: number;
  /** When lists show the pin, in ms since the epoch; absent: after the usual delay. */
  listedFrom?: number;
  /** Whether the pin was published. */
  announced: boolean;
}

/** Kind `app`, key `settings`: the platform's view of the application, and its current behavior. */
export interface Settings {
  tier: 'trial' | 'standard';
  /** Whether this kind of account may post by the API. */
  consumerSupported: boolean;
  /** Whether a refresh returns a new refresh token (applications with continuous refresh). */
  continuous: boolean;
  /** Separator of scopes in token responses. */
  scopeSeparator: ' ' | ',';
  /** Whether videos fail in processing. */
  failMedia: boolean;
  /** Delay in ms until lists show a new pin. */
  listLagMs: number;
  /** Lists start with the oldest pin; their order is not documented. */
  oldestFirst: boolean;
  /** Offset in ms added to `created_at`, which has no time zone. */
  zoneMs: number;
}

/** Kind and key of the settings. */
export const SETTINGS = ['app', 'settings'] as const;
export const { read: settingsOf, variant } = defineSettings<Settings>(SETTINGS, {
  tier: 'standard',
  consumerSupported: true,
  continuous: true,
  scopeSeparator: ' ',
  failMedia: false,
  listLagMs: 0,
  oldestFirst: false,
  zoneMs: 0,
});

/** Creates or finds the account of a user name, with two boards. @throws InvalidUsername */
export async function enrolAccount(options: SimulatorOptions, given: string): Promise<Account> {
  const username = usernameOf(given, /^[\w.-]{1,64}$/, 'A user name has letters, digits, ".", "_" and "-".');
  const id = numberOf(`account ${username}`);
  const account: Account = { id, username, type: 'BUSINESS', businessName: `${username} makes` };
  const isNew = await options.store.insert('account', id, account);
  if (isNew) {
    await addBoard(options, id, 'Clips', 'PUBLIC', numberOf(`clips ${username}`));
    await addBoard(options, id, 'Drafts', 'SECRET', numberOf(`drafts ${username}`));
  }
  return (await options.store.get<Account>('account', id)) ?? account;
}

export async function addBoard(
  options: Pick<SimulatorOptions, 'store' | 'now' | 'serial'>,
  accountId: string,
  name: string,
  privacy: Privacy,
  id = newId(options),
): Promise<Board> {
  const board: Board = { id, accountId, name, privacy };
  await options.store.put('board', id, board, accountId);
  return board;
}

/** Returns a new decimal id that grows with time and exceeds the precision of a double. @param at ms since the epoch */
export function newId({ now, serial }: Pick<SimulatorOptions, 'now' | 'serial'>, at = now()): string {
  return String((BigInt(Math.max(1, Math.floor(at))) << 22n) | (BigInt(serial() % 2 ** 21) << 1n) | 1n);
}

/** Returns a stable id derived from a name. */
function numberOf(name: string): string {
  return `5${String(createHash('sha256').update(name).digest().readBigUInt64BE() % 10n ** 17n).padStart(17, '0')}`;
}
