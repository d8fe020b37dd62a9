import type { IncomingMessage, ServerResponse } from 'node:http';
import { apiError } from '../../errors/reelay-error.ts';
import { expectsContinue } from './expect.ts';
import { type Every, guardSpeed } from './speed.ts';

export interface RawBodyOptions {
  /** Used to send `100 Continue` if the client waits for it. */
  response: ServerResponse;
  every: Every;
  /** Accepts a chunk. If it returns false, reading pauses until `whenRoom` calls back. An error ends the body. */
  take(chunk: Buffer): boolean;
  whenRoom(resume: () => void): void;
  /** Rejects on errors that do not come from the body. */
  failure: Promise<never>;
}

/**
 * Reads a body without parsing it. Afterwards the request has no listeners left, and is paused if it was not read to
 * the end. Memory use does not grow with the body.
 * @throws ReelayError `invalid_request` for a body that is incomplete or too slow; errors of `take` and `failure`
 */
export async function readRawBody(request: IncomingMessage, options: RawBodyOptions): Promise<void> {
  const { response, every, take, whenRoom, failure } = options;
  const done = Promise.withResolvers<void>();
  const refuse = (key: 'upload_aborted' | 'upload_too_slow', cause?: unknown) =>
    done.reject(apiError(key, {}, { cause }));
  let paused = false;
  const wasPaused = () => {
    const was = paused;
    paused = request.isPaused();
    return was;
  };
  const speed = guardSpeed(every, wasPaused, () => refuse('upload_too_slow'));
  const listeners = {
    data(chunk: Buffer) {
      speed.count(chunk.length);
      try {
        if (!take(chunk)) request.pause();
      } catch (error) {
        done.reject(error);
        request.pause();
      }
    },
    pause() {
      paused = true;
    },
    end: () => done.resolve(),
    error: (cause: Error) => refuse('upload_aborted', cause),
    close: () => request.complete || refuse('upload_aborted'),
  };
  let over = false;
  whenRoom(() => {
    if (!over) request.resume();
  });
  for (const [event, listener] of Object.entries(listeners)) request.on(event, listener);
  if (expectsContinue(request)) response.writeContinue();
  request.resume();
  if (request.readableEnded) listeners.end();
  else if (request.destroyed) listeners.close();
  try {
    await Promise.race([done.promise, failure]);
  } finally {
    over = true;
    speed.stop();
    for (const [event, listener] of Object.entries(listeners)) request.off(event, listener);
    if (!request.readableEnded) request.pause();
  }
}
