/** Thread of `hasher.ts`: told how much of a file is written, it hashes up to there; told `end`, it answers the hash. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

const hash = createHash('sha256');
const buffer = Buffer.alloc(1024 * 1024);
let file: number | null = null;
let at = 0;

parentPort?.on('message', (message: number | 'end') => {
  if (message === 'end') {
    if (file !== null) closeSync(file);
    parentPort?.postMessage(hash.digest('hex'));
    parentPort?.close();
    return;
  }
  // Opened at the first news only: the file need not exist when the thread starts.
  file ??= openSync(workerData, 'r');
  while (at < message) {
    const length = readSync(file, buffer, 0, Math.min(buffer.length, message - at), at);
    if (length === 0) throw new Error('The file is shorter than what was written.');
    hash.update(buffer.subarray(0, length));
    at += length;
  }
});
