/**
 * Interface of a platform simulator. A simulator implements the platform's public documentation and knows nothing of
 * the connector. It serves the platform's HTTP protocol through {@link Route}s. Records are in {@link SimulatorStore}, which
 * survive a crash, and received bytes in {@link Blobs}. The sandbox serves it, injects faults in front of it, and shows
 * what was published.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import type { JsonObject } from './json.ts';

export interface SimulatorRequest {
  method: string;
  /** Path below the simulator's own prefix, starting with "/". */
  path: string;
  /** Named segments of the route's path (`/api/v1/media/:id`). */
  params: Record<string, string>;
  query: URLSearchParams;
  /** Lowercase names. */
  headers: Record<string, string | undefined>;
  /** The body, not yet read. */
  body: Readable;
  /** Reads at most 1 MiB as text. */
  text(): Promise<string>;
  /** Reads the body as JSON; undefined if it is not JSON. */
  json(): Promise<unknown>;
  /** Reads a form (`application/x-www-form-urlencoded`). */
  form(): Promise<URLSearchParams>;
}

export interface SimulatorResponse {
  status: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON. Raw JSON text (for 64-bit numbers) is a string with its own content type. */
  body?: JsonObject | unknown[] | string | Readable;
  /**
   * Fault that the caption's tag requests: the connection is closed without a response (the effect remains), or the
   * response is delayed.
   */
  trouble?: 'lost-answer' | 'slow';
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD';
  /** Literal segments and `:names`. A last segment `*` captures the rest of the path as `params['*']`. */
  path: string;
  /** Whether it is part of the consent that a user sees in a browser. Others are for clients and the operator. */
  isConsent?: boolean;
  /**
   * Called before the body is fully read; the simulator may respond without reading it.
   * @throws Refused (`refused.ts`) to end the request with an error response
   */
  handle(request: SimulatorRequest): Promise<SimulatorResponse>;
}

/** A published post, as visible on the platform. */
export interface PublishedEntry {
  /** The platform's public id. */
  id: string;
  /** User name or handle of the account. */
  username: string;
  text: string;
  url: string;
  /** In ms since the epoch. */
  publishedAt: number;
  bytes: number;
  /** Hex, of the bytes that the platform received. */
  sha256: string;
  /** Keys of the blobs that form the video, in order. */
  blobs: string[];
  mime: string;
}

/**
 * Durable store of one simulator: records by kind and key. Each call is atomic; `change` is atomic for one record
 * across processes.
 */
export interface SimulatorStore {
  get<T>(kind: string, key: string): Promise<T | undefined>;
  /** @param owner groups records for `list` */
  put<T>(kind: string, key: string, value: T, owner?: string): Promise<void>;
  /**
   * Reads, changes, and writes one record under its lock. If `change` returns undefined, the record stays unchanged.
   */
  change<T>(
    kind: string,
    key: string,
    change: (current: T | undefined) => T | undefined,
    owner?: string,
  ): Promise<T | undefined>;
  /** Writes the record unless the key exists. Returns true if it was written. */
  insert<T>(kind: string, key: string, value: T, owner?: string): Promise<boolean>;
  remove(kind: string, key: string): Promise<void>;
  /** Sorted by time of creation, newest first. */
  list<T>(kind: string, options: { owner?: string; limit: number }): Promise<{ key: string; value: T }[]>;
  /**
   * Publishes an entry (visible in feed.json). Publishing the same id again creates a second entry.
   * @param act id of this act of publishing. Repeating it has no effect, so that a simulator can finish what a crash
   * interrupted between two records.
   */
  publish(entry: PublishedEntry, act?: string): Promise<void>;
  unpublish(id: string): Promise<void>;
}

/** Store of the bytes that the simulator received. */
export interface Blobs {
  /** Stores a stream. Keeps nothing if the stream fails. @returns length in bytes and hex SHA-256 */
  put(key: string, source: Readable): Promise<{ bytes: number; sha256: string }>;
  /** @param range first and last byte, both inclusive */
  get(key: string, range?: { first: number; last: number }): Promise<Readable>;
  /** Returns the length in bytes, or null if the blob does not exist. */
  size(key: string): Promise<number | null>;
  /** Removing a missing blob is not an error. */
  remove(key: string): Promise<void>;
  /** Returns the hash of several blobs read in sequence. */
  hash(keys: readonly string[]): Promise<{ bytes: number; sha256: string }>;
}

export interface SimulatorOptions {
  store: SimulatorStore;
  blobs: Blobs;
  /** Public URL of this simulator, without a trailing slash: `http://127.0.0.1:3000/sandbox/PLATFORM`. */
  baseUrl: string;
  /** In ms since the epoch. */
  now(): number;
  /** Numbers for ids (`store/serial.ts`). */
  serial(): number;
  /** Enforces the platform's rate limits and daily caps (tests). Off in the sandbox. */
  limits: boolean;
  /** Duration of "processing" in ms. */
  processingMs: number;
  /**
   * Fetches a URL as the platform's own servers would, for platforms that receive a link to a video.
   * @returns null if the URL cannot be reached or is not allowed for this simulator
   */
  fetch(url: string, headers?: Record<string, string>): Promise<FetchedMedia | null>;
  /** Calls a URL that a client registered, as the platform's servers would. Absent: nothing is called. */
  callback?(
    url: string,
    request: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string },
  ): Promise<{ status: number; text: string }>;
  /** Credentials of a sandbox application, if the platform needs one. */
  app: { clientId: string; clientSecret: string };
}

export interface FetchedMedia {
  status: number;
  /** Lowercase names. */
  headers: Record<string, string | undefined>;
  body: Readable;
}

/** A kind of error in the platform's own format, requested by the fault switch in front of the simulator. */
export type PlatformRefusal =
  | 'rate-limited'
  | 'rate-limited-with-wait'
  | 'server-error'
  | 'token-expired'
  | 'token-revoked';

export interface Simulator {
  /** Platform name as in the interface. */
  platform: string;
  routes: readonly Route[];
  /** Returns the platform's response for this kind of error, to any call. */
  refusal(kind: PlatformRefusal): SimulatorResponse;
  /** Returns the response for an unknown path or method. */
  unknownRoute(request: { method: string; path: string }): SimulatorResponse;
  /**
   * Creates (or finds) the account of a user name and returns what a consent would give: the token endpoint's response
   * and, for platforms with logins, a user name and password.
   */
  enrol(username: string): Promise<SimulatedAccount>;
  /** What the platform's own app can do. Absent: not simulated. */
  phone?: Phone;
  /** Answers a request to open a WebSocket. Absent: the platform has none. */
  upgrade?(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** The platform's own app, with which the owner of an account posts without Reelay. */
export interface Phone {
  /**
   * Publishes a video on the account of a user name, which is created if missing.
   * @returns the public id
   * @throws PhoneRefused, InvalidUsername
   */
  post(username: string, post: PhonePost): Promise<{ id: string; url: string }>;
  /** Changes the caption. Absent: the platform has no such function. @throws Error for an unknown id */
  edit?(username: string, id: string, text: string): Promise<void>;
  /** Deletes a post. Deleting a missing one succeeds. */
  remove(username: string, id: string): Promise<void>;
}

export interface PhonePost {
  text: string;
  video: PhoneVideo;
  /** Claimed time of the post in ms since the epoch; default: now. */
  publishedAt?: number;
  /** How long the post is missing in lists, in ms; default: the platform's usual lag. */
  hiddenMs?: number;
  /** Who may see the post; default: everybody. */
  audience?: 'public' | 'limited';
}

/** A video that is already stored. */
export interface PhoneVideo {
  /** Key of its blob, owned by the post from now on. */
  blob: string;
  bytes: number;
  /** In hexadecimal. */
  sha256: string;
  mime: string;
  durationMs: number;
  width: number;
  height: number;
}

export interface SimulatedAccount {
  remoteId: string;
  username: string;
  /** Body of the token endpoint's response, in its documented form; null if accounts log in by password. */
  tokenAnswer: JsonObject | null;
  /** Only for platforms with logins. */
  credentials: { identifier: string; secret: string } | null;
}

/**
 * A legitimate variation of the platform, such as an older server or a lagging list. The conformance suite tests
 * crashes with each.
 */
export interface SimulatorVariant {
  name: string;
  /** Sets switches in the store before an account connects. */
  prepare?(store: SimulatorStore): Promise<void>;
  /** Base URLs that replace the module's own. */
  endpoints?(baseUrl: string): Record<string, string>;
}

export interface SimulatorModule {
  platform: string;
  variants?: readonly SimulatorVariant[];
  create(options: SimulatorOptions): Simulator;
  /** Base URLs of the connector on this simulator (`baseUrl` + path). */
  endpoints(baseUrl: string): Record<string, string>;
}

/** Tags in a caption that request a fault from the simulator. */
export const TROUBLE_TAGS = ['reconnect', 'reject', 'rate-limit', 'slow', 'lost-answer', 'down'] as const;
export type Trouble = (typeof TROUBLE_TAGS)[number];

/** Returns the fault that a caption requests (`#sandbox-down`), or null. */
export function faultTagIn(text: string): Trouble | null {
  const found = /#sandbox-([a-z-]+)/.exec(text)?.[1];
  return TROUBLE_TAGS.find((tag) => tag === found) ?? null;
}
