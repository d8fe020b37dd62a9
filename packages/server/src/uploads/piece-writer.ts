import type { UploadFile } from './files.ts';

/** Takes the chunks of one request to disk, and says from time to time how much of them is there for certain. */
export interface PieceWriter {
  /** Takes a chunk; false: no more until `onRoom`. */
  write(chunk: Buffer): boolean;
  /** Bytes of the file with all that was taken. */
  end(): number;
  /** Brings to disk what waits, although it is not much. */
  nudge(): void;
  /** Everything that was taken is on disk when it resolves. @throws what the disk answered, or `note` */
  settle(): Promise<void>;
  /** Writes no more; nothing of it is under way when it resolves. Never throws. */
  stop(): Promise<void>;
}

export interface PieceWriterOptions {
  file: UploadFile;
  /** Where the first chunk goes, in bytes. */
  from: number;
  /** Told what is on disk for certain; the next time only when it has answered. Absent: only `settle` matters. */
  note?: (bytes: number) => Promise<void>;
  /** So many bytes of the file are written by now, on disk or not. */
  onWritten: (bytes: number) => void;
  /** After `write` answered false: there is room again. */
  onRoom: () => void;
  /** The disk, or `note`, failed; nothing more will be written. */
  onError: (error: unknown) => void;
}

/** Written in one system call, in bytes. */
const BATCH = 512 * 1024;
/** Most bytes that wait in memory before the sender is asked to pause. */
const HIGH = 2 * 1024 * 1024;
/** So many bytes are brought to disk together. */
const SYNC_EVERY = 4 * 1024 * 1024;
/**
 * Most bytes that a crash may lose: no more are taken before some are noted. Several times the above, so that taking,
 * writing, bringing to disk and noting go on side by side, each with bytes of its own.
 */
export const MOST_UNSURE = 16 * 1024 * 1024;

/** Writing, bringing to disk and noting run side by side; each is one at a time. */
export function createPieceWriter(options: PieceWriterOptions): PieceWriter {
  const { file, from, note } = options;
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let written = from;
  let synced = from;
  let sure = from;
  let full = false;
  /** Up to here nothing waits for more to come. */
  let pushedTo = from;
  let stopped = false;
  let failure: { cause: unknown } | null = null;
  let writing: Promise<void> | null = null;
  let syncing: Promise<void> | null = null;
  let noting: Promise<void> | null = null;
  const over = () => stopped || failure !== null;
  const taken = () => written + waitingBytes;

  const fail = (cause: unknown) => {
    if (over()) return;
    failure = { cause };
    waiting = [];
    options.onError(cause);
  };
  const isFull = () => waitingBytes >= HIGH || (note !== undefined && taken() - sure >= MOST_UNSURE);
  const tellRoom = () => {
    if (!full || isFull() || over()) return;
    full = false;
    options.onRoom();
  };

  const mustWrite = () => !over() && waitingBytes > 0 && (waitingBytes >= BATCH || written < pushedTo);
  const mustSync = () => !over() && written > synced && (written - synced >= SYNC_EVERY || synced < pushedTo);
  const mustNote = () => !over() && synced > sure;

  const write = async () => {
    try {
      while (mustWrite()) {
        const batch = waiting;
        const size = waitingBytes;
        waiting = [];
        await file.write(batch, written);
        written += size;
        waitingBytes -= size;
        options.onWritten(written);
        tellRoom();
        syncSoon();
      }
    } catch (error) {
      fail(error);
    } finally {
      // Not a turn later: whoever adds work meanwhile would think that it is seen to.
      writing = null;
    }
  };
  const sync = async () => {
    try {
      while (mustSync()) {
        const upTo = written;
        await file.sync();
        synced = upTo;
        noteSoon();
      }
    } catch (error) {
      fail(error);
    } finally {
      syncing = null;
    }
  };
  const noteAll = async () => {
    try {
      while (mustNote()) {
        const upTo = synced;
        await note?.(upTo);
        sure = upTo;
        tellRoom();
      }
    } catch (error) {
      fail(error);
    } finally {
      noting = null;
    }
  };
  const writeSoon = () => {
    if (!writing && mustWrite()) writing = write();
  };
  const syncSoon = () => {
    if (!syncing && mustSync()) syncing = sync();
  };
  const noteSoon = () => {
    if (!noting && mustNote()) noting = noteAll();
  };
  const push = (upTo: number) => {
    pushedTo = Math.max(pushedTo, upTo);
    writeSoon();
    syncSoon();
  };
  const idle = async () => {
    while (writing || syncing || noting) await Promise.all([writing, syncing, noting]);
  };

  return {
    write(chunk) {
      waiting.push(chunk);
      waitingBytes += chunk.length;
      if (waitingBytes >= BATCH) writeSoon();
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
