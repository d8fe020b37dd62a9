import type { IncomingMessage } from 'node:http';
import { ReelayError } from '../../errors.ts';
import { createPartsParser, type PartsEvents } from './parts.ts';
import { type Every, guardSpeed } from './speed.ts';

export interface PumpOptions {
  boundary: string;
  onPart: PartsEvents['onPart'];
  every: Every;
  signal?: AbortSignal;
  /** Rejects on errors that do not come from the body, such as disk errors. */
  failure: Promise<never>;
  /** Whether the body is too large compared with what it carried. */
  isTooMuch(bodyBytes: number): boolean;
}

/**
 * Feeds the body to the parser until both have ended. Afterwards the request has no listeners left, and is paused if it
 * was not read to the end.
 * @throws ReelayError `invalid_request` for a body that is malformed, cut off, too slow, or too large beside the video;
 *   errors of `onPart` and its handlers
 */
export async function pump(request: IncomingMessage, options: PumpOptions): Promise<void> {
  options.signal?.throwIfAborted();
  const done = Promise.withResolvers<void>();
  const state = { bodyBytes: 0, parsed: false, ended: false, paused: false };
  const settle = () => state.parsed && state.ended && done.resolve();
  const refuse = (message: string, cause?: unknown) =>
    done.reject(new ReelayError('invalid_request', message, { cause }));
  const parser = createPartsParser(options.boundary, {
    onPart: options.onPart,
    onFinish() {
      state.parsed = true;
      settle();
    },
    onError(error) {
      if (error instanceof ReelayError) done.reject(error);
      else refuse('The form is malformed or cut off.', error);
    },
  });
  const listeners = {
    data(chunk: Buffer) {
      state.bodyBytes += chunk.length;
      speed.count(chunk.length);
      parser.write(chunk);
      if (options.isTooMuch(state.bodyBytes)) refuse('The form is larger than 1 MiB beside the video.');
    },
    pause() {
      state.paused = true;
    },
    end() {
      state.ended = true;
      parser.end();
      settle();
    },
    error: (cause: Error) => refuse('The upload was cut off.', cause),
    close: () => request.complete || refuse('The upload was cut off.'),
  };
  const wasPaused = () => {
    const was = state.paused;
    state.paused = request.isPaused();
    return was;
  };
  const speed = guardSpeed(options.every, wasPaused, () => refuse('The upload was slower than 16 kB per second.'));
  const abort = () => done.reject(options.signal?.reason);
  options.signal?.addEventListener('abort', abort, { once: true });
  for (const [event, listener] of Object.entries(listeners)) request.on(event, listener);
  request.resume();
  if (request.readableEnded) listeners.end();
  else if (request.destroyed) listeners.close();
  try {
    await Promise.race([done.promise, options.failure]);
  } finally {
    parser.stop();
    speed.stop();
    options.signal?.removeEventListener('abort', abort);
    for (const [event, listener] of Object.entries(listeners)) request.off(event, listener);
    if (!request.readableEnded) request.pause();
  }
}
