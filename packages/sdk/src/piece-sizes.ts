/** Sizes of the pieces of an upload. */
import { isPassing, isTooLargeForProxy } from './errors.ts';

/**
 * In bytes. Each piece is a request, because proxies limit bodies and browsers cannot send streams. Pieces grow while
 * they are fast, so that progress is reported about once a second.
 */
const FIRST_PIECE = 1024 * 1024;
const MAX_PIECE = 32 * 1024 * 1024;
/** What a proxy refuses is halved down to this. */
const MIN_PIECE = 64 * 1024;
/** A piece that takes less, in ms, is followed by a larger one; one that takes four times as long, by a smaller one. */
const FAST_MS = 700;

export interface PieceSizes {
  /** Begins again with a small piece, after an interruption. */
  restart(): void;
  /** @param left bytes that are not sent yet */
  next(left: number): number;
  /** Reports that the last piece was sent. */
  took(ms: number): void;
  /** Reports a failure. @returns whether to retry immediately with smaller pieces */
  failed(error: unknown): boolean;
}

export function createPieceSizes(): PieceSizes {
  let max = MAX_PIECE;
  let wanted = 0;
  /** 0: no piece was sent since the last interruption. */
  let last = 0;
  return {
    restart() {
      wanted = Math.min(FIRST_PIECE, max);
      last = 0;
    },
    next(left) {
      last = Math.min(wanted, left);
      return last;
    },
    took(ms) {
      if (ms < FAST_MS) wanted = Math.min(max, wanted * 2);
      else if (ms > 4 * FAST_MS) wanted = Math.max(Math.min(FIRST_PIECE, max), wanted / 2);
    },
    failed(error) {
      const half = Math.ceil(last / 2);
      if (isTooLargeForProxy(error) && last > MIN_PIECE) {
        max = Math.max(MIN_PIECE, half);
        return true;
      }
      // A proxy that refuses a large body may close the connection before its response is read.
      if (isPassing(error) && half >= FIRST_PIECE) max = half;
      return false;
    },
  };
}
