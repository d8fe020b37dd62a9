/** The requests of this process that write to uploads, so that they can be aborted. */
import type { ReelayError } from '../errors/reelay-error.ts';

export interface Writers {
  /** @param stop ends the request @returns a function to call when it has ended */
  add(uploadId: string, stop: (why: ReelayError) => void): () => void;
  /** Aborts the requests of this process that write to an upload. */
  stop(uploadId: string, why: ReelayError): void;
  /** Aborts all current and future requests. */
  stopAll(why: ReelayError): void;
}

export function createWriters(): Writers {
  const all = new Map<string, Set<(why: ReelayError) => void>>();
  let closed: ReelayError | null = null;
  return {
    add(uploadId, stop) {
      const those = all.get(uploadId) ?? new Set();
      all.set(uploadId, those.add(stop));
      if (closed) stop(closed);
      return () => {
        those.delete(stop);
        if (those.size === 0) all.delete(uploadId);
      };
    },
    stop(uploadId, why) {
      for (const stop of all.get(uploadId) ?? []) stop(why);
    },
    stopAll(why) {
      closed = why;
      for (const those of all.values()) for (const stop of those) stop(why);
    },
  };
}
