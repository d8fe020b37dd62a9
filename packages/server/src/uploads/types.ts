import type { Database } from '../db/database.ts';
import { HOUR } from '../lib/time.ts';
import type { Storage } from '../storage/contract.ts';
import type { UploadFiles } from './files.ts';
import type { Writers } from './writers.ts';

/** Maximum upload size in bytes: the maximum video size. */
export const MAX_UPLOAD = 524_288_000;

/**
 * Maximum number of a user's uploads that no post has used, finished or not, and their maximum total announced bytes.
 */
export const MAX_UNUSED = { uploads: 5, bytes: 2 * 1024 ** 3 } as const;

/** Unfinished uploads without activity for this long (in ms) are removed when a new one would exceed the quota. */
export const IDLE_MS = HOUR;

/** Calls `tick` every `ms` milliseconds until the returned function is called. */
export type Every = (ms: number, tick: () => void) => () => void;

/** Computes the SHA-256 of a file while it is written. The service's implementation uses a thread for large files. */
export type MakeHasher = (path: string, expectedBytes: number) => Hasher;

export interface Hasher {
  /** Takes every chunk, in order. */
  update(chunk: Buffer): void;
  /** Reports the number of bytes written to the file. */
  written(bytes: number): void;
  /** The hash in hexadecimal, once everything is written. */
  digest(): Promise<string>;
  stop(): void;
}

/** What uploads need from the service. */
export interface UploadDeps {
  db: Database;
  storage: Storage;
  config: { leastFreeBytes: number };
  uploadFiles: UploadFiles;
  /** Requests of this process that write. */
  uploadWriters: Writers;
  uploads: { hasher: MakeHasher; used(bytes: number): void };
}

/** One upload, as stored. */
export interface Upload {
  id: string;
  /** Announced size in bytes. */
  bytes: number;
  /** Durable bytes on disk. Equals `bytes` only once the upload is finished. */
  durable: number;
  /** The header as sent by the client. */
  metadata: string | null;
  expiresAt: Date;
  /** In hexadecimal, once finished. */
  sha256: string | null;
  /** The post that uses it. */
  postId: string | null;
  /** Number in its file name. */
  file: number;
}

/** The lease of the current writer. */
export interface Claim extends Upload {
  userId: string;
  fence: number;
  /** In hexadecimal, if the client announced it. */
  announcedSha256: string | null;
  /** The previous writer never reported its end: it may be dead or just slow. */
  vanished: boolean;
}

/** Receives the bytes of one request. */
export interface Taker {
  /** @returns false when full: pause until `whenRoom` calls back @throws ReelayError, which ends the request */
  take(chunk: Buffer): boolean;
  whenRoom(resume: () => void): void;
  /** Rejects when the request must end for a reason other than its body. */
  failure: Promise<never>;
}
