/**
 * A load generator that repeats a request over a few connections. It uses little CPU, so that the server is what is
 * measured.
 */
import { connect } from 'node:net';

export interface LoadOptions {
  url: string;
  headers?: Record<string, string>;
  /** Total number of requests over all connections. */
  count: number;
  connections: number;
}

/**
 * @returns requests per second
 * @throws Error if a response is not 200 or has no length
 */
export async function load({ url, headers = {}, count, connections }: LoadOptions): Promise<number> {
  const { hostname, port, host, pathname, search } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  let left = count;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: connections }, () => converse(hostname, Number(port), () => (left-- > 0 ? request : null))),
  );
  return count / ((performance.now() - began) / 1000);
}

/** Drives one connection: the next request is sent after the complete response to the previous one. */
function converse(host: string, port: number, next: () => Buffer | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    let missing = 0;
    let head = '';
    const ask = () => {
      const request = next();
      if (request) socket.write(request);
      else socket.end(() => resolve());
    };
    socket.once('connect', ask);
    socket.once('error', reject);
    socket.on('data', (chunk: Buffer) => {
      if (missing > 0) missing -= chunk.length;
      else {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        const length = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end + 2))?.[1];
        if (!head.startsWith('HTTP/1.1 200 ') || length === undefined) {
          socket.destroy();
          return reject(new Error(`An answer was not as expected: ${head.slice(0, 300)}`));
        }
        missing = Number(length) - (head.length - end - 4);
        head = '';
      }
      if (missing === 0) ask();
    });
  });
}
