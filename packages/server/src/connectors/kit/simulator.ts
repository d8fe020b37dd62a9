/**
 * What a platform's simulator is made of. A simulator is written from the platform's public documentation and knows
 * nothing of the connector. It speaks the platform's HTTP protocol through {@link Route}s, keeps its books in
 * {@link Books} (which survive a crash) and the bytes it receives in {@link Blobs}. The sandbox serves it, puts faults
 * in front of it and shows what was published.
 */
import type { Readable } from 'node:stream';
import type { JsonObject } from '../contract.ts';

export interface SimulatorRequest {
  method: string;
  /** Below the simulator's own prefix, beginning with "/". */
  path: string;
  /** Named parts of the route's path (`/api/v1/media/:id`). */
  params: Record<string, string>;
  query: URLSearchParams;
  /** Lower-case names. */
  headers: Record<string, string | undefined>;
  /** The body, not yet read. */
  body: Readable;
  /** Reads at most 1 MiB as text. */
  text(): Promise<string>;
  /** Reads the body as JSON; undefined where it is none. */
  json(): Promise<unknown>;
  /** Reads a form (`application/x-www-form-urlencoded`). */
  form(): Promise<URLSearchParams>;
}

export interface SimulatorAnswer {
  status: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON. `raw` JSON text (for 64-bit numbers) goes as a string with its own content type. */
  body?: JsonObject | unknown[] | string | Readable;
  /**
   * Trouble that the caption's tag asked for: the connection is cut instead of answering (what was done stays done),
   * or the answer comes late.
   */
  trouble?: 'lost-answer' | 'slow';
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD';
  /** Literal parts and `:names`; a last part `*` takes the rest of the path as `params['*']`. */
  path: string;
  /** Asked before the body is read completely; the simulator may answer without reading. */
  handle(request: SimulatorRequest): Promise<SimulatorAnswer>;
}

/** One thing that the world can see on the platform. */
export interface PublishedEntry {
  /** The platform's public id. */
  id: string;
  /** User name or handle of the account. */
  username: string;
  text: string;
  url: string;
  /** ms since the epoch */
  publishedAt: number;
  bytes: number;
  /** Hex, of the bytes that the platform received. */
  sha256: string;
  /** Keys of blobs which together are the video, in order. */
  blobs: string[];
  mime: string;
}

/**
 * Durable books of one simulator: records by kind and key. Each call is atomic by itself; `change` is atomic for one
 * record over all processes.
 */
export interface Books {
  get<T>(kind: string, key: string): Promise<T | undefined>;
  /** @param owner groups records for `list` */
  put<T>(kind: string, key: string, value: T, owner?: string): Promise<void>;
  /** Reads, changes and writes one record under its lock; returning undefined leaves things as they are. */
  change<T>(
    kind: string,
    key: string,
    change: (current: T | undefined) => T | undefined,
    owner?: string,
  ): Promise<T | undefined>;
  /** Writes unless the key exists; true when written. */
  insert<T>(kind: string, key: string, value: T, owner?: string): Promise<boolean>;
  remove(kind: string, key: string): Promise<void>;
  /** Newest first by time of first writing. */
  list<T>(kind: string, options: { owner?: string; limit: number }): Promise<{ key: string; value: T }[]>;
  /**
   * Makes an entry visible to the world (and to feed.json). Publishing the same id again makes a second entry.
   * @param act name of this act of publishing: the same act again changes nothing, so that a simulator can finish what
   *   a crash interrupted between two records
   */
  publish(entry: PublishedEntry, act?: string): Promise<void>;
  unpublish(id: string): Promise<void>;
}

/** Bytes that the simulator was given. */
export interface Blobs {
  /** Stores a stream; nothing is kept when the stream breaks off. @returns length and hex SHA-256 */
  put(key: string, source: Readable): Promise<{ bytes: number; sha256: string }>;
  /** @param range first and last byte, both inclusive */
  get(key: string, range?: { first: number; last: number }): Promise<Readable>;
  /** Length in bytes, or null where there is none. */
  size(key: string): Promise<number | null>;
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>;
  /** Hash of several blobs read one after another. */
  hash(keys: readonly string[]): Promise<{ bytes: number; sha256: string }>;
}

export interface SimulatorOptions {
  books: Books;
  blobs: Blobs;
  /** Where the world reaches this simulator, without a final slash: `http://127.0.0.1:3000/sandbox/PLATFORM`. */
  baseUrl: string;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Whether the platform's rate limits and daily caps are in force (tests); the sandbox has them off. */
  limits: boolean;
  /** How long "processing" takes, in ms. */
  processingMs: number;
  /**
   * Fetches an address as the platform's own servers would, for platforms that are given a link to a video.
   * @returns null when it cannot be reached or is nothing that this simulator may fetch
   */
  fetch(url: string, headers?: Record<string, string>): Promise<FetchedMedia | null>;
  /** Secret of a sandbox application, where the platform needs one. */
  app: { clientId: string; clientSecret: string };
}

export interface FetchedMedia {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string | undefined>;
  body: Readable;
}

/** A way for a platform to say no in its own words; served by the fault switch in front of the simulator. */
export type PlatformRefusal =
  | 'rate-limited'
  | 'rate-limited-with-wait'
  | 'server-error'
  | 'token-expired'
  | 'token-revoked';

export interface Simulator {
  /** Name as in the interface. */
  platform: string;
  routes: readonly Route[];
  /** What the platform answers to any call when it refuses in this way. */
  refusal(kind: PlatformRefusal): SimulatorAnswer;
  /** The answer to an address or method it does not know. */
  unknownRoute(request: { method: string; path: string }): SimulatorAnswer;
  /**
   * Makes (or finds) an account of that user name and gives what a consent would have given: the token endpoint's own
   * answer, and for a platform with logins a user name and password.
   */
  enrol(username: string): Promise<SimulatedAccount>;
}

export interface SimulatedAccount {
  remoteId: string;
  username: string;
  /** Body of the token endpoint's answer, as its documentation has it; null where accounts log in by password. */
  tokenAnswer: JsonObject | null;
  /** For platforms with logins. */
  credentials: { identifier: string; secret: string } | null;
}

/** Another honest way for the platform to be: an older server, a lagging list. The conformance suite crashes each. */
export interface SimulatorVariant {
  name: string;
  /** Sets switches in the books before anything is connected. */
  prepare?(books: Books): Promise<void>;
  /** Base addresses other than the module's own. */
  endpoints?(baseUrl: string): Record<string, string>;
}

export interface SimulatorModule {
  platform: string;
  variants?: readonly SimulatorVariant[];
  create(options: SimulatorOptions): Simulator;
  /** Base addresses of the connector, on this simulator (`baseUrl` + path). */
  endpoints(baseUrl: string): Record<string, string>;
}

/** The tags by which a caption asks a simulator for trouble. */
export const TROUBLE_TAGS = ['reconnect', 'reject', 'rate-limit', 'slow', 'lost-answer', 'down'] as const;
export type Trouble = (typeof TROUBLE_TAGS)[number];

/** The trouble that a caption asks for (`#sandbox-down`), or null. */
export function troubleIn(text: string): Trouble | null {
  const found = /#sandbox-([a-z-]+)/.exec(text)?.[1];
  return TROUBLE_TAGS.find((tag) => tag === found) ?? null;
}
