import type { Readable } from 'node:stream';

/** Where videos and pictures are kept. Small enough for a disk and for object storage alike. */
export interface Storage {
  /** A folder on the same file system as the storage (disk) or on local disk (object storage), for files in the making. */
  scratch: string;
  /** Takes over a finished scratch file; it is gone from there afterwards. Durable when it returns. */
  adopt(key: string, path: string): Promise<void>;
  /** Stores a stream; nothing is kept when it breaks off. */
  put(key: string, source: Readable): Promise<{ bytes: number }>;
  /** @param range first and last byte, both inclusive @throws StorageMissing */
  read(key: string, range?: { first: number; last: number }): Promise<Readable>;
  /** Length in bytes, or null where there is none. */
  size(key: string): Promise<number | null>;
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>;
  /** A local path of the whole file while `use` runs, for programs that need one. */
  withFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** An address that gives the bytes to whoever has it until then; null where the storage has none of its own. */
  link(key: string, expiresInSeconds: number): Promise<string | null>;
  /** Free bytes, or null where there is no limit to speak of. */
  free(): Promise<number | null>;
  /** Removes scratch files that were left by a crash. @param olderThanMs */
  sweep(olderThanMs: number): Promise<number>;
}

/** Thrown by `read` and `withFile` for a key that holds nothing. */
export class StorageMissing extends Error {
  readonly key: string;
  constructor(key: string) {
    super('The file is not in the storage.');
    this.name = 'StorageMissing';
    this.key = key;
  }
}
