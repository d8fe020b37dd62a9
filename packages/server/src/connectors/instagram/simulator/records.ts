/** What the books hold. Tests may change a record to bring about what a real account or application can be. */
import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { SimulatorOptions, Trouble } from '../../kit/simulator.ts';

export const DAY_MS = 86_400_000;
export const VERSIONS: readonly string[] = ['v24.0', 'v25.0', 'v26.0'];

export type Login = 'instagram' | 'facebook';

export const SCOPES: Record<Login, readonly string[]> = {
  instagram: ['instagram_business_basic', 'instagram_business_content_publish'],
  facebook: ['instagram_basic', 'instagram_content_publish', 'pages_read_engagement', 'pages_show_list'],
};
export const KNOWN_SCOPES: Record<Login, readonly string[]> = {
  instagram: [...SCOPES.instagram, 'instagram_business_manage_comments', 'instagram_business_manage_messages'],
  facebook: [...SCOPES.facebook, 'business_management', 'ads_management', 'ads_read'],
};

/** Kind `settings`, key `app`: how the platform is at present. */
export interface Settings {
  /** The kind of login that `enrol` gives. */
  login: Login;
  /** Whether the code exchange wraps its answer in a list, as documented, or answers flat, as often seen. */
  wrapped: boolean;
  /** Of `content_publishing_limit`. */
  quotaTotal: number;
  /** Calls of one account in 24 hours, in force with limits; null: uncounted. */
  calls: number | null;
  /** How late a new medium shows in the list, ms. */
  listLagMs: number;
  /** How late a container says that it is published, ms. */
  statusLagMs: number;
  /** Facebook's host takes no call without the proof of the application's secret. */
  demandsProof: boolean;
  /** A seven-digit code that every container ends with; null: none. */
  failing: string | null;
}

export const ORDINARY: Settings = {
  login: 'instagram',
  wrapped: false,
  quotaTotal: 50,
  calls: null,
  listLagMs: 0,
  statusLagMs: 0,
  demandsProof: false,
  failing: null,
};

/** Kind `account`, by its Instagram id. */
export interface Account {
  igId: string;
  /** What the application knows it by; good for nothing in paths. */
  scopedId: string;
  username: string;
  name: string;
  type: 'BUSINESS' | 'MEDIA_CREATOR' | 'PERSONAL';
  page: { id: string; name: string; tasks: string[] };
  restricted: boolean;
  spam: boolean;
}

/** Kind `code`, by code. */
export interface AuthCode {
  login: Login;
  igIds: string[];
  scopes: string[];
  redirectUri: string;
  expiresAt: number;
  used: boolean;
}

/** Kind `grant`, by id: what one consent allows. */
export interface Grant {
  login: Login;
  /** One with Instagram's login, those of the ticked Pages with Facebook's. */
  igIds: string[];
  scopes: string[];
  /** Subcode that its tokens are refused with; null while they work. */
  dead: 458 | 460 | 467 | null;
}

/** Kind `token`, by token. */
export interface TokenRecord {
  grantId: string;
  life: 'short' | 'long' | 'page';
  /** The account of a Page's token. */
  igId: string | null;
  issuedAt: number;
  /** null: never. */
  expiresAt: number | null;
}

/** Kind `container`, by id, owned by the account's id. */
export interface Container {
  id: string;
  igId: string;
  caption: string;
  shareToFeed: boolean;
  /** Which frame is the picture, ms. */
  thumbOffset: number;
  source: 'url' | 'upload';
  chunks: { blob: string; bytes: number }[];
  /** As the upload announces it; null before. */
  size: number | null;
  mime: string;
  createdAt: number;
  processingMs: number;
  /** When all bytes were there. */
  completeAt: number | null;
  failCode: string | null;
  trouble: Trouble | null;
  /** Each success of `media_publish`. */
  media: { id: string; at: number }[];
}

/** Kind `media`, by id, owned by the account's id. */
export interface Medium {
  id: string;
  igId: string;
  username: string;
  caption: string;
  shortcode: string;
  shareToFeed: boolean;
  createdAt: number;
}

export async function settingsOf({ books }: SimulatorOptions): Promise<Settings> {
  return { ...ORDINARY, ...(await books.get<Partial<Settings>>('settings', 'app')) };
}

/** Makes or finds the account of a user name, with its Page. @throws Error for a name that cannot be one */
export async function enrolAccount(options: SimulatorOptions, given: string): Promise<Account> {
  const username = given.trim().replace(/^@/, '');
  if (!/^[^/\s,\p{Cc}]{1,64}$/u.test(username)) throw new Error('A user name has 1 to 64 characters and no slash.');
  const igId = `17841${digits('account', username, 12)}`;
  const account: Account = {
    igId,
    scopedId: `2${digits('scoped', username, 16)}`,
    username,
    name: username,
    type: 'BUSINESS',
    page: { id: `10${digits('page', username, 13)}`, name: `Page of ${username}`, tasks: ['CREATE_CONTENT', 'MANAGE'] },
    restricted: false,
    spam: false,
  };
  await options.books.insert('account', igId, account);
  return (await options.books.get<Account>('account', igId)) ?? account;
}

/** An id of 17 digits, more than a double can hold. @param head its first two digits */
export function newId(head: '17' | '18'): string {
  return `${head}9${String(randomInt(10 ** 14)).padStart(14, '0')}`;
}

export function newSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url').replaceAll('_', 'A').replaceAll('-', 'B');
}

export function bytesOf(container: Pick<Container, 'chunks'>): number {
  return container.chunks.reduce((sum, { bytes }) => sum + bytes, 0);
}

function digits(kind: string, username: string, count: number): string {
  const hash = createHash('sha256').update(`${kind}\n${username}`).digest('hex').slice(0, 30);
  return String(BigInt(`0x${hash}`))
    .slice(0, count)
    .padEnd(count, '7');
}
