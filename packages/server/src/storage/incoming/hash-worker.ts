/** Worker thread of `hasher.ts`. It hashes each file up to the announced size, and returns the hash on `end`. */
import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

/** `upTo`: number of bytes written so far; `end` to return the hash; `stop` to discard it. */
export interface HashOrder {
  file: number;
  path: string;
  upTo: number | 'end' | 'stop';
}

export interface HashAnswer {
  file: number;
  /** In hexadecimal; absent if the file could not be read. */
  sha256?: string;
  error?: unknown;
}

interface Followed {
  hash: Hash;
  descriptor: number;
  at: number;
}

const buffer = Buffer.alloc(1024 * 1024);
const followed = new Map<number, Followed>();

parentPort?.on('message', (order: HashOrder) => {
  try {
    const response = obey(order);
    if (response) parentPort?.postMessage(response);
  } catch (error) {
    forget(order.file);
    parentPort?.postMessage({ file: order.file, error } satisfies HashAnswer);
  }
});

function obey({ file, path, upTo }: HashOrder): HashAnswer | null {
  if (typeof upTo === 'number') {
    read(file, path, upTo);
    return null;
  }
  const hash = followed.get(file)?.hash ?? createHash('sha256');
  forget(file);
  return upTo === 'end' ? { file, sha256: hash.digest('hex') } : null;
}

function read(file: number, path: string, upTo: number): void {
  // Opened on the first message, because the file need not exist when the upload begins.
  const one = followed.get(file) ?? { hash: createHash('sha256'), descriptor: openSync(path, 'r'), at: 0 };
  followed.set(file, one);
  while (one.at < upTo) {
    const length = readSync(one.descriptor, buffer, 0, Math.min(buffer.length, upTo - one.at), one.at);
    if (length === 0) throw new Error('The file is shorter than the data written to it.');
    one.hash.update(buffer.subarray(0, length));
    one.at += length;
  }
}

function forget(file: number): void {
  const one = followed.get(file);
  followed.delete(file);
  if (one) closeSync(one.descriptor);
}
