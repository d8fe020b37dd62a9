import type { UploadFile } from './files.ts';

/** Writes the chunks of one request to disk and reports how many bytes are durable. */
export interface PieceWriter {
  /** Takes a chunk. @returns false when full: pause until `onRoom` */
  write(chunk: Buffer): boolean;
  /** File size in bytes including all taken chunks. */
  end(): number;
  /** Flushes pending bytes, even a small amount. */
  nudge(): void;
  /** Resolves when everything taken is on disk. @throws the disk's error, or that of `note` */
  settle(): Promise<void>;
  /** Stops writing. Resolves when no write is in progress. Never throws. */
  stop(): Promise<void>;
}

export interface PieceWriterOptions {
  file: UploadFile;
  /** Position of the first chunk, in bytes. */
  from: number;
  /** Called with the number of durable bytes; calls never overlap. Absent: only `settle` matters. */
  note?: (bytes: number) => Promise<void>;
  /** Called with the number of bytes written, not necessarily flushed. */
  onWritten: (bytes: number) => void;
  /** Called when there is room again after `write` returned false. */
  onRoom: () => void;
  /** The disk or `note` failed; nothing more is written. */
  onError: (error: unknown) => void;
}

/** Bytes written in one system call. */
const BATCH = 512 * 1024;
/** Maximum bytes pending in memory before the sender is paused. */
const HIGH = 2 * 1024 * 1024;
/** Bytes flushed together. */
const SYNC_EVERY = 4 * 1024 * 1024;
/**
 * Maximum bytes that a crash may lose: no more are taken until some are recorded. Several times {@link SYNC_EVERY}, so
 * that receiving, writing, flushing and recording overlap.
 */
export const MAX_UNSURE = 16 * 1024 * 1024;

/** Writing, flushing and recording overlap; each runs one at a time. */
export function createPieceWriter(options: PieceWriterOptions): PieceWriter {
  const { file, from, note } = options;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let written = from;
  let synced = from;
  let sure = from;
  let full = false;
  /** Bytes up to this position are written and flushed without waiting for a full batch. */
  let pushedTo = from;
  let stopped = false;
  let failure: { cause: unknown } | null = null;
  const over = () => stopped || failure !== null;
  const taken = () => written + waitingBytes;

  const fail = (cause: unknown) => {
    if (over()) return;
    failure = { cause };
    waiting = [];
    options.onError(cause);
  };
  const isFull = () => waitingBytes >= HIGH || (note !== undefined && taken() - sure >= MAX_UNSURE);
  const tellRoom = () => {
    if (!full || isFull() || over()) return;
    full = false;
    options.onRoom();
  };

  const mustWrite = () => !over() && waitingBytes > 0 && (waitingBytes >= BATCH || written < pushedTo);
  const mustSync = () => !over() && written > synced && (written - synced >= SYNC_EVERY || synced < pushedTo);
  const mustNote = () => !over() && synced > sure;

  const writing = createRepeater(mustWrite, fail, async () => {
    const batch = waiting;
    const size = waitingBytes;
    waiting = [];
    await file.write(batch, written);
    written += size;
    waitingBytes -= size;
    options.onWritten(written);
    tellRoom();
    syncing.wake();
  });
  const syncing = createRepeater(mustSync, fail, async () => {
    const upTo = written;
    await file.sync();
    synced = upTo;
    noting.wake();
  });
  const noting = createRepeater(mustNote, fail, async () => {
    const upTo = synced;
    await note?.(upTo);
    sure = upTo;
    tellRoom();
  });
  const push = (upTo: number) => {
    pushedTo = Math.max(pushedTo, upTo);
    writing.wake();
    syncing.wake();
  };
  const idle = async () => {
    const all = [writing, syncing, noting];
    while (all.some(({ running }) => running())) await Promise.all(all.map(({ running }) => running()));
  };

  return {
    write(chunk) {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes >= BATCH) writing.wake();
      full = full || isFull();
      return !full;
    },
    end: taken,
    nudge: () => push(taken()),
    async settle() {
      push(Number.POSITIVE_INFINITY);
      await idle();
      if (failure) throw failure.cause;
    },
    async stop() {
      stopped = true;
      await idle();
      waiting = [];
    },
  };
}

/** Repeats a step, one at a time, while there is work for it. */
function createRepeater(isDue: () => boolean, onError: (cause: unknown) => void, step: () => Promise<void>) {
  let running: Promise<void> | null = null;
  const run = async () => {
    try {
      while (isDue()) await step();
    } catch (error) {
      onError(error);
    } finally {
      // Reset before the next turn: a caller that adds work must not see a loop that has already ended.
      running = null;
    }
  };
  return {
    running: () => running,
    wake() {
      if (!running && isDue()) running = run();
    },
  };
}
