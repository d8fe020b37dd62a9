/**
 * The connector contract: everything the service knows about a platform. A connector is a frozen object checked with
 * `satisfies Connector`. Generic code must not depend on a platform's name.
 *
 * A publish runs `begin` → `step`* → `commit` → `confirm`*. Each transition is stored in the database before the next
 * call. Only `commit` may make the post appear, and only the engine sends that request. If its outcome is unknown, the
 * engine calls `verify`; it never resends on a guess.
 */
import type { z } from 'zod';
import type { VideoLimits } from '../media/rendition/limits.ts';
import type { VideoFacts } from '../media/types.ts';
import type { Translations } from '../messages/languages.ts';
import type { Message, MessageTable } from '../messages/message.ts';
import type { HttpBody, HttpClient, HttpResponse } from '../outbound/http-client.ts';
import type { JsonObject } from '../outbound/json.ts';
import type { Failure } from '../outbound/platform-error.ts';
import type { Budget } from './budget.ts';
import type { App, AppCheck } from './kit/app-check.ts';
import type { CaptionLimit } from './kit/captions.ts';
import type { Ask, Choice, ChoiceValue, CredentialField } from './kit/choices.ts';
import type { PostForm } from './kit/post-form.ts';
import type { Registration } from './kit/setup-guide.ts';
import type { Media } from './media.ts';
import type { Endpoints, Session } from './session.ts';
import type { WatchFlow } from './watching.ts';

export type { Container } from '../media/types.ts';
export type { Json, JsonObject } from '../outbound/json.ts';
export type { Budget } from './budget.ts';
export type { App, AppCheck } from './kit/app-check.ts';
export type { CaptionLimit } from './kit/captions.ts';
export type { Ask, Choice, ChoiceValue, CredentialField } from './kit/choices.ts';
export type { FormCondition, FormField, FormText, PostForm, SettingText } from './kit/post-form.ts';
export type { Registration, SetupGuide } from './kit/setup-guide.ts';
export type { Cover, Media } from './media.ts';
export type {
  AccountStream,
  CallbackMode,
  PushCallback,
  PushStream,
  SharedStream,
  StreamAddress,
  StreamContext,
  StreamMessage,
} from './push.ts';
export type { Endpoints, Session } from './session.ts';
export type { ReadCharge, WatchedFile, WatchedPost, WatchFlow, WatchPage, WatchPosition } from './watching.ts';

/** Limits of a platform, or of one account on it. Pure data; an account's limits are stored with the account. */
export interface Capabilities {
  /** Also the target of a conversion, so it contains only what the platform itself would reject. */
  video: VideoLimits;
  caption: CaptionLimit;
  /**
   * Whether posts made with other clients are found. `own`: only our own posts are known. `announce`: they are found, but
   * the platform does not give their files. `poll`, `push`: they are found with their files.
   */
  watch: 'own' | 'announce' | 'poll' | 'push';
}

/** Result of a consent or login. `secret` is encrypted before it is stored, and never logged. */
export interface Tokens {
  /**
   * The connector's own data. A refresh token is stored as `refreshToken`. It is omitted (never "") if the response has
   * none; the service then keeps the previous one.
   */
  secret: JsonObject;
  scopes: readonly string[];
  /** Lifetime of the access token in seconds; null if it does not expire. */
  expiresIn: number | null;
  /** Lifetime of the refresh token in seconds; null if unknown or absent. */
  refreshExpiresIn: number | null;
  /** Origin of the account's server if the platform has many; else "". */
  service: string;
}

/** A whole consent: everything that one person granted to one application. */
export interface WholeConsent {
  /** Name of the application, shared by the connectors that use it (`google`). */
  app: string;
  /** The platform's id of the person; "" if unknown, which may be any person. */
  person: string;
}

/** Facts about an account, read when connecting and daily. */
export interface AccountFacts {
  /** The platform's own stable id of the account. */
  remoteId: string;
  username: string;
  displayName: string;
  /** URL of the picture at the platform, or "". */
  avatarUrl: string;
  capabilities: Capabilities;
  /** Values that this account may choose from, by name of the choice. */
  choices?: Readonly<Record<string, readonly ChoiceValue[]>>;
  /** Non-secret data about the account that publishing needs (a numeric id, the host of its repository). */
  extra?: JsonObject;
  /** The platform fetches this account's videos from us, so PUBLIC_URL must be publicly reachable. */
  fetchesMedia?: boolean;
  /** Origin of the account's server if `identify` found a newer one than in the tokens. */
  service?: string;
  /** True if the platform itself proves `remoteId` (a DID). A claim by a server that the user named is not proof. */
  globalId?: boolean;
}

/** Context of OAuth and credential flows. */
export interface ConnectContext {
  http: HttpClient;
  endpoints: Endpoints;
  /**
   * Operator settings for this platform: `storageChat` from the variable PLATFORM_STORAGE_CHAT. A setting named after a
   * base URL (`apiUrl` for `api`) is already applied in `endpoints`.
   */
  settings: Readonly<Record<string, string>>;
  /** The operator's application at the platform; null if not configured. */
  app: App | null;
  /** Applications by name, for {@link OAuthFlow.appNames}. */
  apps: Readonly<Record<string, App | null>>;
  publicUrl: string;
  /** Registrations made at runtime (one application per Mastodon server), stored encrypted. */
  registrations: {
    get(service: string): Promise<JsonObject | null>;
    put(service: string, value: JsonObject): Promise<void>;
  };
  /** The service's own signing key as a private JWK (P-256), for platforms that identify clients by key. */
  clientKey(): Promise<JsonObject>;
  /** In ms since the epoch. */
  now(): number;
}

export interface OAuthFlow {
  /** False if the application is registered at runtime or not needed. */
  needsApp: boolean;
  /** Prefix of the operator's variables (`google` for GOOGLE_CLIENT_ID). Defaults to the connector's id. */
  appName?: string;
  /** Names of the applications if there are several kinds of login with one each; the preferred one first. */
  appNames?: readonly string[];
  /** Suffix of the variable for the id, paired with `APP_SECRET` or `CLIENT_SECRET`. Defaults to `CLIENT_ID`. */
  appIdVariable?: 'CLIENT_KEY' | 'APP_ID';
  /** Inputs that the user gives before the consent, such as the server, the handle, or the kind of login. */
  asks: readonly Ask[];
  scopes: readonly string[];
  /** Requested scopes by application, if there are several. Defaults to `scopes`. */
  appScopes?: Readonly<Record<string, readonly string[]>>;
  /**
   * Asks the platform, without a user, whether an application's id and secret are valid. Absent: the platform has no
   * request for it. Does not throw if the platform does not respond.
   * @param name the application's, as in `appNames`
   */
  checkApp?(context: Pick<ConnectContext, 'http' | 'endpoints'>, app: App, name: string): Promise<AppCheck>;
  /** Returns the consent URL, and the state to keep (encrypted) until the callback. */
  authorize(
    context: ConnectContext,
    input: { state: string; redirectUri: string } & { [name in Ask['name']]?: string },
  ): Promise<{ url: string; kept: JsonObject }>;
  /** Exchanges the callback's query for tokens. @throws PlatformError */
  exchange(
    context: ConnectContext,
    input: { query: URLSearchParams; redirectUri: string; kept: JsonObject },
  ): Promise<Tokens>;
  /** Absent: tokens do not expire. A response without a new refresh token keeps the old one. @throws PlatformError */
  refresh?(context: ConnectContext, tokens: Tokens): Promise<Tokens>;
  /**
   * False if a refresh does not extend the refresh token's own lifetime, or if there may be no refresh token. The access
   * then ends with the refresh token (or else the access token). `unlessStated`: only if its lifetime is stated.
   */
  refreshRenews?: boolean | 'unlessStated';
  /** Ends the access at the platform. @throws PlatformError */
  revoke?(context: ConnectContext, tokens: Tokens): Promise<void>;
  /**
   * The consent that a revocation ends as a whole, for every connector and user of the service. So it is sent only with
   * the last account of the consent. Absent or null: a revocation ends only these tokens. Pure.
   */
  consentOf?(tokens: Tokens): WholeConsent | null;
  /**
   * Parses a successful response of the token endpoint, as `exchange` does. Sandbox accounts are created from one.
   * @param service the server that responded if the platform has many; else "" @throws PlatformError
   */
  tokensFrom?(response: JsonObject, service: string): Tokens;
  /** Returns the requested scopes that were not granted. Defaults to those of `scopes` that are not in `granted`. */
  missingScopes?(granted: readonly string[]): readonly string[];
}

export interface CredentialsFlow {
  fields: readonly CredentialField[];
  /** Logs in. @throws PlatformError */
  open(context: ConnectContext, input: Record<string, string>): Promise<Tokens>;
  refresh?(context: ConnectContext, tokens: Tokens): Promise<Tokens>;
  /** As in {@link OAuthFlow.refreshRenews}. */
  refreshRenews?: OAuthFlow['refreshRenews'];
  revoke?(context: ConnectContext, tokens: Tokens): Promise<void>;
}

/** Content of a post. */
export interface PostContent {
  /** Our id of the target. It is stable across retries, so idempotency keys can be derived from it. */
  targetId: string;
  /** Number of the idempotency key, from 1. It increases after each send that had no effect or whose post failed. */
  sendKey: number;
  /** The caption: the post's description, or its override for this platform. */
  text: string;
  previewTimeMs: number;
  /** The post's options for this platform, as parsed by {@link Connector.options}; {} if it has none. */
  options: JsonObject;
}

/** What decides who can see a post. */
export interface SentPost {
  post: Pick<PostContent, 'options'>;
  /** The account's settings and stored facts at the time of the send. */
  session: Pick<Session, 'choices' | 'extra'>;
  /** The checkpoint of the send. What an earlier step fixed is read from it, because the settings may have changed. */
  checkpoint: JsonObject;
}

export interface Work {
  session: Session;
  post: PostContent;
  media: Media;
}

/**
 * Result of a step. `note` is the message for the timeline, without secrets.
 * - `continue`: the checkpoint is stored; the next step follows after `afterMs` (absent: at once).
 * - `commit`: everything is prepared; the engine may send the irreversible request built from this checkpoint.
 * - `look`: an earlier send may have succeeded (a consumed handle, a matching text). The engine calls
 *   `verify` before anything else, as it does after a send without a response.
 */
export type StepResult =
  | { then: 'continue'; checkpoint: JsonObject; afterMs?: number; note: Message }
  | { then: 'commit'; checkpoint: JsonObject; note: Message }
  | { then: 'look'; checkpoint: JsonObject; note: Message }
  | { then: 'failed'; failure: Failure };

export interface Published {
  /** The platform's canonical id of the post; null if it gives none. */
  remoteId: string | null;
  /** Public URL, or null. */
  url: string | null;
  /** ms since the epoch, from the platform; null if absent. */
  publishedAt: number | null;
  /** Shown to the user despite success, for example a lower visibility than requested. */
  detail?: string;
}

/**
 * Result of a confirmation, once the platform has the post. `failed` means that the post is certain not to appear.
 * After a temporary failure (`transient`, `rateLimited`) the engine starts over.
 */
export type ConfirmResult =
  | { then: 'posted'; published: Published; note: Message }
  /** `complete`: the platform reports completion; only the public id is missing. */
  | { then: 'confirming'; checkpoint: JsonObject; afterMs: number; note: Message; complete?: boolean }
  /**
   * `wasPublished`: the platform reported the post as published, and it is gone. Its owner may have removed it, so no
   * rule brings it there again.
   */
  | { then: 'failed'; failure: Failure; wasPublished?: boolean };

/**
 * Result of a verification.
 * - `posted`, `confirming`, `failed`: the platform has the post, is processing it, or has rejected it permanently.
 * - `notPosted`: the post does not exist. The engine trusts this only after the settling time and two verifications.
 *   `checkpoint` is where to continue (null: from the start).
 * - `stillUnknown`: the verification failed, or could not have found the post.
 */
export type VerifyResult =
  | ConfirmResult
  | { then: 'notPosted'; checkpoint: JsonObject | null; note: Message }
  | { then: 'stillUnknown'; note: Message; afterMs?: number };

/** Identifies our post among others. */
export interface Fingerprint {
  text: string;
  durationMs: number;
  /** Time just before the irreversible request was sent, in ms since the epoch by the database's clock. */
  committedAt: number;
}

/**
 * The irreversible request. If the body is a stream, the last byte is held back until the lease is checked again. It is
 * not sent if the deadline leaves no time for the response.
 */
export interface IrreversibleRequest {
  method: 'POST' | 'PUT';
  url: string;
  headers: Record<string, string>;
  body: HttpBody;
  /** Ms from start to complete response. */
  deadlineMs: number;
}

/**
 * What a response to the irreversible request proves. The first matching rule applies; a response without a match
 * proves nothing and is verified. `code` is compared with {@link CommitPlan.codeOf}.
 */
export interface ResponseRule {
  status: number | readonly [from: number, to: number];
  code?: string;
  proves: 'done' | 'refused' | 'retryable';
}

export interface CommitPlan {
  request(work: Work, checkpoint: JsonObject): Promise<IrreversibleRequest>;
  responses: readonly ResponseRule[];
  /** Returns the platform's own code in a response; "" if absent. Never throws, regardless of the body. */
  codeOf(response: HttpResponse): string;
  /**
   * Maps a response that proves `refused` or `retryable` to a failure: a wait, an invalid token, the text. Never throws.
   * Absent: the engine uses the status alone. @param now ms since the epoch
   */
  failureOf?(response: HttpResponse, now: number): Failure;
  /** Parses a response that proves `done`. If it throws, the outcome is unknown and is verified. */
  done(work: Work, checkpoint: JsonObject, response: HttpResponse): ConfirmResult;
}

/**
 * How `verify` matches a post. `id`: by a handle or an id that only our post has. `text`: by its text and time
 * alone, so two posts with the same text must never be unverified at once. `none`: not at all.
 */
export type MatchBy = 'id' | 'text' | 'none';

/** How the platform protects against a second send: an idempotency key, a single-use handle, or nothing. */
export type Idempotency = 'key' | 'handle' | 'none';

export interface Connector {
  /** Name in the interface and in URLs. */
  id: string;
  name: string;
  /** True if every account names its own server. */
  federated: boolean;
  capabilities: Capabilities;
  choices: readonly Choice[];
  /**
   * The post options for this platform (title, privacy, board, …): a strict object without required fields, which
   * produces plain JSON. Absent: none. The service handles a caption override itself.
   */
  options?: z.ZodType<JsonObject>;
  /** How people fill in the options. Absent: a page shows only the caption. */
  form?: PostForm;
  /** Returns the text that counts toward the caption limit, if an option adds to it. Defaults to the caption alone. */
  countedText?(text: string, options: JsonObject): string;
  /** Warnings of a check: what may surprise about how the platform shows the file that is sent. Pure. */
  videoNotes?(video: VideoFacts): readonly Message[];
  /** Returns why the platform rejects a text of any length, or null. Checked at its creation and before `begin`. */
  textProblem?(text: string): Message | null;
  /** The messages that only this platform uses, by their stored codes. Default: none. */
  messages?: MessageTable;
  /** The same in other languages. */
  translations?: Translations;
  /** The platform fetches videos from us, at least for some accounts (see {@link AccountFacts.fetchesMedia}). */
  fetchesMedia?: boolean;
  /** For the operator: where and how to register an application. */
  registration?: Registration;
  endpoints: Endpoints;
  oauth: OAuthFlow | null;
  credentials: CredentialsFlow | null;
  budgets: readonly Budget[];
  /** Name of the budget that `identify` takes a use of. Absent: of none. */
  identifyBudget?: string;
  /** @throws PlatformError */
  identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts>;
  /** Returns all accounts of one consent, if it can cover several (pages, organizations). @throws PlatformError */
  identifyAll?(context: ConnectContext, tokens: Tokens): Promise<readonly AccountFacts[]>;
  /** Returns public documents that the platform reads from us, by path below PUBLIC_URL (`/oauth/jwks.json`). */
  documents?(context: ConnectContext): Promise<readonly { path: string; body: JsonObject }[]>;
  begin(work: Work): Promise<StepResult>;
  step(work: Work, checkpoint: JsonObject): Promise<StepResult>;
  commit: CommitPlan;
  confirm(work: Work, checkpoint: JsonObject): Promise<ConfirmResult>;
  verify(work: Work, checkpoint: JsonObject | null, fingerprint: Fingerprint): Promise<VerifyResult>;
  /** How `verify` matches our post. For an account with more restricted access, `verify` returns `stillUnknown`. */
  matchBy: MatchBy;
  /**
   * `waitMs`: how long a send without a response may still take effect or stay invisible. `apartMs`: minimum interval
   * between the two verifications that establish `notPosted`.
   */
  settle: { waitMs: number; apartMs: number; idempotency: Idempotency };
  /** Ms to wait for the public id after completion. After that, the post counts as posted without a URL. */
  completeWithoutIdMs: number;
  /**
   * Whether everybody can see a post as it was sent. Rules repost nothing else, so an unknown value is private. Pure.
   */
  isPublic(sent: SentPost): boolean;
  /** Normalizes all forms of a post's id to one. */
  canonicalId(id: string): string;
  /** Finds posts made with other clients. Absent: not possible. */
  watch?: WatchFlow;
}
