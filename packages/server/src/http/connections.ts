/** Limits what one client can hold open: connections per address, and slow bodies. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { hasUnreadBody } from './bodies.ts';
import { type Every, everyInterval, SLOWEST } from './receive/speed.ts';
import { network } from './request-limits.ts';

/** Maximum number of connections per address or IPv6 network. A browser opens six. */
export const MAX_CONNECTIONS = 256;

/**
 * Closes connections over the limit immediately.
 * @param options.exempt matches addresses of proxies, which serve many clients
 */
export function limitConnections(server: Server, options: { max: number; exempt(address: string): boolean }): void {
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (options.exempt(remoteAddress)) return;
    const key = network(remoteAddress);
    const count = (open.get(key) ?? 0) + 1;
    if (count > options.max) return void socket.destroy();
    open.set(key, count);
    socket.once('close', () => {
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    });
  });
}

/**
 * Closes the connection if the body arrives slower than {@link SLOWEST} for a whole window. The first window is exempt,
 * and so are windows in which the service itself did not read.
 */
export function closeOnSlowBody(
  request: IncomingMessage,
  response: ServerResponse,
  every: Every = everyInterval,
): void {
  if (!hasUnreadBody(request)) return;
  const { socket } = request;
  let before = socket.bytesRead;
  let first = true;
  const stop = every(SLOWEST.windowMs, () => {
    const bytes = socket.bytesRead - before;
    before = socket.bytesRead;
    const exempt = first || request.complete || request.readableLength > 0;
    first = false;
    if (!exempt && bytes < (SLOWEST.bytesPerSecond * SLOWEST.windowMs) / 1000) socket.destroy();
  });
  response.once('close', stop);
}
