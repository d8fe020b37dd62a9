/** The requests that a platform accepts, as data, and a recorded request. */
import type { Part } from './multipart.ts';
import type { Shape } from './shapes.ts';

export interface WireTable {
  /** Path of an account's picture, which the service itself fetches: `ENDPOINT /path`. */
  pictures?: string;
  requests: readonly Known[];
}

/** One kind of request that the platform knows. */
export interface Known {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH' | 'HEAD';
  /** Name of the endpoint; `given` for a URL from a response of the platform, in the form that the sandbox uses. */
  at: string;
  /** Path below the endpoint. A part with a colon matches anything without a slash, a final star matches anything. */
  path: string;
  /** Patterns of such parts, as encoded in the URL. */
  params?: Readonly<Record<string, RegExp>>;
  /** The authorization header. Absent: it must not be sent. */
  auth?: RegExp;
  /** Whether it may be omitted. */
  authOptional?: boolean;
  /** Required headers, lower case. */
  headers?: Readonly<Record<string, RegExp>>;
  /** Optional headers. */
  optionalHeaders?: Readonly<Record<string, RegExp>>;
  /** Forbidden headers. */
  noHeaders?: readonly string[];
  /** Required parameters. All but these and the optional ones are unknown. */
  query?: Fields;
  optionalQuery?: Fields;
  /** The platform gave the URL with its parameters, so they are not checked. */
  anyQuery?: boolean;
  /** Secret parameters that the platform requires in the query. */
  tokensInQuery?: readonly string[];
  /** Absent: no body. */
  body?: KnownBody;
  /** The `location` of a response is the URL of the next request, not a redirect. */
  goesOn?: boolean;
  /** A rule that data cannot express, checked if all others hold. @returns what is wrong */
  also?: (request: Seen) => string[];
}

export type Fields = Readonly<Record<string, RegExp>>;

export type KnownBody =
  | { kind: 'json'; shape: Shape }
  | { kind: 'form'; required: Fields; optional?: Fields }
  | { kind: 'multipart'; required: Parts; optional?: Parts; others?: boolean; last?: string }
  | { kind: 'bytes'; type?: RegExp; least?: number; most?: number }
  /** Any of them. */
  | { kind: 'either'; of: readonly KnownBody[] };

export type Parts = Readonly<Record<string, KnownPart>>;

/** A text, or a file with its type (absent: no type is sent) and its size in bytes. */
export type KnownPart = RegExp | { type?: RegExp; least?: number; most?: number };

/** A request as received. */
export interface Seen {
  method: string;
  /** With the query, from the root. */
  target: string;
  /** As sent, in pairs. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Null if the request was aborted or not read completely. */
  body: SeenBody | null;
}

export interface SeenBody {
  bytes: number;
  /** The whole text, at most 1 MB; null if it is longer or not a text. */
  text: string | null;
  /** Of multipart/form-data. */
  form: { parts: readonly Part[]; wrong: readonly string[] } | null;
}
