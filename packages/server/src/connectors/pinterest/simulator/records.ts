/** What the books hold. Tests may change a record to bring about what a real account or application can be. */
import { createHash, randomBytes } from 'node:crypto';
import type { SimulatorOptions } from '../../kit/simulator.ts';

export const SCOPES = ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read'] as const;
export const KNOWN_SCOPES: readonly string[] = [...SCOPES, 'boards:read_secret', 'pins:read_secret', 'ads:read'];
export const PRIVACIES = ['PUBLIC', 'PROTECTED', 'SECRET'] as const;
export type Privacy = (typeof PRIVACIES)[number];

/** Kind `account`, by id. */
export interface Account {
  id: string;
  username: string;
  type: 'PINNER' | 'BUSINESS';
  /** null: a private person's account. */
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
export interface AuthCode {
  accountId: string;
  scopes: string[];
  redirectUri: string;
  expiresAt: number;
  used: boolean;
}

/** Kind `grant`, by id. */
export interface Grant {
  accountId: string;
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

/** Kind `medium`, by id, owned by the account. */
export interface Medium {
  id: string;
  accountId: string;
  /** What the upload form has to carry, word for word. */
  parameters: Record<string, string>;
  /** Until when the form is taken, ms. */
  expiresAt: number;
  /** null until a file has come. */
  file: { blob: string; bytes: number; sha256: string } | null;
  uploadedAt: number | null;
  /** Whether processing ends with a failure. */
  failed: boolean;
}

/** What a pin shows before it is played. */
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
  /** The picture that came, or the moment that was named. */
  cover: Cover;
  createdAt: number;
  /** Whether the books of the world have it. */
  announced: boolean;
}

/** Kind `app`, key `settings`: what the platform knows of the application, and how it is today. */
export interface Settings {
  tier: 'trial' | 'standard';
  /** Whether the account's kind may post by the interface at all. */
  consumerSupported: boolean;
  /** Whether renewing gives a new refresh token (applications with continuous refresh). */
  continuous: boolean;
  /** Between scopes in the token's answer. */
  scopeSeparator: ' ' | ',';
  /** Whether videos fail in processing. */
  failMedia: boolean;
  /** How long after it was made a pin is not in any list, ms. */
  listLagMs: number;
  /** Lists begin with the oldest pin: their order is not promised. */
  oldestFirst: boolean;
  /** What is added to `created_at`, which names no zone, ms. */
  zoneMs: number;
}

const USUAL: Settings = {
  tier: 'standard',
  consumerSupported: true,
  continuous: true,
  scopeSeparator: ' ',
  failMedia: false,
  listLagMs: 0,
  oldestFirst: false,
  zoneMs: 0,
};

/** Where the settings lie in the books: kind and key. */
export const SETTINGS = ['app', 'settings'] as const;

export async function settingsOf({ books }: Pick<SimulatorOptions, 'books'>): Promise<Settings> {
  return { ...USUAL, ...(await books.get<Partial<Settings>>(...SETTINGS)) };
}

/** Makes or finds the account of a user name, with two boards. @throws Error for a name that cannot be one */
export async function enrolAccount(options: SimulatorOptions, given: string): Promise<Account> {
  const username = given.trim().replace(/^@/, '');
  if (!/^[\w.-]{1,64}$/.test(username)) throw new Error('A user name has letters, digits, ".", "_" and "-".');
  const id = numberOf(`account ${username}`);
  const account: Account = { id, username, type: 'BUSINESS', businessName: `${username} makes` };
  const isNew = await options.books.insert('account', id, account);
  if (isNew) {
    await addBoard(options, id, 'Clips', 'PUBLIC', numberOf(`clips ${username}`));
    await addBoard(options, id, 'Drafts', 'SECRET', numberOf(`drafts ${username}`));
  }
  return (await options.books.get<Account>('account', id)) ?? account;
}

export async function addBoard(
  { books, now }: Pick<SimulatorOptions, 'books' | 'now'>,
  accountId: string,
  name: string,
  privacy: Privacy,
  id = newId(now()),
): Promise<Board> {
  const board: Board = { id, accountId, name, privacy };
  await books.put('board', id, board, accountId);
  return board;
}

/** A decimal id that grows with time, too large for a double. */
export function newId(now: number): string {
  return String((BigInt(Math.max(1, Math.floor(now))) << 22n) | BigInt(randomBytes(4).readUInt32BE() >>> 10) | 1n);
}

export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

/** An id that follows from a name, so that it is the same for ever. */
function numberOf(name: string): string {
  return `5${String(createHash('sha256').update(name).digest().readBigUInt64BE() % 10n ** 17n).padStart(17, '0')}`;
}
