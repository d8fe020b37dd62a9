/** The requests that a platform accepts, as data, and a recorded request. */
import type { Part } from './multipart.ts';
import type { Shape } from './shapes.ts';

export interface WireTable {
  /** Where an account's picture is, which the service itself fetches: `ENDPOINT /path`. */
  pictures?: string;
  requests: readonly Known[];
}

/** One kind of request that the platform knows. */
export interface Known {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD';
  /** Name of the endpoint; `given` for an address that an answer of the platform gave, written as the sandbox gives it. */
  at: string;
  /** Below the endpoint. A part that begins with a colon stands for anything without a slash, a star at the end for anything. */
  path: string;
  /** What such parts have to be, as they stand in the address. */
  params?: Readonly<Record<string, RegExp>>;
  /** The authorization header; absent: there must be none. */
  auth?: RegExp;
  /** Whether the request may come without it. */
  authOptional?: boolean;
  /** Headers that have to be there, lower case. */
  headers?: Readonly<Record<string, RegExp>>;
  /** Headers that may be there. */
  optionalHeaders?: Readonly<Record<string, RegExp>>;
  /** Headers that may not. */
  noHeaders?: readonly string[];
  /** Parameters that have to be there. Others than these and the optional ones are unknown. */
  query?: Fields;
  optionalQuery?: Fields;
  /** The address was given with its parameters, which are the platform's own affair. */
  anyQuery?: boolean;
  /** Parameters with the names of secrets, which the platform wants there. */
  tokensInQuery?: readonly string[];
  /** Absent: none. */
  body?: KnownBody;
  /** An answer's `location` is an address to go on with, and no redirect. */
  goesOn?: boolean;
  /** What data cannot say. Asked when all else is well. @returns what is wrong */
  also?: (request: Seen) => string[];
}

export type Fields = Readonly<Record<string, RegExp>>;

export type KnownBody =
  | { kind: 'json'; shape: Shape }
  | { kind: 'form'; required: Fields; optional?: Fields }
  | { kind: 'multipart'; required: Parts; optional?: Parts; others?: boolean; last?: string }
  | { kind: 'bytes'; type?: RegExp; least?: number; most?: number }
  /** As it likes. */
  | { kind: 'either'; of: readonly KnownBody[] };

export type Parts = Readonly<Record<string, KnownPart>>;

/** A text, or a file: what its type has to be (none is allowed to be absent), and its size in bytes. */
export type KnownPart = RegExp | { type?: RegExp; least?: number; most?: number };

/** A request as it came over the wire. */
export interface Seen {
  method: string;
  /** With the query, from the root. */
  target: string;
  /** As sent, in pairs. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Null where the request broke off, or was not read to its end. */
  body: SeenBody | null;
}

export interface SeenBody {
  bytes: number;
  /** All of it, of at most 1 MB; null where it is longer, or was not asked for. */
  text: string | null;
  /** Of multipart/form-data. */
  form: { parts: readonly Part[]; wrong: readonly string[] } | null;
}
