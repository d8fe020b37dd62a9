import type { Config } from '../config/config.ts';
import type { Connector } from '../connectors/contract.ts';
import type { Database } from '../db/database.ts';
import type { Media } from '../media/media.ts';
import type { Adjustments } from '../media/types.ts';
import type { Message } from '../messages/message.ts';
import type { Storage } from '../storage/contract.ts';
import type { UploadFiles } from '../uploads/files.ts';
import type { SentOptions } from './options.ts';

/** The fields of a new post. */
export interface PostFields extends Adjustments {
  /** Account ids in the order sent, without duplicates. */
  platforms: readonly string[];
  description: string;
  /** Seconds from the start of what is posted; not yet compared with the length of the video. */
  previewTime: number;
  /** ms since the epoch; null: now. */
  scheduled: number | null;
  /** Not yet validated against the accounts' platforms. */
  options: SentOptions;
  /** Source of the video if it is not in the form; otherwise null. */
  source: VideoSource | null;
}

/** A finished upload, or a URL to fetch the video from. */
export type VideoSource = { uploadId: string } | { videoUrl: string };

/** Response to creating a post. */
export interface CreatedPost {
  historyId: string;
  scheduled: boolean;
  /** ISO 8601 */
  date: string;
  result: { platformId: string; status: 'PENDING' }[];
}

/** What the post operations need. */
export interface PostDeps {
  db: Database;
  uploadFiles: UploadFiles;
  /**
   * Fetches a video into a scratch file. Users share the limit of concurrent fetches.
   * @throws ReelayError `video_source_refused`, `_failed`, `_slow`, `video_too_large`; `busy` if no slot is free in time
   */
  fetchVideo(
    address: string,
    hooks: { userId: string; onBytes(bytes: number): void; signal: AbortSignal },
  ): Promise<{ path: string; bytes: number; sha256: string }>;
  storage: Storage;
  media: Media;
  config: Pick<Config, 'plans' | 'sandbox' | 'leastFreeBytes'>;
  connectors: Readonly<Record<string, Connector>>;
  /** Wakes the workers of this process, because something may be due. */
  wake(): void;
}

/**
 * Effect of a reason, worst first: the request is `refused`, the target `fails`, `waits` until a time, is `converted`
 * first, or only has a `warning`.
 */
export const EFFECTS = ['refused', 'fails', 'waits', 'converted', 'warning'] as const;

export type Effect = (typeof EFFECTS)[number];

export interface Reason {
  effect: Effect;
  /** Same codes as in rejections and in `message` of failed targets. */
  code: string;
  message: Message;
  /** ISO 8601 */
  until?: string;
  /** Number of characters by which the caption is too long. */
  excess?: number;
}
