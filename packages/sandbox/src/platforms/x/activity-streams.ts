/** The open activity streams of the application, with one JSON value per line. */
import { Readable } from 'node:stream';
import { SECOND } from '../../time.ts';

const KEEP_ALIVE_MS = 20 * SECOND;
const KEEP_ALIVE = '\r\n';
/** A reader that does not read is disconnected. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/** They see what happens in this process; a real reader must expect to miss events too. */
export interface ActivityStreams {
  count(): number;
  open(): Readable;
  send(value: object): void;
  /** Ends all streams, each with this value as its last line. */
  disconnect(value: object): void;
}

export function createActivityStreams(): ActivityStreams {
  const readers = new Set<Readable>();
  const lineOf = (value: object) => `${JSON.stringify(value)}\r\n`;
  return {
    count: () => readers.size,
    open() {
      const stream = new Readable({ read() {} });
      const timer = setInterval(() => stream.push(KEEP_ALIVE), KEEP_ALIVE_MS).unref();
      stream.once('close', () => {
        clearInterval(timer);
        readers.delete(stream);
      });
      readers.add(stream);
      // X sends the head of the response with the first keep-alive.
      stream.push(KEEP_ALIVE);
      return stream;
    },
    send(value) {
      for (const stream of readers)
        if (stream.readableLength > MAX_UNREAD_BYTES) stream.destroy();
        else stream.push(lineOf(value));
    },
    disconnect(value) {
      for (const stream of readers) {
        stream.push(lineOf(value));
        stream.push(null);
      }
    },
  };
}
