/** Misbehaving raw-socket servers for tests of the HTTP client. */
import net, { type AddressInfo, type Socket } from 'node:net';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp, type HttpClientOptions, NetworkError } from '../../src/outbound/http-client.ts';

export interface Connection {
  socket: Socket;
  /** All received bytes, unchanged. */
  received: () => string;
  /** Resolves when `enough` is true for the received bytes, or when the connection closes. */
  until(enough: (received: string) => boolean): Promise<void>;
  /** Resolves when the client has disconnected. */
  over: Promise<void>;
}

export interface RawServer {
  origin: string;
  connections: Connection[];
  /** Request lines received on all connections. */
  requests(): string[];
  close(): Promise<void>;
}

/** Listens on 127.0.0.1. `serve` is called for each connection. */
export async function listen(serve: (connection: Connection) => void): Promise<RawServer> {
  const connections: Connection[] = [];
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    let text = '';
    let waiting: (() => void)[] = [];
    const wake = () => {
      for (const each of waiting) each();
    };
    let ended = false;
    const over = new Promise<void>((resolve) => {
      const end = () => {
        ended = true;
        wake();
        resolve();
      };
      socket.on('close', end);
      socket.on('end', end);
    });
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      wake();
    });
    const until = (enough: (received: string) => boolean) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (!enough(text) && !ended) return;
          waiting = waiting.filter((each) => each !== look);
          resolve();
        };
        waiting.push(look);
        look();
      });
    const connection = { socket, received: () => text, until, over };
    connections.push(connection);
    serve(connection);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    requests: () => connections.flatMap(({ received }) => received().match(/^[A-Z]+ \S+ HTTP\/1\.1/gm) ?? []),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const { socket } of connections) socket.destroy();
      }),
  };
}

/** Whether a request head and a body of this many bytes were received. */
export const whole =
  (bytes = 0) =>
  (received: string) => {
    const head = received.indexOf('\r\n\r\n');
    return head >= 0 && received.length - head - 4 >= bytes;
  };

export const bodyOf = (received: string) => {
  const head = received.indexOf('\r\n\r\n');
  return head < 0 ? '' : received.slice(head + 4);
};

/** Formats a response as raw HTTP. */
export function answer(status: number, body = '', headers: Record<string, string> = {}): string {
  const all = { 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n${body}`;
}

/** Starts a server that reads a request with a body of this many bytes, then sends a text. */
export const saying = (text: string, bodyBytes = 0) =>
  listen(async ({ socket, until }) => {
    await until(whole(bodyBytes));
    socket.write(text);
  });

/** Returns an origin whose port is closed. */
export async function nobody(): Promise<string> {
  const server = await listen(() => {});
  await server.close();
  return server.origin;
}

/** Creates a client that may reach these servers. */
export function clientFor(origins: string | readonly string[], options: Partial<HttpClientOptions> = {}) {
  return createHttp({ guard: createAddressGuard([], [origins].flat()), ...options });
}

/** Returns the status of the response, or the reason of the failure. */
export async function outcomeOf(
  call: Promise<{ status: number }>,
): Promise<{ status: number } | { reason: string; sent: string }> {
  try {
    return { status: (await call).status };
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return { reason: error.reason, sent: error.sent };
  }
}
