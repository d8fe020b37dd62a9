import type { FileHandle } from 'node:fs/promises';
import type { Hasher } from './hasher.ts';

/** Destination of the file's bytes. */
export interface FileSink {
  /** Accepts a chunk. Returns false if the disk is behind and the sender should pause until `onDrain`. */
  write(chunk: Buffer): boolean;
  /** Number of bytes accepted so far. */
  bytes(): number;
  /**
   * Waits until everything is written, then closes the file.
   * @throws the disk's error
   */
  finish(): Promise<{ bytes: number; sha256: string }>;
  /** Stops writing and closes the file. Never throws. */
  abort(): Promise<void>;
}

export interface SinkEvents {
  /** Called when the buffer has room again, after `write` returned false. */
  onDrain: () => void;
  /** Called on a disk error; nothing more will be written. */
  onError: (error: unknown) => void;
}

/** Bytes per system call. Fewer and larger writes take a third less CPU time than a file stream. */
const BATCH = 512 * 1024;
/** Maximum number of bytes buffered before the sender is asked to pause. */
const HIGH = 2 * 1024 * 1024;

/** Writes chunks to a file in sequential batches, and feeds them to the hasher. */
export function createFileSink(opening: Promise<FileHandle>, hasher: Hasher, events: SinkEvents): FileSink {
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let taken = 0;
  let written = 0;
  let full = false;
  let ending = false;
  let aborted = false;
  let failure: { cause: unknown } | null = null;
  let running: Promise<void> | null = null;
  opening.catch(fail);

  function fail(cause: unknown): void {
    if (aborted || failure !== null) return;
    failure = { cause };
    waiting = [];
    events.onError(cause);
  }
  const stopped = () => aborted || failure !== null;

  async function flush(): Promise<void> {
    const handle = await opening;
    while (!stopped() && waitingBytes > 0 && (ending || waitingBytes >= BATCH)) {
      const batch = waiting;
      waiting = [];
      const size = waitingBytes;
      await writeAll(handle, batch, size, written);
      written += size;
      hasher.written(written);
      waitingBytes -= size;
      if (full && waitingBytes < HIGH / 2) {
        full = false;
        events.onDrain();
      }
    }
  }

  function start(): void {
    if (running !== null || stopped()) return;
    running = flush()
      .catch(fail)
      .finally(() => {
        running = null;
        // `onDrain` may have filled the buffer before this run ended.
        if (waitingBytes >= BATCH) start();
      });
  }

  async function close(): Promise<void> {
    await running;
    const handle = await opening.catch(() => null);
    await handle?.close();
  }

  return {
    write(chunk) {
      taken += chunk.length;
      hasher.update(chunk);
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes >= BATCH) start();
      full = full || waitingBytes >= HIGH;
      return !full;
    },
    bytes: () => taken,
    async finish() {
      ending = true;
      // A run that ended between two batches may leave a remainder that only a new run writes.
      while (!stopped() && waitingBytes > 0) {
        start();
        await running;
      }
      await close();
      if (failure !== null) throw failure.cause;
      return { bytes: taken, sha256: await hasher.digest() };
    },
    async abort() {
      aborted = true;
      hasher.stop();
      waiting = [];
      await close().catch(() => {});
    },
  };
}

/** Writes a whole batch. The system may write less than requested, which is how a full disk first shows. */
async function writeAll(handle: FileHandle, batch: Buffer[], size: number, position: number): Promise<void> {
  const { bytesWritten } = await handle.writev(batch, position);
  if (bytesWritten === size) return;
  const rest = Buffer.concat(batch).subarray(bytesWritten);
  for (let done = 0; done < rest.length; ) {
    const { bytesWritten: more } = await handle.write(rest, done, rest.length - done, position + bytesWritten + done);
    done += more;
  }
}
