/**
 * The watching part of the connector contract: how posts are found that were made on an account with any client, and
 * how their files are fetched.
 */
import type { Message } from '../messages/message.ts';
import type { JsonObject } from '../outbound/json.ts';
import type { PushCallback, PushStream } from './push.ts';
import type { Session } from './session.ts';

export interface WatchFlow {
  /**
   * Reads one page of the account's posts, newest first as far as the platform sorts them. Includes posts made through
   * Reelay. Omits posts without a video, replies, and shares of other posts. Must not throw for a single odd item: skip
   * what has no id. @throws PlatformError if there is no usable list
   */
  list(session: Session, at: WatchPosition): Promise<WatchPage>;
  /**
   * Resolves the current URL of a post's video file. URLs expire, so this is called right before each download. Absent:
   * the platform gives no files.
   * @param post the stored result of `list` @throws PlatformError
   */
  file?(session: Session, post: Pick<WatchedPost, 'remoteId' | 'file'>): Promise<WatchedFile>;
  /**
   * Name of the reader if several accounts are read by one (all channels of one bot). Accounts with the same name share
   * one watch, and `list` names the account of each post. "": not known yet, so the account is not watched. Absent: one
   * watch for each account. Pure.
   */
  reader?(account: { remoteId: string; extra: JsonObject }): string;
  /** Set if reading a post confirms it and older ones cannot be read again. Then there is no back catalog. */
  newOnly?: true;
  /** Shortest time between two checks, for platforms that allow few requests a day. Absent: the watcher decides. */
  minIntervalMs?: number;
  /**
   * Set if the platform charges for reads. Each call that reads posts counts them with {@link Session.countReads}, also in
   * `verify` and `confirm`. The count is per day (UTC), and watching pauses at the limit.
   */
  charge?: ReadCharge;
  /** A connection on which the platform announces posts. */
  stream?: PushStream;
  /** Notifications that the platform sends to us. */
  callback?: PushCallback;
}

export interface ReadCharge {
  /** The operator's setting with the maximum number of reads per day (`readsPerDay` from PLATFORM_READS_PER_DAY). */
  setting: string;
  /** Limit per day if the setting is absent. */
  defaultLimit: number;
  /** Price of one read in US dollars. */
  usd: number;
}

export interface WatchPosition {
  /** Cursor from `next` of the previous page; "" for the first page. */
  cursor: string;
  /** Older posts are not needed; ms since the epoch by our clock. A page may contain them anyway. */
  since: number;
  /** The stored `mark` of the last complete check; null before the first. */
  mark: JsonObject | null;
}

export interface WatchPage {
  posts: readonly WatchedPost[];
  /** Cursor of the next page; "" if this is the last. */
  next: string;
  /**
   * Stored once the check is complete and its posts are committed. Only for platforms where reading everything again is
   * impossible or costly. Absent: unchanged, so the mark of a check is the last one among its pages.
   */
  mark?: JsonObject;
  /** More posts follow once `mark` is stored. The next check follows a second later. */
  more?: boolean;
}

/** A post with a video, as the platform shows it. */
export interface WatchedPost {
  /** In the form of {@link Connector.canonicalId}. For an edited post, the id of its first version. */
  remoteId: string;
  /** The platform's id of the account; absent if it is the session's. */
  account?: string;
  /** ms since the epoch by the platform's clock; null if the platform does not say. */
  publishedAt: number | null;
  /** The caption as plain text: without HTML, entities decoded, shortened links expanded if the platform says how. */
  text: string;
  url: string | null;
  /** null if unknown. */
  durationMs: number | null;
  width: number | null;
  height: number | null;
  /** Whether everybody may see the post. Others are never reposted. */
  isPublic: boolean;
  /** What `file` needs later, without secrets; null if the platform gives no file of this post. */
  file: JsonObject | null;
  /** Why there is no file, or why the post cannot be reposted (several videos). */
  problem?: Message;
}

/** Where the video is now. `headers` are sent only to the host of `url`. */
export type WatchedFile =
  | { found: 'file'; url: string; headers?: Readonly<Record<string, string>> }
  /** The platform does not give the file; waiting does not help. */
  | { found: 'none'; why: Message }
  /** The post was deleted, or is no longer public. */
  | { found: 'gone' };
