import type { Readable } from 'node:stream';

/** Storage of videos and pictures. Small enough to implement on a disk and on object storage. */
export interface Storage {
  /** Folder for unfinished files: on the storage's file system (disk), or on a local disk (object storage). */
  scratch: string;
  /** Moves a finished scratch file into the storage. Durable when it returns. */
  adopt(key: string, path: string): Promise<void>;
  /** Stores a stream. If the stream fails, nothing is stored. */
  put(key: string, source: Readable): Promise<{ bytes: number }>;
  /** @param range first and last byte, both inclusive @throws StorageMissing */
  read(key: string, range?: { first: number; last: number }): Promise<Readable>;
  /** Length in bytes; null if the key does not exist. */
  size(key: string): Promise<number | null>;
  /** Succeeds also if the key does not exist. */
  remove(key: string): Promise<void>;
  /** Provides a local path of the whole file while `use` runs, for programs that need one. */
  withFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** A URL that serves the bytes to anyone until it expires; null if the storage has no URLs of its own. */
  link(key: string, expiresInSeconds: number): Promise<string | null>;
  /** Free bytes; null if there is no practical limit. */
  free(): Promise<number | null>;
  /** Removes scratch files left by a crash. @param olderThanMs minimum age in ms @returns number of files removed */
  sweep(olderThanMs: number): Promise<number>;
}

/** Thrown by `read` and `withFile` for a key that does not exist. */
export class StorageMissing extends Error {
  readonly key: string;
  constructor(key: string) {
    super('The file is not in the storage.');
    this.name = 'StorageMissing';
    this.key = key;
  }
}
