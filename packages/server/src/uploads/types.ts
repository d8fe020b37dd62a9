import type { Database } from '../db/database.ts';
import type { Storage } from '../storage/contract.ts';
import type { UploadFiles } from './files.ts';
import type { Writers } from './writers.ts';

/** Largest upload, in bytes: the largest video. */
export const LARGEST_UPLOAD = 524_288_000;

/** Most uploads of a user that no post has used, finished or not, and most bytes that they announce together. */
export const MAX_UNUSED = { uploads: 5, bytes: 2 * 1024 ** 3 } as const;

/** An unfinished upload that nothing came to for so long makes way for a new one where there are too many. */
export const IDLE_MS = 3_600_000;

/** Calls `tick` every `ms` milliseconds until the answered function is called. */
export type Every = (ms: number, tick: () => void) => () => void;

/** Computes the SHA-256 of a file while it is written; the service's own, which has a thread for large ones. */
export type MakeHasher = (path: string, expectedBytes: number) => Hasher;

export interface Hasher {
  /** Every chunk, in order. */
  update(chunk: Buffer): void;
  /** So many bytes of the file are written by now. */
  written(bytes: number): void;
  /** In hexadecimal, when all is written. */
  digest(): Promise<string>;
  stop(): void;
}

/** What uploads need of the service. */
export interface UploadNeeds {
  db: Database;
  storage: Storage;
  config: { leastFreeBytes: number };
  uploadFiles: UploadFiles;
  /** Requests of this process that write. */
  uploadWriters: Writers;
  uploads: { hasher: MakeHasher; used(bytes: number): void };
}

/** One upload as its row has it. */
export interface Upload {
  id: string;
  /** As announced. */
  bytes: number;
  /** So many are on disk for certain; all of them only once the upload is finished. */
  durable: number;
  /** As the client sent it. */
  metadata: string | null;
  expiresAt: Date;
  /** In hexadecimal, once finished. */
  sha256: string | null;
  /** The post that it became the video of. */
  postId: string | null;
  /** Number in the name of its file. */
  file: number;
}

/** The lease of whoever writes. */
export interface Claim extends Upload {
  userId: string;
  fence: number;
  /** In hexadecimal, where the client announced it. */
  announcedSha256: string | null;
  /** Who wrote before never said that it had ended: it may be dead, or just slow. */
  vanished: boolean;
}

/** What takes the bytes of one request. */
export interface Taker {
  /** False: no more until `whenRoom` calls. @throws ReelayError which ends the request */
  take(chunk: Buffer): boolean;
  whenRoom(resume: () => void): void;
  /** Rejects when the request must end for another reason than its body. */
  failure: Promise<never>;
}
