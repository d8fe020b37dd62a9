import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { HashAnswer, HashOrder } from './hash-worker.ts';

/** Computes the SHA-256 of a file while it is being written. */
export interface Hasher {
  /** Adds a chunk; call it in order. */
  update(chunk: Buffer): void;
  /** Reports how many bytes of the file have been written. */
  written(bytes: number): void;
  /** Returns the hash in hexadecimal. Call it when everything is written. */
  digest(): Promise<string>;
  /** Cancels hashing. */
  stop(): void;
}

/** @param expectedBytes length of the body; 0 if unknown */
export type MakeHasher = (path: string, expectedBytes: number) => Hasher;

/** Minimum size for hashing in a worker thread, in bytes. Starting a thread costs about 45 ms and 20 MB. */
const WORTH_A_THREAD = 64 * 1024 * 1024;

/** Hashes small bodies inline, and large ones in one worker thread that exists only while it has work. */
export function createHashing(): MakeHasher {
  const follow = createFollower();
  return (path, expectedBytes) => (expectedBytes >= WORTH_A_THREAD ? follow(path) : hashHere());
}

function hashHere(): Hasher {
  const hash = createHash('sha256');
  return {
    update: (chunk) => void hash.update(chunk),
    written: () => {},
    digest: async () => hash.digest('hex'),
    stop: () => {},
  };
}

/**
 * A worker thread that reads files from the page cache while they are being written. It saves a quarter of the time of
 * a large upload, because hashing and receiving would otherwise compete for one thread. All uploads share it, because a
 * thread takes 15 MB.
 */
function createFollower(): (path: string) => Hasher {
  const open = new Map<number, PromiseWithResolvers<string>>();
  let thread: Worker | null = null;
  let count = 0;

  const start = () => {
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url));
    const lost = (error: Error) => {
      if (thread !== worker) return;
      thread = null;
      for (const response of open.values()) response.reject(error);
      open.clear();
    };
    worker.on('message', ({ file, sha256, error }: HashAnswer) => {
      const response = open.get(file);
      close(file);
      if (sha256 !== undefined) response?.resolve(sha256);
      else response?.reject(error);
    });
    worker.once('error', lost);
    worker.once('exit', () => lost(new Error('The thread that hashes ended early.')));
    worker.unref();
    return worker;
  };
  const close = (file: number) => {
    open.delete(file);
    if (open.size > 0) return;
    const worker = thread;
    thread = null;
    void worker?.terminate();
  };

  return (path) => {
    const file = count++;
    const response = Promise.withResolvers<string>();
    response.promise.catch(() => {});
    open.set(file, response);
    thread ??= start();
    const tell = (order: HashOrder) => open.has(file) && thread?.postMessage(order);
    return {
      update: () => {},
      written: (bytes) => void tell({ file, path, upTo: bytes }),
      digest: () => {
        thread?.ref();
        tell({ file, path, upTo: 'end' });
        return response.promise;
      },
      stop() {
        tell({ file, path, upTo: 'stop' });
        close(file);
      },
    };
  };
}
