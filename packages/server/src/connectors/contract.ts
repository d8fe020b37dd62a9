/**
 * What a platform is to the rest of the service. A connector is one frozen object checked with `satisfies Connector`;
 * generic code learns everything about a platform from here and never from its name.
 *
 * A publish is a walk: `begin` → `step`* → `commit` → `confirm`*. Every arrow is a row in the database before the next
 * call is made. Only `commit` may make the post appear, and only the engine sends that one request. When it is not
 * known what that request did, the engine asks `verify` and never sends again on a guess.
 */
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import type { VideoLimits } from '../media/rendition/limits.ts';
import type { Ask, Choice, ChoiceValue } from './kit/choices.ts';
import type { Failure } from './kit/failure.ts';
import type { HttpAnswer, HttpBody, HttpClient } from './kit/http.ts';

export type { Ask, Choice, ChoiceValue } from './kit/choices.ts';
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Containers as the media check names them. */
export type Container = 'mp4' | 'mov' | '3gp' | 'matroska' | 'webm' | 'mpegts' | 'avi' | 'flv';

/** What a platform, or one account on it, can take. Pure data; what an account allows is stored with the account. */
export interface Capabilities {
  /** Also what a video is converted to that does not fit: only what the platform itself would refuse belongs here. */
  video: VideoLimits;
  caption: CaptionLimit;
  /** How content that others post on the account is found: `own` means that we see only our own posts. */
  watch: 'own' | 'poll' | 'push';
}

export interface CaptionLimit {
  maxLength: number;
  /** `weighted`: after NFC, an emoji counts two whatever it is made of, letters of most scripts one, all others two. */
  unit: 'utf16' | 'codepoints' | 'graphemes' | 'weighted';
  /** Limit of the UTF-8 form, in bytes. */
  maxBytes?: number;
  /** Each link counts as this many, whatever its length. */
  urlLength?: number;
  /** So does a host name with a well-known ending that stands there without `https://`. */
  bareLinks?: boolean;
  /** Each of these characters counts one more, because the platform is sent it with another before it. */
  escaped?: string;
  /** In `@user@domain` the domain is not counted. */
  mentionDomainFree?: boolean;
}

/** What one consent or login gave. `secret` is sealed before it is stored and never logged. */
export interface Tokens {
  /**
   * The connector's own. A refresh token stands under `refreshToken`, and is left out (never "") where the answer had
   * none: the service then keeps the one that it has.
   */
  secret: JsonObject;
  scopes: readonly string[];
  /** Life of the access token in seconds; null: does not expire. */
  expiresIn: number | null;
  /** Life of the refresh token in seconds; null: unknown or none. */
  refreshExpiresIn: number | null;
  /** Origin of the server that the account lives on, where a platform has many; else "". */
  service: string;
}

/** Facts about the account behind some tokens, read when connecting and daily. */
export interface AccountFacts {
  /** The platform's own stable id of the account. */
  remoteId: string;
  username: string;
  displayName: string;
  /** Address of the picture at the platform, or "". */
  avatarUrl: string;
  capabilities: Capabilities;
  /** What this account may choose from, by name of the choice. */
  choices?: Readonly<Record<string, readonly ChoiceValue[]>>;
  /** Anything non-secret that publishing needs to know of the account (numeric id, host of its repository…). */
  extra?: JsonObject;
  /** The platform fetches videos of this account from us: PUBLIC_URL must be reachable from outside. */
  fetchesMedia?: boolean;
  /** Origin of the account's server when `identify` learnt a better one than the tokens say. */
  service?: string;
  /** True where the platform itself proves `remoteId` (a DID). The word of a server that a user named is no proof. */
  globalId?: boolean;
}

/** Base addresses by name; the simulator's take the place of the platform's for a sandbox account. */
export type Endpoints = Readonly<Record<string, string>>;

/** An application that the operator has registered at a platform. */
export interface App {
  clientId: string;
  clientSecret: string;
}

/** What OAuth and credential flows get. */
export interface ConnectContext {
  http: HttpClient;
  endpoints: Endpoints;
  /**
   * What the operator says for this platform alone: `storageChat` of the variable PLATFORM_STORAGE_CHAT. One called after a base
   * address (`apiUrl` after `api`) already stands in `endpoints`.
   */
  settings: Readonly<Record<string, string>>;
  /** The operator's application at the platform; null where none is configured. */
  app: App | null;
  /** Those of {@link OAuthFlow.appNames}, by name. */
  apps: Readonly<Record<string, App | null>>;
  publicUrl: string;
  /** Registrations made at run time (one application per Mastodon server); sealed. */
  registrations: {
    get(service: string): Promise<JsonObject | null>;
    put(service: string, value: JsonObject): Promise<void>;
  };
  /** The service's own signing key as a private JWK (P-256), for platforms that know clients by key. */
  clientKey(): Promise<JsonObject>;
  /** Milliseconds since the epoch. */
  now(): number;
}

export interface OAuthFlow {
  /** False where the application is registered at run time or not at all. */
  needsApp: boolean;
  /** First part of the names of the operator's variables (`google` of GOOGLE_CLIENT_ID); absent: the connector's id. */
  appName?: string;
  /** Where there are several kinds of login with an application each: the names of all, the preferred one first. */
  appNames?: readonly string[];
  /** How the operator's variable for the application's id ends, with `APP_SECRET` or `CLIENT_SECRET`; absent: `CLIENT_ID`. */
  appIdVariable?: 'CLIENT_KEY' | 'APP_ID';
  /** What the user must say before consent, such as the server, the handle or the kind of login. */
  asks: readonly Ask[];
  scopes: readonly string[];
  /** The consent address, and what must be kept (sealed) until the callback. */
  authorize(
    context: ConnectContext,
    input: { state: string; redirectUri: string } & { [name in Ask['name']]?: string },
  ): Promise<{ url: string; kept: JsonObject }>;
  /** Turns the callback's query into tokens. @throws PlatformError */
  exchange(
    context: ConnectContext,
    input: { query: URLSearchParams; redirectUri: string; kept: JsonObject },
  ): Promise<Tokens>;
  /** Absent: tokens do not expire. An answer without a new refresh token keeps the old one. @throws PlatformError */
  refresh?(context: ConnectContext, tokens: Tokens): Promise<Tokens>;
  /**
   * False where refreshing does not prolong the refresh token's own life, or where there may be none: then the access ends with
   * it (else with the access token), and its owner has to connect again by then.
   */
  refreshRenews?: boolean;
  revoke?(context: ConnectContext, tokens: Tokens): Promise<void>;
  /**
   * Reads a successful answer of the token endpoint, as `exchange` does; sandbox accounts are made from one.
   * @param service the server that answered, where a platform has many; else "" @throws PlatformError
   */
  tokensFrom?(answer: JsonObject, service: string): Tokens;
  /** Scopes that were asked for and not granted. Absent: those of `scopes` that are not among the granted ones. */
  missingScopes?(granted: readonly string[]): readonly string[];
}

export interface CredentialsFlow {
  fields: readonly { name: 'service' | 'identifier' | 'secret'; label: string; secret: boolean; required: boolean }[];
  /** Logs in. @throws PlatformError */
  open(context: ConnectContext, input: Record<string, string>): Promise<Tokens>;
  refresh?(context: ConnectContext, tokens: Tokens): Promise<Tokens>;
  /** As in {@link OAuthFlow.refreshRenews}. */
  refreshRenews?: boolean;
  revoke?(context: ConnectContext, tokens: Tokens): Promise<void>;
}

/** A number of calls that may be made in a moving window, shared by all nodes. */
export interface Budget {
  name: string;
  /** `account`: one count per identity. `app`: one for all accounts that use the operator's application. */
  scope: 'account' | 'app';
  limit: number;
  windowMs: number;
  /** What an empty budget means for a target: a short wait, or the platform's daily cap. */
  kind: 'rate' | 'daily';
  /** IANA zone at whose midnight the platform's count begins anew, where its day is no moving window (`America/Los_Angeles`). */
  dayIn?: string;
}

/** The account on whose behalf a call is made. */
export interface Session {
  http: HttpClient;
  endpoints: Endpoints;
  settings: ConnectContext['settings'];
  /** The account's server origin where a platform has many; else "". */
  service: string;
  remoteId: string;
  username: string;
  extra: JsonObject;
  choices: Record<string, string>;
  /** The fresh secret, as the connector's own flow made it. */
  secret: JsonObject;
  app: App | null;
  /** Those of {@link OAuthFlow.appNames}, by name. */
  apps: Readonly<Record<string, App | null>>;
  /** True for a simulated account: settling times and pauses are short there. */
  sandbox: boolean;
  /** Takes one from a budget; parks the target when it is empty. @throws BudgetEmpty */
  spend(budget: string): Promise<void>;
  now(): number;
}

/** The stored video. Streams only: no connector ever holds a whole file. */
export interface Media {
  bytes: number;
  sha256: string;
  mime: string;
  container: Container;
  durationMs: number;
  width: number;
  height: number;
  /** @param range first and last byte, both inclusive; absent: all */
  stream(range?: { first: number; last: number }): Promise<Readable>;
  /**
   * A public address of these bytes for a platform that fetches them itself: signed, with ranges, good for a day and dead as soon
   * as the target is settled. Never shown to anybody else.
   */
  link(): string;
  /** The picture of the moment that the post's `previewTime` names: a JPEG of 720 × 1280, some 100 kB. */
  cover(): Promise<Cover>;
}

/** A small picture, at most a few hundred kB: the one thing that a connector may hold whole. */
export interface Cover {
  mime: 'image/jpeg';
  bytes: Buffer;
}

/** What is posted. */
export interface PostContent {
  /** Our id of the target: stable over retries, fit to make idempotency keys of. */
  targetId: string;
  /** Number of the send that is being prepared, from 1: a new one after every send that is known to have done nothing. */
  commitNumber: number;
  /** The caption: the post's description, or what was asked for on this platform instead. */
  text: string;
  previewTimeMs: number;
  /** What the post asks of this platform alone, as {@link Connector.options} made it; {} where it asks nothing. */
  options: JsonObject;
}

export interface Work {
  session: Session;
  post: PostContent;
  media: Media;
}

/**
 * What a step came to. `note` is a sentence for the timeline, without secrets.
 * - `continue`: the checkpoint is stored; the next step follows after `afterMs` (absent: at once).
 * - `commit`: all is prepared; the engine may now send the irreversible request made from this checkpoint.
 * - `look`: something shows that an earlier send may have worked after all (a handle that is used up, words that appeared):
 *   the engine asks `verify` before anything else is done, as it does after a send without an answer.
 */
export type StepResult =
  | { then: 'continue'; checkpoint: JsonObject; afterMs?: number; note: string }
  | { then: 'commit'; checkpoint: JsonObject; note: string }
  | { then: 'look'; checkpoint: JsonObject; note: string }
  | { then: 'failed'; failure: Failure };

export interface Published {
  /** The platform's canonical id of the post; null where it gives none. */
  remoteId: string | null;
  /** Public address, or null. */
  url: string | null;
  /** Milliseconds since the epoch by the platform's own word, or null. */
  publishedAt: number | null;
  /** Said to the user although it succeeded: a lesser visibility than asked, for instance. */
  detail?: string;
}

/**
 * What is known once the platform has the post. `failed` says that it is certain not to appear; with a failure that
 * passes (`transient`, `rateLimited`) the engine begins again from the start.
 */
export type ConfirmResult =
  | { then: 'posted'; published: Published; note: string }
  /** `complete`: the platform says it is done, only the public id is missing. */
  | { then: 'confirming'; checkpoint: JsonObject; afterMs: number; note: string; complete?: boolean }
  | { then: 'failed'; failure: Failure };

/**
 * - `posted`, `confirming`, `failed`: the platform has it, has it in work, or took it and refuses it for good.
 * - `notPosted`: it is not there. Believed only after the settling time and two looks; `checkpoint` is where to go on
 *   (null: from the beginning).
 * - `stillUnknown`: the look failed or could not have shown it.
 */
export type VerifyResult =
  | ConfirmResult
  | { then: 'notPosted'; checkpoint: JsonObject | null; note: string }
  | { then: 'stillUnknown'; note: string; afterMs?: number };

/** How to recognise our post among others. */
export interface Fingerprint {
  text: string;
  durationMs: number;
  /** When the irreversible request was about to be sent, ms since the epoch by the database's clock. */
  committedAt: number;
}

/** Of a body that is a stream, the last byte is held back until a second look at the lease. */
export interface IrreversibleRequest {
  method: 'POST' | 'PUT';
  url: string;
  headers: Record<string, string>;
  body: HttpBody;
  /** Milliseconds from start to complete answer. */
  deadlineMs: number;
}

/**
 * What an answer to the irreversible request proves. The first rule that fits counts; an answer that fits none proves
 * nothing and is verified. `code` is compared with {@link CommitPlan.codeOf}.
 */
export interface AnswerRule {
  status: number | readonly [from: number, to: number];
  code?: string;
  proves: 'done' | 'refused' | 'notYet';
}

export interface CommitPlan {
  request(work: Work, checkpoint: JsonObject): Promise<IrreversibleRequest>;
  answers: readonly AnswerRule[];
  /** The platform's own code in an answer, "" where there is none. Never throws, whatever the body is. */
  codeOf(answer: HttpAnswer): string;
  /**
   * What stood in the way, read from an answer that proves `refused` or `notYet`: a wait, a dead token, the text.
   * Never throws. Absent: the engine goes by the status alone. @param now ms since the epoch
   */
  failureOf?(answer: HttpAnswer, now: number): Failure;
  /** Reads an answer that proves `done`. Where it throws, the outcome is unknown and verified. */
  done(work: Work, checkpoint: JsonObject, answer: HttpAnswer): ConfirmResult;
}

/**
 * What a look at the platform can find out about a send without proof: `exact` by a handle or an id that only our post has,
 * `words` by its text and time alone (so two posts with the same words are never in doubt at once), `never` nothing at all.
 */
export type Sight = 'exact' | 'words' | 'never';

/** How sure a second send is harmless: own idempotency key, a handle that can be used once, or nothing. */
export type Guard = 'key' | 'handle' | 'none';

export interface Connector {
  /** The name in the interface and in addresses. */
  id: string;
  name: string;
  /** True where every account names its own server. */
  federated: boolean;
  capabilities: Capabilities;
  choices: readonly Choice[];
  /**
   * What a post may ask of this platform alone (title, privacy, board, …): a strict object in which nothing is required.
   * Absent: nothing. Another caption is the service's own business. What it makes is plain JSON.
   */
  options?: z.ZodType<JsonObject>;
  /** The text that the caption's limit counts, where an option adds to it; absent: the caption alone. */
  countedText?(text: string, options: JsonObject): string;
  /** Why the platform refuses a text whatever its length, as a sentence; null: it does not. For telling it beforehand. */
  textProblem?(text: string): string | null;
  /** The platform fetches videos from us, for some accounts at least (see {@link AccountFacts.fetchesMedia}). */
  fetchesMedia?: boolean;
  /** For the operator: where an application is registered, and what its platform looks at before others may use it. */
  registration?: { portal: string; review: string };
  endpoints: Endpoints;
  oauth: OAuthFlow | null;
  credentials: CredentialsFlow | null;
  budgets: readonly Budget[];
  /** @throws PlatformError */
  identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts>;
  /** Where one consent serves several accounts (pages, organisations): all of them. @throws PlatformError */
  identifyAll?(context: ConnectContext, tokens: Tokens): Promise<readonly AccountFacts[]>;
  /** Public documents that the platform reads from us, by path below PUBLIC_URL (`/oauth/jwks.json`). */
  documents?(context: ConnectContext): Promise<readonly { path: string; body: JsonObject }[]>;
  begin(work: Work): Promise<StepResult>;
  step(work: Work, checkpoint: JsonObject): Promise<StepResult>;
  commit: CommitPlan;
  confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult>;
  verify(work: Work, checkpoint: JsonObject | null, fingerprint: Fingerprint): Promise<VerifyResult>;
  /** By what `verify` knows our post. An account that shows less than others is answered for with `stillUnknown`. */
  sight: Sight;
  /**
   * How long after a send that got no answer it may still take effect or show up late, and how far apart the two looks
   * must be that make us believe `notPosted`.
   */
  settle: { waitMs: number; apartMs: number; guard: Guard };
  /** How long to wait for the public id once the platform said "complete"; then it counts as posted without address. */
  completeWithoutIdMs: number;
  /** Brings every form of a post's id to one. */
  canonicalId(id: string): string;
}
