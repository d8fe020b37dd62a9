/** Record types of the simulator's store. Tests may change a record to simulate other states of a Page or login. */
import { createHash, randomBytes } from 'node:crypto';
import type { SimulatorOptions, Trouble } from '../../contract.ts';
import type { PhoneMark } from '../../graph/phone.ts';
import type { CodeRecord } from '../../oauth/codes.ts';
import { usernameOf } from '../../oauth/usernames.ts';
import type { Chunk } from '../../store/chunks.ts';
import { defineSettings, findOrCreate } from '../../store/records.ts';

export const PERMISSIONS = ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts'] as const;
/** Needed to see Pages through a business portfolio, and to subscribe to a Page's changes. */
export const MORE_PERMISSIONS = ['business_management', 'pages_manage_metadata'] as const;
export const KNOWN_PERMISSIONS: readonly string[] = [
  ...['public_profile', 'email', ...PERMISSIONS, ...MORE_PERMISSIONS, 'publish_video'],
  ...['pages_manage_engagement', 'pages_read_user_content', 'read_insights'],
];
export const ALL_TASKS = ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MESSAGING', 'MODERATE', 'MANAGE'] as const;

/** Kind `user`, keyed by id. */
export interface User {
  id: string;
  username: string;
  /** Pages on which the user has a role, with its tasks. */
  roles: { pageId: string; tasks: string[] }[];
}

/** Kind `page`, keyed by id. */
export interface Page {
  id: string;
  username: string;
  name: string;
  category: string;
  /** When reels were published, ms since the epoch. */
  posts: number[];
}

/** Kind `code`, keyed by code. */
export interface AuthCode extends CodeRecord {
  grantId: string;
}

/** Kind `grant`, keyed by id: the result of one consent. */
export interface Grant {
  userId: string;
  /** Granted permissions; `declined` has the declined ones. */
  scopes: string[];
  declined: string[];
  /** Pages selected in the dialog. */
  pageIds: string[];
  /** Why its tokens are invalid (subcode of error 190); null while they are valid. */
  dead: { subcode: number; message: string } | null;
}

/** Kind `token`, keyed by token. */
export interface TokenRecord {
  grantId: string;
  /** The Page of a Page token, else null. */
  pageId: string | null;
  long: boolean;
  /** ms since the epoch; null: never. */
  expiresAt: number | null;
}

/** Kind `video`, keyed by id, owned by the Page. */
export interface Video {
  id: string;
  pageId: string;
  createdAt: number;
  /** Size of the whole file in bytes, as announced by the first transfer; null before it. */
  size: number | null;
  parts: Chunk[];
  /** When the last byte arrived, ms since the epoch. */
  uploadedAt: number | null;
  processingMs: number;
  /** The error that processing ends with, or null for success. */
  failure: { code: number; message: string } | null;
  state: 'PUBLISHED' | 'SCHEDULED' | 'DRAFT' | null;
  /** When it was finished, ms since the epoch. */
  finishedAt: number | null;
  description: string;
  title: string;
  trouble: Trouble | null;
  /** Uploaded thumbnails, the latest last. */
  thumbnails: { sha256: string; bytes: number; preferred: boolean }[];
  /** Duration shown in lists, seconds; null: omitted. */
  lengthSeconds: number | null;
  announced: boolean;
  /** Type of the file. Default: MP4. */
  mime?: string;
  phone?: PhoneMark;
  /** Its sound is protected, so its file is not given. */
  flagged?: boolean;
}

/** Kind `switches`, key `all`: other documented or plausible platform behaviors. */
export interface Switches {
  /** Processing starts with the finish phase. Until it ends, publishing counts as not started. */
  processAfterFinish?: boolean;
  /** Finishing the same video again publishes it again. */
  finishTwice?: boolean;
  processingMs?: number;
  /** How long a received upload is not complete yet, so that it cannot be finished, ms. */
  settleMs?: number;
  /** Videos are not shown to Page tokens, but to the person's. */
  hiddenFromPages?: boolean;
  /** Lists do not give the URLs of files; single videos do. */
  noSourceInLists?: boolean;
  /** How long the URL of a file works, ms. */
  fileLifeMs?: number;
  /** Pages belong to a business portfolio, on this list, so `me/accounts` does not have them. */
  portfolio?: 'owned_pages' | 'client_pages';
}
export const SWITCHES = ['switches', 'all'] as const;
export const { read: switchesOf, variant } = defineSettings<Switches>(SWITCHES, {});

/** Finds or creates a login with a role on these Pages. @throws InvalidUsername */
export async function enrolUser(options: SimulatorOptions, given: string, pageNames: readonly string[] = []) {
  const username = usernameOf(given);
  const pages = await Promise.all(
    (pageNames.length > 0 ? pageNames : [username]).map((name) => makePage(options, name)),
  );
  const id = numberFrom('user', username, '10158');
  await options.store.change<User>('user', id, (known) => {
    const roles = known?.roles ?? [];
    const fresh = pages.filter((page) => !roles.some(({ pageId }) => pageId === page.id));
    return { id, username, roles: [...roles, ...fresh.map((page) => ({ pageId: page.id, tasks: [...ALL_TASKS] }))] };
  });
  return { userId: id, pages };
}

async function makePage(options: SimulatorOptions, given: string): Promise<Page> {
  const username = usernameOf(given);
  const id = numberFrom('page', username, '104');
  const page: Page = { id, username, name: username, category: 'Video Creator', posts: [] };
  return findOrCreate(options.store, 'page', id, page);
}

/** Fifteen digits, derived from a name. */
function numberFrom(kind: string, name: string, prefix: string): string {
  const digits = BigInt(`0x${createHash('sha256').update(`${kind}\n${name}`).digest('hex')}`).toString();
  return (prefix + digits).slice(0, 15);
}

/** A video whose upload has been opened. */
export function newVideo({ now, processingMs }: Pick<SimulatorOptions, 'now' | 'processingMs'>, page: Page): Video {
  return {
    id: newVideoId(),
    pageId: page.id,
    createdAt: now(),
    size: null,
    parts: [],
    uploadedAt: null,
    processingMs,
    failure: null,
    state: null,
    finishedAt: null,
    description: '',
    title: '',
    trouble: null,
    thumbnails: [],
    lengthSeconds: null,
    announced: false,
  };
}

export function newVideoId(): string {
  return `9${String(randomBytes(6).readUIntBE(0, 6)).padStart(15, '0').slice(-15)}`;
}

export function newToken(): string {
  return `EAA${randomBytes(48).toString('base64url').replace(/[-_]/g, 'Z')}`;
}
