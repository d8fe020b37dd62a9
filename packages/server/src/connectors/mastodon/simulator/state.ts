/** What the simulated instance remembers, and the switches by which tests make it another server than Mastodon 4.5. */
import { createHash, randomInt } from 'node:crypto';
import type { SimulatorOptions } from '../../kit/simulator.ts';

export interface App {
  id: string;
  name: string;
  website: string | null;
  redirectUris: string[];
  scopes: string[];
  clientId: string;
  clientSecret: string;
}

export interface Code {
  clientId: string;
  accountId: string;
  redirectUri: string;
  scopes: string[];
  /** S256 challenge; null where the client sent none. */
  challenge: string | null;
  expiresAt: number;
  used: boolean;
}

export interface Token {
  clientId: string;
  /** Null for a token of the application itself. */
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
  /** SHA-256 of the picture that stands for it, hex; null: one of its own. */
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
  /** Until then the address of the status is not found; the account's list has it at once. */
  hiddenUntil: number;
  /** False while it is being made: see `keep.ts`. */
  revealed: boolean;
}

/** Kept in the books under {@link SWITCHES}; absent properties are those of a current Mastodon. */
export interface MastodonSwitches {
  /** Other servers take the header and do nothing with it. */
  forgetIdempotencyKey?: boolean;
  /** Statuses are answered with 200 and not kept, as an anti-spam filter does. */
  silentDrop?: boolean;
  /** A token's `created_at` in milliseconds. */
  millisecondCreatedAt?: boolean;
  /** No OAuth metadata and only version 1 of the instance's description. */
  oldServer?: boolean;
  /** Media are ready at once: 200 with an address. */
  synchronousMedia?: boolean;
  /** Account lists show a status only this many ms after it was made. */
  listLagMs?: number;
  /** Language of the user's settings; it wins over Accept-Language. */
  locale?: 'en' | 'de';
  /** The account is limited by moderators: public becomes unlisted. */
  limited?: boolean;
  /** Why the login may not act. */
  login?: 'disabled' | 'unconfirmed' | 'pending' | 'suspended';
  /** What the server says of every video: at upload, or (`processing`) when asked for it. */
  refuseMedia?: 'noVideoStream' | 'dimensions' | 'frameRate' | 'processing' | 'brokenUpload';
  maxCharacters?: number;
  /** Bytes. */
  videoSizeLimit?: number;
}

/** Where the switches lie in the books: kind and key. */
export const SWITCHES = ['switches', 'mastodon'] as const;

export const MAX_CHARACTERS = 500;
/** Bytes: 99 MiB. */
export const VIDEO_SIZE_LIMIT = 103_809_024;
export const IMAGE_SIZE_LIMIT = 16_777_216;

/** The simulated instance: options, and the books by their kinds. */
export interface World {
  options: SimulatorOptions;
  /** Host and port, as handles show them. */
  domain: string;
  switches(): Promise<MastodonSwitches>;
  now(): number;
  /** A new id of the snowflake kind: decimal digits that grow with time. */
  nextId(): string;
}

export function createWorld(options: SimulatorOptions): World {
  let last = 0n;
  return {
    options,
    domain: new URL(options.baseUrl).host,
    switches: async () => (await options.books.get<MastodonSwitches>(...SWITCHES)) ?? {},
    now: options.now,
    nextId() {
      const fresh = (BigInt(Math.floor(options.now())) << 16n) | BigInt(randomInt(65_536));
      last = fresh > last ? fresh : last + 1n;
      return String(last);
    },
  };
}

/** The account of that name, made when it is new. Its id follows from the name, so that it is the same for ever. */
export async function accountNamed(world: World, username: string): Promise<Account> {
  const name = username.toLowerCase();
  const digest = createHash('sha256').update(name).digest();
  const id = `1${String(digest.readBigUInt64BE() % 10n ** 17n).padStart(17, '0')}`;
  await world.options.books.insert<Account>('account', id, { id, username: name, createdAt: world.now() });
  return { id, username: name, createdAt: world.now() };
}
