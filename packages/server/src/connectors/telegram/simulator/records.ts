/** What the books hold. Tests may change a record to bring about what a real bot or chat can be. */
import { createHash, randomBytes } from 'node:crypto';
import type { SimulatorOptions } from '../../kit/simulator.ts';

/** Kind `bot`, by token. */
export interface Bot {
  /** Digits; also the first part of the token. */
  id: string;
  username: string;
  firstName: string;
  /** False once its owner has had the token changed. */
  live: boolean;
}

/** Kind `chat`, by id. */
export interface Chat {
  /** `-100…` for channels and supergroups. */
  id: string;
  type: 'channel' | 'supergroup' | 'group' | 'private';
  title: string;
  /** Absent where the chat is private. */
  username?: string;
  lastMessage: number;
  /** Nobody is there but its owner: what lies in it is not published. */
  hidden?: boolean;
  /** A group that became a supergroup answers to this id only. */
  migratedTo?: string;
}

/** Kind `member`, key `CHAT BOT`. */
export interface Member {
  status: 'administrator' | 'member' | 'left' | 'kicked';
  canPost: boolean;
}

/** Kind `file`, by file id; good for its bot only. */
export interface StoredFile {
  fileId: string;
  uniqueId: string;
  botId: string;
  blob: string;
  bytes: number;
  sha256: string;
  mime: string;
  name: string;
  /** What players can show is a video, anything else a document. */
  kind: 'video' | 'document';
  width: number;
  height: number;
  /** Seconds. */
  duration: number;
  /** ms since the epoch */
  storedAt: number;
}

/** Kind `photo`, by file id; good for its bot only. */
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
  /** The picture that stands for the video, where one was given. */
  cover: Photo | null;
  caption: string;
  /** ms since the epoch */
  sentAt: number;
}

/** Kind and key `switches`. */
export interface TelegramSwitches {
  /** New accounts have no second chat to lay videos down in. */
  noStorageChat?: boolean;
  /** The channel is so large that a video is converted first, and the answer names message 0. */
  convertsLater?: boolean;
  /** A Bot API server of one's own, started with `--local`. */
  localServer?: boolean;
  /** Bytes of the largest file that is taken; absent: what is documented. */
  mostBytes?: number;
  /** Pictures for videos are not taken. */
  noCovers?: boolean;
  /** A file that was sent can be sent again by its id for so long only, ms. */
  fileLifeMs?: number;
}

export const SWITCHES = ['switches', 'switches'] as const;

/** Bytes; whether the documentation's "50 MB" are these or MiB is not known. */
const MOST_BYTES = 50_000_000;
const MOST_BYTES_LOCAL = 2_000_000_000;
/** Bytes that Telegram fetches from an address. */
export const MOST_BYTES_BY_URL = 20_000_000;
/** Bytes that `getFile` serves. */
export const MOST_BYTES_TO_GET = 20_971_520;
export const MOST_CAPTION = 1024;

/** The simulated platform. */
export interface World {
  options: SimulatorOptions;
  switches(): Promise<TelegramSwitches>;
}

export function createWorld(options: SimulatorOptions): World {
  return {
    options,
    switches: async () => (await options.books.get<TelegramSwitches>(...SWITCHES)) ?? {},
  };
}

/** Bytes of the largest file that may be sent. */
export function mostBytes({ localServer, mostBytes: said }: TelegramSwitches): number {
  return said ?? (localServer ? MOST_BYTES_LOCAL : MOST_BYTES);
}

/** Ten digits that follow from a name, so that what is made twice is the same. */
export function numberOf(name: string): string {
  const digest = createHash('sha256').update(name).digest().readBigUInt64BE();
  return String(1_000_000_000n + (digest % 9_000_000_000n));
}

/** A bot token: the bot's id, a colon, 35 characters. */
export function newToken(botId: string): string {
  return `${botId}:AA${randomBytes(25).toString('base64url').slice(0, 33)}`;
}
