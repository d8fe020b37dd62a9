/** Record types of the simulator's store. Tests may change a record to simulate other states of an account or app. */
import { createHash, randomInt } from 'node:crypto';
import type { SimulatorOptions, Trouble } from '../../contract.ts';
import { FILE_LIFE_MS } from '../../graph/files.ts';
import type { PhoneMark } from '../../graph/phone.ts';
import type { CodeRecord } from '../../oauth/codes.ts';
import { usernameOf } from '../../oauth/usernames.ts';
import type { Chunk } from '../../store/chunks.ts';
import { defineSettings, findOrCreate } from '../../store/records.ts';

export const VERSIONS: readonly string[] = ['v24.0', 'v25.0', 'v26.0'];

export type Login = 'instagram' | 'facebook';

export const SCOPES: Record<Login, readonly string[]> = {
  instagram: ['instagram_business_basic', 'instagram_business_content_publish'],
  facebook: ['instagram_basic', 'instagram_content_publish', 'pages_read_engagement', 'pages_show_list'],
};
export const KNOWN_SCOPES: Record<Login, readonly string[]> = {
  instagram: [...SCOPES.instagram, 'instagram_business_manage_comments', 'instagram_business_manage_messages'],
  facebook: [
    ...[...SCOPES.facebook, 'business_management', 'pages_manage_metadata', 'ads_management', 'ads_read'],
    ...['public_profile', 'instagram_manage_insights', 'instagram_manage_comments'],
  ],
};

/** Kind `settings`, key `app`: the platform's behavior. */
export interface Settings {
  /** The login that `enrol` uses. */
  login: Login;
  /** Whether the code exchange wraps its response in a list, as documented, or is flat, as often observed. */
  wrapped: boolean;
  /** `quota_total` of `content_publishing_limit`. */
  quotaTotal: number;
  /** Calls per account in 24 hours, enforced if limits are enabled; null: unlimited. */
  calls: number | null;
  /** Delay before the list shows a new medium, ms. */
  listLagMs: number;
  /** Delay before a container reports PUBLISHED, ms. */
  statusLagMs: number;
  /** Facebook's host requires `appsecret_proof` on every call. */
  demandsProof: boolean;
  /** Single containers and media are not shown to Page tokens, as reported since May 2026. */
  hiddenFromPages: boolean;
  /** Pages belong to a business portfolio, on this list, so `me/accounts` does not have them; null: to none. */
  portfolio: 'owned_pages' | 'client_pages' | null;
  /** The account that is signed in at the browser, which is used unless the request forces another sign-in. */
  signedIn: string | null;
  /** A seven-digit code with which every container fails; null: none. */
  failing: string | null;
  /** How long the URL of a file works, ms. */
  fileLifeMs: number;
}

export const { read: settingsOf, variant } = defineSettings<Settings>(['settings', 'app'], {
  login: 'instagram',
  wrapped: false,
  quotaTotal: 50,
  calls: null,
  listLagMs: 0,
  statusLagMs: 0,
  demandsProof: false,
  hiddenFromPages: false,
  portfolio: null,
  signedIn: null,
  failing: null,
  fileLifeMs: FILE_LIFE_MS,
});

/** Kind `account`, keyed by Instagram id. */
export interface Account {
  igId: string;
  /** The app-scoped id, which is not valid in paths. */
  scopedId: string;
  username: string;
  name: string;
  type: 'BUSINESS' | 'MEDIA_CREATOR' | 'PERSONAL';
  page: { id: string; name: string; tasks: string[] };
  restricted: boolean;
  spam: boolean;
}

/** Kind `code`, keyed by code. */
export interface AuthCode extends CodeRecord {
  login: Login;
  person: string;
  igIds: string[];
  scopes: string[];
  declined: string[];
}

/** Kind `grant`, keyed by id: what one consent permits. */
export interface Grant {
  login: Login;
  /** Id of the person who consented, whose Facebook Login is one consent for all accounts. */
  person: string;
  /** One account with Instagram Login; those of the selected Pages with Facebook Login. */
  igIds: string[];
  scopes: string[];
  /** Permissions that the person declined. */
  declined: string[];
  /** Subcode of the error for its tokens; null while they are valid. */
  dead: 458 | 460 | 467 | null;
}

/** Kind `token`, keyed by token. */
export interface TokenRecord {
  grantId: string;
  life: 'short' | 'long' | 'page';
  /** The account of a Page token, else null. */
  igId: string | null;
  issuedAt: number;
  /** ms since the epoch; null: never. */
  expiresAt: number | null;
}

/** Kind `container`, keyed by id, owned by the account's id. */
export interface Container {
  id: string;
  igId: string;
  caption: string;
  shareToFeed: boolean;
  /** Position of the thumbnail frame, ms. */
  thumbOffset: number;
  source: 'url' | 'upload';
  chunks: Chunk[];
  /** Size in bytes, as announced by the upload; null before it. */
  size: number | null;
  mime: string;
  createdAt: number;
  processingMs: number;
  /** When all bytes had arrived, ms since the epoch. */
  completeAt: number | null;
  failCode: string | null;
  trouble: Trouble | null;
  /** One entry per successful `media_publish`. */
  media: { id: string; at: number }[];
}

/** Kind `media`, keyed by id, owned by the account's id. */
export interface Medium {
  id: string;
  igId: string;
  username: string;
  caption: string;
  shortcode: string;
  shareToFeed: boolean;
  createdAt: number;
  /** The video's bytes. */
  blobs: string[];
  mime: string;
  /** Deleted by its owner. */
  removed?: boolean;
  phone?: PhoneMark;
  /** Default: a reel. */
  kind?: 'reel' | 'photo' | 'story' | 'carousel';
  /** Types of a carousel's children. */
  children?: ('IMAGE' | 'VIDEO')[];
  /** Its sound is protected, so its file is not given. */
  flagged?: boolean;
}

/** Finds or creates the account of a username, with its Page. @throws InvalidUsername */
export async function enrolAccount(options: SimulatorOptions, given: string): Promise<Account> {
  const username = usernameOf(given, /^[^/\s,\p{Cc}]{1,64}$/u);
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
  return findOrCreate(options.store, 'account', igId, account);
}

/** An id of 17 digits, which exceeds the safe integers of a double. @param head its first two digits */
export function newId(head: '17' | '18'): string {
  return `${head}9${String(randomInt(10 ** 14)).padStart(14, '0')}`;
}

/** The id of a person at Facebook. */
export function personOf(name: string): string {
  return `10158${digits('person', name, 10)}`;
}

function digits(kind: string, username: string, count: number): string {
  const hash = createHash('sha256').update(`${kind}\n${username}`).digest('hex').slice(0, 30);
  return String(BigInt(`0x${hash}`))
    .slice(0, count)
    .padEnd(count, '7');
}
