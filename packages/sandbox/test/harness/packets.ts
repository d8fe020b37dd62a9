/**
 * Sends a request in exactly the given packets. A TCP connection may join packets; here each one reaches the HTTP parser
 * of the server alone.
 */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { Duplex } from 'node:stream';

/** Ends a test that hangs, in ms. */
const LIMIT_MS = 60_000;
/** Node reads at most this many bytes from a socket at once. */
const MAX_READ = 64 * 1024;

/** A connection to a server in the same process. */
class Connection extends Duplex {
  readonly remoteAddress = '127.0.0.1';
  readonly received: Buffer[] = [];
  bytesRead = 0;

  /** Delivers one packet to the server, in as many reads as from a socket. */
  async deliver(packet: Buffer): Promise<void> {
    for (let at = 0; at < packet.length; at += MAX_READ) {
      if (at > 0) await turns(1);
      const bytes = packet.subarray(at, at + MAX_READ);
      this.bytesRead += bytes.length;
      this.push(bytes);
    }
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.received.push(chunk);
    done();
  }
}

export interface PacketResponse {
  status: number;
  /** Parsed; undefined if it is empty. */
  body: unknown;
  headers: ReadonlyMap<string, string>;
}

/** Waits until the event loop has run this many times. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
}

/**
 * Sends packets and reads the response until the server closes the connection: the request needs `Connection: close`.
 * @param gap turns of the event loop between two packets
 * @param options.breaksOff destroys the connection after the packets
 * @returns null if there is no response within a minute, or if it broke off
 */
export async function sendPackets(
  server: Server,
  packets: readonly Buffer[],
  gap: number,
  { breaksOff = false } = {},
): Promise<PacketResponse | null> {
  const connection = new Connection();
  const closed = once(connection, 'finish', { signal: AbortSignal.timeout(LIMIT_MS) }).then(
    () => true,
    () => false,
  );
  server.emit('connection', connection);
  for (const packet of packets) {
    await connection.deliver(packet);
    await turns(gap);
  }
  if (breaksOff) {
    connection.destroy();
    return null;
  }
  const isClosed = await closed;
  connection.destroy();
  return isClosed ? parseResponse(Buffer.concat(connection.received).toString('utf8')) : null;
}

function parseResponse(text: string): PacketResponse {
  const final = text.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, '');
  const end = final.indexOf('\r\n\r\n');
  const [first = '', ...lines] = final.slice(0, end).split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: */, '')]),
  );
  const body = final.slice(end + 4);
  return { status: Number(first.split(' ')[1]), headers, body: body === '' ? undefined : JSON.parse(body) };
}

/** Cuts bytes at the given ascending positions. Empty packets are left out. */
export function cutAt(bytes: Buffer, positions: readonly number[]): Buffer[] {
  return [0, ...positions]
    .map((from, index) => bytes.subarray(from, positions[index] ?? bytes.length))
    .filter(({ length }) => length > 0);
}

/** Positions at which to cut a form: every byte, but only some of a long video. */
export function positionsIn(form: Buffer, video: Buffer): number[] {
  const start = form.indexOf(video);
  const stride = Math.max(1, Math.floor(video.length / 40));
  const isInside = (position: number) => position > start + 3 && position < start + video.length - 3;
  return Array.from({ length: form.length + 1 }, (_, position) => position).filter(
    (position) => !isInside(position) || position % stride === 0,
  );
}

/** Returns every order of the items. */
export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map((rest) => [item, ...rest]));
}
