/**
 * The push part of the connector contract: how a platform announces posts. An announcement only makes a check happen
 * earlier. It never creates or changes content, and may be lost, late, repeated or forged without harm.
 */
import type { Message } from '../messages/message.ts';
import type { HttpResponse } from '../outbound/http-client.ts';
import type { Failure } from '../outbound/platform-error.ts';
import type { Endpoints, Session } from './session.ts';

export type PushStream = AccountStream | SharedStream;

/** One connection for each account. */
export interface AccountStream {
  kind: 'account';
  /** Returns where the account's stream is; null if its server has none. @throws PlatformError */
  open(session: Session): Promise<StreamAddress | null>;
  /** Whether a message announces a post of the account. Pure; never throws. */
  announces(message: StreamMessage, account: { remoteId: string }): boolean;
}

/** One connection for many accounts. They are selected by `select` or by `subscribe`. */
export interface SharedStream {
  kind: 'shared';
  /** Accounts that one connection can select. */
  maxAccounts: number;
  /**
   * Pure.
   * @param from the moment from which messages are repeated, in ms since the epoch; null: only new ones
   * @returns null if the operator wants none
   */
  open(context: StreamContext, from: number | null): StreamAddress | null;
  /** Returns the message that selects accounts. It is sent first, and again when the accounts change. Pure. */
  select?(remoteIds: readonly string[]): string;
  /**
   * Makes the platform announce these accounts, and no others that we selected before. Called when the stream is open,
   * when the accounts change, and without accounts after the last one. Repeating is harmless.
   * @returns why some accounts are not selected, or null. @throws PlatformError if none is
   */
  subscribe?(context: SubscribeContext, remoteIds: readonly string[]): Promise<Message | null>;
  /** Reads a response that is no stream. Absent: its status decides. Never throws. @param now ms since the epoch */
  refusal?(response: HttpResponse, now: number): Failure;
  /** Returns the remote id of the account whose post a message announces; null for others. Pure; never throws. */
  announces(message: StreamMessage): string | null;
  /** Number of reads that the platform charges for a message ({@link WatchFlow.charge}). Pure; never throws. */
  chargedReads?(message: StreamMessage): number;
  /** Time after which lists show an announced post, in ms. The account is checked at once, and again then. */
  lagMs?: number;
}

export interface StreamContext {
  endpoints: Endpoints;
  settings: Readonly<Record<string, string>>;
  sandbox: boolean;
}

export interface SubscribeContext extends StreamContext {
  http: Session['http'];
  now: Session['now'];
}

export interface StreamAddress {
  /** https: an HTTP response that does not end. wss: a WebSocket. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Format of an HTTP response: server-sent events (default), or one JSON value per line. */
  format?: 'events' | 'lines';
}

export interface StreamMessage {
  /** Name of a server-sent event; otherwise "". */
  event: string;
  data: string;
}

/** Subscriptions whose notifications the platform sends to us. Each account has one, with a URL and a secret of its own. */
export interface PushCallback {
  /**
   * Asks the platform to begin or end notifications. It verifies the URL before it does. Repeating is harmless.
   * @returns false if the operator wants none @throws PlatformError
   */
  request(context: CallbackContext, mode: CallbackMode): Promise<boolean>;
  /** Reads the platform's question whether it should notify us; null if it is about something else. Pure. */
  readQuestion(query: URLSearchParams, account: { remoteId: string }): CallbackQuestion | null;
  /** Whether a notification has the right signature. Compares in constant time. */
  isSigned(notification: Notification, secret: string): boolean;
  /** Whether a notification announces a post of the account. Pure; never throws. */
  announces(notification: Notification, account: { remoteId: string }): boolean;
}

export type CallbackMode = 'subscribe' | 'unsubscribe';

export interface CallbackContext {
  http: Session['http'];
  settings: Readonly<Record<string, string>>;
  remoteId: string;
  /** Where the platform sends notifications. */
  url: string;
  /** Signs notifications. At most 200 bytes. */
  secret: string;
}

export interface CallbackQuestion {
  mode: CallbackMode;
  /** Body of the response that agrees. */
  answer: string;
  /** How long the platform will send notifications, in ms. */
  leaseMs: number;
}

export interface Notification {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
}
