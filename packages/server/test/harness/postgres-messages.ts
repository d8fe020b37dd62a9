/** Parses PostgreSQL's wire protocol (version 3) into messages, and extracts the SQL of each executed statement. */

export interface Message {
  /** One letter; empty for startup messages, which have none. */
  type: string;
  bytes: Buffer;
}

export type ClientMessage =
  | { kind: 'statement'; sql: string; bytes: Buffer }
  | { kind: 'ssl-request' }
  | { kind: 'other'; bytes: Buffer };

/** SSLRequest and GSSENCRequest, by the code in the protocol version field. */
const ENCRYPTION_REQUESTS: readonly number[] = [80_877_103, 80_877_104];

/**
 * Assembles messages from chunks of any size.
 * @param typeLength 0 while messages have no type letter: client messages before the connection is set up
 */
export function createMessageReader(typeLength: () => 0 | 1 = () => 1): (data: Buffer) => Generator<Message> {
  let rest = Buffer.alloc(0);
  return function* (data) {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const skip = typeLength();
      if (rest.length < skip + 4) return;
      const length = skip + rest.readInt32BE(skip);
      if (rest.length < length) return;
      const bytes = rest.subarray(0, length);
      rest = rest.subarray(length);
      yield { type: bytes.toString('latin1', 0, skip), bytes };
    }
  };
}

/** Parses client messages. A prepared statement counts when it is bound, not when it is parsed. */
export function createStatementReader(): (data: Buffer) => Generator<ClientMessage> {
  let started = false;
  const prepared = new Map<string, string>();
  const read = createMessageReader(() => (started ? 1 : 0));
  return function* (data) {
    for (const { type, bytes } of read(data)) {
      if (!started) {
        const encryption = ENCRYPTION_REQUESTS.includes(bytes.readInt32BE(4));
        started = !encryption;
        yield encryption ? { kind: 'ssl-request' } : { kind: 'other', bytes };
      } else if (type === 'Q') yield { kind: 'statement', sql: textAt(bytes, 5).text, bytes };
      else if (type === 'B') {
        const statement = textAt(bytes, textAt(bytes, 5).end).text;
        yield { kind: 'statement', sql: prepared.get(statement) ?? '', bytes };
      } else {
        if (type === 'P') {
          const name = textAt(bytes, 5);
          prepared.set(name.text, textAt(bytes, name.end).text);
        }
        yield { kind: 'other', bytes };
      }
    }
  };
}

/**
 * Reads a zero-terminated string.
 * @returns the string and the position after it
 */
function textAt(bytes: Buffer, from: number): { text: string; end: number } {
  const end = bytes.indexOf(0, from);
  return { text: bytes.toString('utf8', from, end), end: end + 1 };
}
