import type { IncomingMessage } from 'node:http';
import { apiError, ReelayError } from '../../errors/reelay-error.ts';
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
 * @throws ReelayError `invalid_request` for a body that is malformed, incomplete, too slow, or too large without the video;
 *   errors of `onPart` and its handlers
 */
export async function pump(request: IncomingMessage, options: PumpOptions): Promise<void> {
  options.signal?.throwIfAborted();
  const done = Promise.withResolvers<void>();
  const state = { bodyBytes: 0, parsed: false, ended: false, paused: false };
  const settle = () => state.parsed && state.ended && done.resolve();
  const refuse = (key: 'upload_aborted' | 'upload_too_slow' | 'form_malformed' | 'form_too_large', cause?: unknown) =>
    done.reject(apiError(key, {}, { cause }));
  const parser = createPartsParser(options.boundary, {
    onPart: options.onPart,
    onFinish() {
      state.parsed = true;
      settle();
    },
    onError(error) {
      if (error instanceof ReelayError) done.reject(error);
      else refuse('form_malformed', error);
    },
  });
  const listeners = {
    data(chunk: Buffer) {
      state.bodyBytes += chunk.length;
      speed.count(chunk.length);
      parser.write(chunk);
      if (options.isTooMuch(state.bodyBytes)) refuse('form_too_large');
    },
    pause() {
      state.paused = true;
    },
    end() {
      state.ended = true;
      parser.end();
      settle();
    },
    error: (cause: Error) => refuse('upload_aborted', cause),
    close: () => request.complete || refuse('upload_aborted'),
  };
  const wasPaused = () => {
    const was = state.paused;
    state.paused = request.isPaused();
    return was;
  };
  const speed = guardSpeed(options.every, wasPaused, () => refuse('upload_too_slow'));
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
