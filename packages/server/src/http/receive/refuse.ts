import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

/**
 * How much of an unwanted body is discarded, and how long the connection stays open for the client to read the response.
 * nginx waits as long (`lingering_timeout`).
 */
export const LINGER = { bytes: 8 * 1024 * 1024, ms: 5_000 } as const;

export interface LingerOptions {
  bytes?: number;
  ms?: number;
}

/**
 * A response body that ends when the client has sent the rest of the request or left, at the latest after the time of
 * {@link LINGER}. If the server closed the connection while the client is still sending, the client's system would drop
 * the response unread. The response needs `Connection: close` and `Content-Length`, so that the client knows that it is
 * complete. With Fastify, in the error handler, if `!request.raw.complete`: `reply.header('connection', 'close')
 * .header('content-length', body.length).send(lingeringBody(request.raw, body))`.
 */
export function lingeringBody(request: IncomingMessage, body: Buffer, options: LingerOptions = {}): Readable {
  let asked = false;
  return new Readable({
    read() {
      if (asked) return;
      asked = true;
      this.push(body);
      swallow(request, { ...LINGER, ...options }).then(() => this.push(null));
    },
  });
}

/** The response to send. */
export interface EarlyResponse {
  status: number;
  headers?: OutgoingHttpHeaders;
  body: Buffer;
}

/**
 * Responds to a request whose body was not read to the end, and closes the connection once the client could read the
 * response. For a raw `node:http` response. Resolves when finished, also if the client has disconnected.
 */
export async function refuseEarly(
  request: IncomingMessage,
  response: ServerResponse,
  early: EarlyResponse,
  options: LingerOptions = {},
): Promise<void> {
  if (response.destroyed) return;
  response.writeHead(early.status, { ...early.headers, 'content-length': early.body.length, connection: 'close' });
  lingeringBody(request, early.body, options).pipe(response);
  await finished(response).catch(() => {});
}

/**
 * Discards data until the request ends, its connection closes, or the time is over. After `bytes` the rest stays
 * unread, which stops the client from sending. Closing the connection at that moment would lose the response: the buffers
 * of the systems can hold that many bytes, so the client may not have run since the response was sent.
 */
async function swallow(request: IncomingMessage, limits: { bytes: number; ms: number }): Promise<void> {
  if (request.complete || request.destroyed) return;
  const over = Promise.withResolvers<void>();
  let dropped = 0;
  const count = (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped > limits.bytes) request.pause();
  };
  const stop = () => over.resolve();
  const timer = setTimeout(stop, limits.ms);
  for (const event of ['end', 'error', 'close']) request.on(event, stop);
  request.on('data', count);
  request.resume();
  await over.promise;
  clearTimeout(timer);
  request.off('data', count);
  for (const event of ['end', 'error', 'close']) request.off(event, stop);
  request.pause();
}
