import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { SimulatorResponse } from '../contract.ts';

interface Timing {
  /** Clock of the `Date` header; absent: the real one. */
  now: (() => number) | undefined;
  /** Delay of a response with trouble `slow`, in ms. */
  slowMs: number;
}

/** Resets the connection, like a crashing host. */
export function cutConnection(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}

/** Releases a response that is not sent. */
export function discardResponse(simulated: SimulatorResponse): void {
  if (simulated.body instanceof Readable) simulated.body.destroy();
}

/** Sends a response and applies its trouble. Ends silently when the client has disconnected. */
export async function sendResponse(
  response: ServerResponse,
  simulated: SimulatorResponse,
  timing: Timing,
): Promise<void> {
  if (simulated.trouble === 'lost-answer') {
    discardResponse(simulated);
    return cutConnection(response);
  }
  if (simulated.trouble === 'slow') await wait(response, timing.slowMs);
  if (response.destroyed) return discardResponse(simulated);
  if (simulated.body instanceof Readable) {
    writeHead(response, simulated, null, timing);
    await pipeline(simulated.body, response).catch(() => response.destroy());
    return;
  }
  const bytes = bytesOf(simulated.body);
  writeHead(response, simulated, bytes.length, timing);
  response.end(bytes);
}

/** Sends the headers at once and the body byte by byte, over `timing.ms` ms. */
export async function sendSlowly(
  response: ServerResponse,
  simulated: SimulatorResponse,
  timing: Timing & { ms: number },
): Promise<void> {
  const bytes =
    simulated.body instanceof Readable ? Buffer.concat(await simulated.body.toArray()) : bytesOf(simulated.body);
  writeHead(response, simulated, bytes.length, timing);
  response.flushHeaders();
  const started = performance.now();
  for (const [index, byte] of bytes.entries()) {
    const due = started + (timing.ms * (index + 1)) / bytes.length;
    const left = due - performance.now();
    // Timers have a resolution of 1 ms, so waiting per byte would stretch a long body.
    if (left >= 1) await wait(response, left);
    if (response.destroyed) return;
    response.write(Uint8Array.of(byte));
  }
  response.end();
}

function writeHead(
  response: ServerResponse,
  simulated: SimulatorResponse,
  length: number | null,
  timing: Timing,
): void {
  if (typeof simulated.body === 'string') response.setHeader('content-type', 'text/plain; charset=utf-8');
  else if (simulated.body !== undefined && length !== null)
    response.setHeader('content-type', 'application/json; charset=utf-8');
  if (timing.now) response.setHeader('date', new Date(timing.now()).toUTCString());
  // Browsers apply every policy: a simulator may add one but never replace the sandbox's.
  for (const [name, value] of Object.entries(simulated.headers ?? {}))
    if (name.toLowerCase() === 'content-security-policy') response.appendHeader(name, value);
    else response.setHeader(name, value);
  if (length !== null && simulated.status !== 204 && simulated.status !== 304)
    response.setHeader('content-length', length);
  response.writeHead(simulated.status);
}

function bytesOf(body: Exclude<SimulatorResponse['body'], Readable>): Buffer {
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Waits, or ends early when the client disconnects. */
async function wait(response: ServerResponse, ms: number): Promise<void> {
  const over = new AbortController();
  const signal = over.signal;
  try {
    await Promise.race([delay(ms, undefined, { signal }), once(response, 'close', { signal })]);
  } finally {
    over.abort();
  }
}
