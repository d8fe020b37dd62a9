/** The open streams of the simulated server's accounts. */
import { Readable } from 'node:stream';
import { SECOND } from '../../time.ts';

const HEARTBEAT_MS = 15 * SECOND;
/** A reader that does not read is disconnected. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/** Open streams by account. They see what happens in this process; a real reader must expect to miss events too. */
export interface Streams {
  open(accountId: string): Readable;
  send(accountId: string, event: string, data: string): void;
}

export function createStreams(): Streams {
  const readers = new Map<string, Set<Readable>>();
  return {
    open(accountId) {
      const stream = new Readable({ read() {} });
      const write = () => void stream.push(':thump\n');
      const heartbeat = setInterval(write, HEARTBEAT_MS).unref();
      const own = readers.get(accountId) ?? new Set();
      readers.set(accountId, own.add(stream));
      stream.once('close', () => {
        clearInterval(heartbeat);
        own.delete(stream);
        if (own.size === 0) readers.delete(accountId);
      });
      stream.push(':)\n');
      return stream;
    },
    send(accountId, event, data) {
      for (const stream of readers.get(accountId) ?? [])
        if (stream.readableLength > MAX_UNREAD_BYTES) stream.destroy();
        else stream.push(`event: ${event}\ndata: ${data}\n\n`);
    },
  };
}
