import type { IncomingMessage, ServerResponse } from 'node:http';
import { ReelayError } from '../../errors.ts';
import { expectsContinue } from './expect.ts';
import { type Every, guardSpeed } from './speed.ts';

export interface RawBodyOptions {
  /** A client that waits for `100 Continue` is told to go on through this. */
  response: ServerResponse;
  every: Every;
  /** Takes a chunk; false: nothing more is read until `whenRoom` calls. What it throws ends the body. */
  take(chunk: Buffer): boolean;
  whenRoom(resume: () => void): void;
  /** Rejects when something else than the body goes wrong. */
  failure: Promise<never>;
}

/**
 * Reads a body as it is. Afterwards, however it ends, the request has no listener of this left and is paused if it was not
 * read to its end. Memory does not grow with the body.
 * @throws ReelayError `invalid_request` for a body that is cut off or too slow; whatever `take` and `failure` throw
 */
export async function readRawBody(request: IncomingMessage, options: RawBodyOptions): Promise<void> {
  const { response, every, take, whenRoom, failure } = options;
  const done = Promise.withResolvers<void>();
  const refuse = (message: string, cause?: unknown) =>
    done.reject(new ReelayError('invalid_request', message, { cause }));
  let paused = false;
  const wasPaused = () => {
    const was = paused;
    paused = request.isPaused();
    return was;
  };
  const speed = guardSpeed(every, wasPaused, () => refuse('The upload was slower than 16 kB per second.'));
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
    error: (cause: Error) => refuse('The upload was cut off.', cause),
    close: () => request.complete || refuse('The upload was cut off.'),
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
