/** State of the simulated instance, and switches with which tests emulate servers other than Mastodon 4.5. */
import { createHash, randomInt } from 'node:crypto';
import type { SimulatorOptions } from '../../contract.ts';
import type { CodeRecord } from '../../oauth/codes.ts';
import { defineSettings } from '../../store/records.ts';
import { createStreams, type Streams } from './streams.ts';

export interface App {
  id: string;
  name: string;
  website: string | null;
  redirectUris: string[];
  scopes: string[];
  clientId: string;
  clientSecret: string;
}

export interface Code extends CodeRecord {
  clientId: string;
  accountId: string;
  scopes: string[];
  /** S256 challenge; null if the client sent none. */
  challenge: string | null;
}

export interface Token {
  clientId: string;
  /** null for a token of the application itself. */
  accountId: string | null;
  scopes: string[];
  state: 'live' | 'revoked' | 'expired';
}

export interface Account {
  id: string;
  username: string;
  createdAt: number;
}

export interface Medium {
  id: string;
  accountId: string;
  kind: 'video' | 'image';
  mime: string;
  bytes: number;
  sha256: string;
  blob: string;
  description: string | null;
  /** Absent if unknown: uploads through the API are not decoded. */
  film?: { durationMs: number; width: number; height: number };
  /** SHA-256 of the thumbnail, hex; null if none was uploaded. */
  thumbnail: string | null;
  createdAt: number;
  readyAt: number;
  statusId: string | null;
}

export type Visibility = 'public' | 'unlisted' | 'private' | 'direct';

export interface Status {
  id: string;
  accountId: string;
  clientId: string;
  text: string;
  spoilerText: string;
  visibility: Visibility;
  sensitive: boolean;
  language: string | null;
  mediaIds: string[];
  createdAt: number;
  /** In ms since the epoch; absent: never edited. */
  editedAt?: number;
  /** Until then account lists omit the status, in ms since the epoch. Default: `createdAt` and the lag of lists. */
  listedFrom?: number;
  /** Until then the status's own URL returns 404; the account's list shows it immediately. */
  hiddenUntil: number;
  /** False while the status is being created: see `keep.ts`. */
  revealed: boolean;
  /** Status that this one replies to. */
  inReplyToId?: string;
  poll?: Poll;
}

export interface Poll {
  options: string[];
  multiple: boolean;
  /** In ms since the epoch. */
  expiresAt: number;
}

/** Kind `scheduled`, by the id that the status will have. */
export interface ScheduledStatus {
  status: Status;
  /** In ms since the epoch. */
  at: number;
}

/** Stored under {@link SWITCHES}. Absent properties mean a current Mastodon. */
export interface MastodonSwitches {
  /** Ignores the header, like some other servers. */
  forgetIdempotencyKey?: boolean;
  /** Statuses get a 200 but are not stored, like with an anti-spam filter. */
  silentDrop?: boolean;
  /** A token's `created_at` is in milliseconds. */
  millisecondCreatedAt?: boolean;
  /** No OAuth metadata, and only version 1 of the instance description. */
  oldServer?: boolean;
  /** Media are ready immediately: 200 with a URL. */
  synchronousMedia?: boolean;
  /** Delay in ms until account lists show a new status. */
  listLagMs?: number;
  /** Language of the user's settings; overrides Accept-Language. */
  locale?: 'en' | 'de';
  /** The account is limited by moderators: public becomes unlisted. */
  limited?: boolean;
  /** Why the login may not act. */
  login?: 'disabled' | 'unconfirmed' | 'pending' | 'suspended';
  /** Error for every video: at upload, or (`processing`) when polled. */
  refuseMedia?: 'noVideoStream' | 'dimensions' | 'frameRate' | 'processing' | 'brokenUpload';
  /** Responds 400 to `status: ""`, like Hollo. A missing text is accepted. */
  refuseEmptyText?: boolean;
  maxCharacters?: number;
  /** In bytes. */
  videoSizeLimit?: number;
}

/** Kind and key of the switches. */
export const SWITCHES = ['switches', 'mastodon'] as const;
const settings = defineSettings<MastodonSwitches>(SWITCHES, {});
export const { variant } = settings;

export const MAX_CHARACTERS = 500;
/** 99 MiB, in bytes. */
export const VIDEO_SIZE_LIMIT = 103_809_024;
export const IMAGE_SIZE_LIMIT = 16_777_216;

/** The simulated instance: options and helpers. */
export interface World {
  options: SimulatorOptions;
  /** Host and port, as shown in handles. */
  domain: string;
  switches(): Promise<MastodonSwitches>;
  now(): number;
  /** Returns a new snowflake id: decimal digits that grow with time. @param at a past time to use, ms since the epoch */
  nextId(at?: number): string;
  streams: Streams;
}

export function createWorld(options: SimulatorOptions): World {
  let last = 0n;
  let sequence = randomInt(65_536);
  return {
    options,
    domain: new URL(options.baseUrl).host,
    switches: () => settings.read(options),
    now: options.now,
    streams: createStreams(),
    nextId(at) {
      if (at !== undefined) return String((BigInt(Math.floor(at)) << 16n) | BigInt(sequence++ % 65_536));
      const fresh = (BigInt(Math.floor(options.now())) << 16n) | BigInt(randomInt(65_536));
      last = fresh > last ? fresh : last + 1n;
      return String(last);
    },
  };
}

/** Creates or finds the account of a name. Its id is derived from the name, so it is stable. */
export async function accountNamed(world: World, username: string): Promise<Account> {
  const name = username.toLowerCase();
  const digest = createHash('sha256').update(name).digest();
  const id = `1${String(digest.readBigUInt64BE() % 10n ** 17n).padStart(17, '0')}`;
  await world.options.store.insert<Account>('account', id, { id, username: name, createdAt: world.now() });
  return { id, username: name, createdAt: world.now() };
}
