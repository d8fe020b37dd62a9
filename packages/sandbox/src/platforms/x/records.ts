/** Record types of the simulator's store. Tests may change a record to simulate other states of an account or app. */
import { createHash } from 'node:crypto';
import type { SimulatorOptions } from '../../contract.ts';
import type { CodeRecord } from '../../oauth/codes.ts';
import { newSecret as randomSecret } from '../../oauth/tokens.ts';
import { usernameOf } from '../../oauth/usernames.ts';
import type { Chunk } from '../../store/chunks.ts';
import { defineSettings, findOrCreate } from '../../store/records.ts';

export const SCOPES = ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'] as const;
export const KNOWN_SCOPES: readonly string[] = [
  ...SCOPES,
  'follows.read',
  'follows.write',
  'like.read',
  'like.write',
  'list.read',
  'list.write',
  'space.read',
  'mute.read',
  'mute.write',
  'block.read',
  'block.write',
  'bookmark.read',
  'bookmark.write',
  'tweet.moderate.write',
  'users.email',
];

/** Kind `account`, keyed by id. */
export interface Account {
  id: string;
  username: string;
  name: string;
  subscription: 'None' | 'Basic' | 'Premium' | 'PremiumPlus';
  /** Suspended or locked: may not write. */
  locked: boolean;
  /** If not null, every post with media is rejected as longer than this many minutes. */
  maxVideoMinutes: number | null;
  /** Only followers see the posts. */
  protected?: boolean;
}

/** Behavior of the platform and the app; kind and key are {@link SWITCHES}. */
export interface XSwitches {
  /** Why the app's calls are rejected: no credits left, not enrolled, or its monthly reads used up. */
  application?: 'no-credits' | 'credits-depleted' | 'not-enrolled' | 'forbidden' | 'usage-capped';
  /** Delay before lists show a post, ms. */
  listLagMs?: number;
  /** A gateway rejects larger segments (bytes) with 413 and no body. */
  maxSegmentBytes?: number;
  /** A second finalize is rejected. */
  finalizeOnce?: boolean;
  /** Media are usable once finalized, without `processing_info`. */
  synchronousMedia?: boolean;
  /** 202 for an opened upload, 204 without a body for a segment. */
  olderGateway?: boolean;
  /** Processing fails with this error, for `times` media (all if absent). */
  processingError?: { code: number; name: string; message: string; times?: number };
  /** The same text is a duplicate regardless of its media. */
  strictDuplicates?: boolean;
  /** A post that begins with a mention counts as a reply. */
  mentionsAreReplies?: boolean;
  /** The names of fields in requests that this deployment knows. Absent: the old and the new ones. */
  fieldNames?: 'post.fields' | 'tweet.fields';
  /** Lifetime of a media id, seconds. */
  mediaSeconds?: number;
  /** Lifetime of a video's URL, seconds. Absent: it does not expire; X documents no lifetime. */
  videoUrlSeconds?: number;
  /** Why requests for subscriptions and streams are rejected. */
  activity?: 'no-access' | 'rate-limited';
  /** Limits of subscriptions and of open streams. Default: those of a self-serve application. */
  maxSubscriptions?: number;
  maxStreams?: number;
  /** How often each event is delivered. Default: once. */
  eventCopies?: number;
  /** X ends streams after each announced post. */
  disconnects?: boolean;
}

export const SWITCHES = ['switches', 'x'] as const;
export const { read: switchesOf, variant } = defineSettings<XSwitches>(SWITCHES, {});

/** Kind `code`, keyed by code. */
export interface AuthCode extends CodeRecord {
  accountId: string;
  scopes: string[];
  challenge: string;
  method: 'S256' | 'plain';
}

/** Kind `access` or `refresh`, keyed by token, owned by the grant's id. */
export interface Token {
  grantId: string;
  accountId: string;
  scopes: string[];
  /** ms since the epoch; null: valid until used or revoked */
  expiresAt: number | null;
  dead: boolean;
}

/** Kind `media`, keyed by id, owned by the account. */
export interface Medium {
  id: string;
  accountId: string;
  key: string;
  type: string;
  category: string;
  totalBytes: number;
  expiresAt: number;
  /** Keys of the blobs in order, once finalized. */
  blobs: string[] | null;
  finalizedAt: number;
  readyAt: number;
  error: { code: number; name: string; message: string } | null;
  /** Absent for uploads through the API, because the simulator decodes no videos. */
  shape?: { durationMs: number; width: number; height: number };
}

/** Kind `segment`, keyed by media id and index, owned by the media id. */
export interface Segment extends Chunk {
  index: number;
}

/** One version of a post. An edit creates a version with an id of its own. */
export interface PostVersion {
  id: string;
  text: string;
  createdAt: number;
}

/**
 * Kind `post`, keyed by {@link Post.key}, which identifies duplicates; owned by the account. Kind `post-key` maps the
 * ids of all versions to that key.
 */
export interface Post extends PostVersion {
  key: string;
  accountId: string;
  mediaIds: string[];
  /** Whether the post is recorded as published. */
  revealed: boolean;
  /** Previous versions, the first one first. Absent: none. */
  edits?: PostVersion[];
  /** When lists show the post, ms since the epoch. Absent: after the usual lag. */
  visibleAt?: number;
}

/** The id under which a post is known outside: that of its first version. */
export const firstId = ({ edits, id }: Post) => edits?.[0]?.id ?? id;

/** Finds or creates the account of a username. @throws InvalidUsername */
export async function enrolAccount(options: SimulatorOptions, given: string): Promise<Account> {
  const username = usernameOf(given, /^[^/\s\p{Cc}]{1,64}$/u);
  const digest = createHash('sha256').update(username.toLowerCase()).digest();
  const id = `18${String(digest.readBigUInt64BE() % 10n ** 17n).padStart(17, '0')}`;
  const account: Account = {
    id,
    username,
    name: username,
    subscription: 'None',
    locked: false,
    maxVideoMinutes: null,
  };
  return findOrCreate(options.store, 'account', id, account);
}

const EPOCH_MS = 1_288_834_974_657;

/** A new 64-bit id that increases with time, in X's format. @param at ms since the epoch */
export function newId({ now, serial }: Pick<SimulatorOptions, 'now' | 'serial'>, at = now()): string {
  return String((BigInt(Math.floor(at) - EPOCH_MS) << 22n) | BigInt(serial() % (1 << 22)));
}

export const newSecret = () => randomSecret(48);
