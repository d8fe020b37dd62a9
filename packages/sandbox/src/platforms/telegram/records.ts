/** Records of the simulator. Tests may change a record to create special states of a bot or chat. */
import { createHash, randomBytes } from 'node:crypto';
import type { JsonObject } from '../../json.ts';
import { defineSettings } from '../../store/records.ts';
import type { Entity } from './entities.ts';

/** Kind `bot`, by token. */
export interface Bot {
  /** Digits; also the first part of the token. */
  id: string;
  username: string;
  firstName: string;
  /** False after its owner revoked the token. */
  live: boolean;
  /** URL of the webhook that another program set; absent or "" if no webhook is set. */
  webhook?: string;
}

/** Kind `chat`, by id. */
export interface Chat {
  /** `-100…` for channels and supergroups. */
  id: string;
  type: 'channel' | 'supergroup' | 'group' | 'private';
  title: string;
  /** Absent if the chat is private. */
  username?: string;
  lastMessage: number;
  /** A storage chat that only its owner sees; messages in it are not published. */
  hidden?: boolean;
  /** What Telegram responds to every send, such as `400 CHAT_RESTRICTED`. The Bot API server prefixes the status. */
  sendRefusal?: { status: 400 | 403; message: string };
  /** New id of a group that became a supergroup. The old id only returns this one. */
  migratedTo?: string;
}

/** Kind `member`, key `CHAT BOT`, owned by the chat. */
export interface Member {
  status: 'administrator' | 'member' | 'left' | 'kicked';
  canPost: boolean;
}

/** Kind `file`, by file id; valid for its bot only. */
export interface StoredFile {
  fileId: string;
  uniqueId: string;
  botId: string;
  blob: string;
  bytes: number;
  sha256: string;
  mime: string;
  name: string;
  /** `video` if players support it, `animation` for a video without sound; otherwise `document`. */
  kind: 'video' | 'animation' | 'document';
  width: number;
  height: number;
  /** In seconds. */
  duration: number;
  /** In ms since the epoch. */
  storedAt: number;
  /** Smaller variants that Telegram made. */
  qualities?: readonly (Omit<StoredFile, 'qualities'> & { codec: string })[];
}

/** Kind `photo`, by file id; valid for its bot only. */
export interface Photo {
  fileId: string;
  botId: string;
  bytes: number;
  sha256: string;
}

/** Kind `message`, key `CHAT/NUMBER`. */
export interface Message {
  chatId: string;
  messageId: number;
  botId: string;
  fileId: string;
  /** The cover, if one was given. */
  cover: Photo | null;
  caption: string;
  /** Entities of the caption's formatting. */
  entities?: Entity[];
  /** In ms since the epoch. */
  sentAt: number;
  /** In ms since the epoch; absent if the message was never edited. */
  editedAt?: number;
}

export type UpdateKind = 'channel_post' | 'edited_channel_post' | 'my_chat_member';

export interface Update {
  /** Assigned on arrival. */
  id: number | null;
  kind: UpdateKind;
  content: JsonObject;
  /** Time of arrival in ms since the epoch. */
  visibleAt: number;
  /** In ms since the epoch. */
  expiresAt: number;
}

/** Kind `updates`, by bot id. */
export interface UpdateQueue {
  /** Id of the next update. After a week without updates, Telegram may choose any. */
  nextId: number;
  /** The last `allowed_updates`; empty for all. */
  allowed: readonly string[];
  /** In order of arrival. */
  updates: readonly Update[];
}

/** Kind and key `switches`. */
export interface TelegramSwitches {
  /** New accounts have no storage chat. */
  noStorageChat?: boolean;
  /** The channel is so large that videos are converted first; the response has message id 0. */
  convertsLater?: boolean;
  /** A self-hosted Bot API server started with `--local`, with a web server in front of it that serves its files. */
  localServer?: boolean;
  /** No web server in front of the local server serves its files. */
  filesNotServed?: boolean;
  /** Maximum file size in bytes. Absent: the documented limit. */
  mostBytes?: number;
  /** Covers are rejected. */
  noCovers?: boolean;
  /** Uploaded videos have no sound, so Telegram turns them into animations. */
  silentVideos?: boolean;
  /** Variants that Telegram makes of videos posted in the app. */
  qualities?: readonly { codec: string; width: number; height: number; bytes: number }[];
  /** Lifetime of a file id in ms. */
  fileLifeMs?: number;
}

export const SWITCHES = ['switches', 'switches'] as const;
export const { read: switchesOf, variant } = defineSettings<TelegramSwitches>(SWITCHES, {});

/** In bytes. The documentation does not say whether "50 MB" means MB or MiB. */
const MAX_BYTES = 50_000_000;
const MAX_BYTES_LOCAL = 2_000_000_000;
/** Maximum size in bytes of a file that Telegram fetches from a URL. */
export const MAX_BYTES_BY_URL = 20_000_000;
/** Maximum size in bytes for `getFile`. */
export const MAX_BYTES_TO_GET = 20_971_520;
export const MAX_CAPTION = 1024;

/** Returns the maximum size in bytes of an uploaded file. */
export function mostBytes({ localServer, mostBytes: configured }: TelegramSwitches): number {
  return configured ?? (localServer ? MAX_BYTES_LOCAL : MAX_BYTES);
}

/** Returns ten digits derived from a name, so that ids are stable. */
export function numberOf(name: string): string {
  const digest = createHash('sha256').update(name).digest().readBigUInt64BE();
  return String(1_000_000_000n + (digest % 9_000_000_000n));
}

/** Returns a bot token: the bot's id, a colon, 35 characters. */
export function newToken(botId: string): string {
  return `${botId}:AA${randomBytes(25).toString('base64url').slice(0, 33)}`;
}
