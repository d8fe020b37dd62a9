import { Dicer } from '@fastify/busboy';

/** A part of the form whose header is known. */
export interface PartHeader {
  /** Lower-case names; values as latin1. */
  get(name: string): readonly string[];
}

export interface PartHandler {
  data(chunk: Buffer): void;
  end(): void;
}

export interface PartsEvents {
  /** A part begins; what follows goes to the answered handler. May throw: the error reaches `onError`. */
  onPart(header: PartHeader): PartHandler;
  /** The final boundary has come and every part has ended. */
  onFinish(): void;
  onError(error: unknown): void;
}

/** Feeds bytes to the multipart parser. */
export interface PartsParser {
  write(chunk: Buffer): void;
  /** The body has ended. Without a final boundary before, `onError` is called. */
  end(): void;
  /** Nothing is reported any more. */
  stop(): void;
}

/**
 * The tokenizer of `@fastify/busboy`, its stream classes hidden. It is used without the layer above it because that one
 * passes over parts with a malformed header in silence, decodes text before it can be checked, and copies through one
 * stream more.
 */
export function createPartsParser(boundary: string, events: PartsEvents): PartsParser {
  const dicer = new Dicer({ boundary, maxHeaderPairs: 50 });
  let open = 0;
  let complete = false;
  let done = false;

  function attempt(step: () => void): void {
    if (done) return;
    try {
      step();
    } catch (error) {
      fail(error);
    }
  }
  function fail(error: unknown): void {
    if (done) return;
    done = true;
    events.onError(error);
  }
  function settle(): void {
    if (done || !complete || open > 0) return;
    done = true;
    events.onFinish();
  }

  dicer.on('part', (part) => {
    let handler: PartHandler | null = null;
    open += 1;
    part.on('header', (header) => {
      attempt(() => {
        const fields = new Map<string, readonly string[]>(Object.entries(header));
        handler = events.onPart({ get: (name) => fields.get(name) ?? [] });
      });
    });
    part.on('data', (chunk: Buffer) => attempt(() => handler?.data(chunk)));
    part.on('end', () => {
      open -= 1;
      attempt(() => {
        if (handler === null) throw new Error('A part has no header.');
        handler.end();
      });
      settle();
    });
    // Comes with an error of the parser itself, which is reported once there.
    part.on('error', () => {});
  });
  dicer.on('finish', () => {
    complete = true;
    settle();
  });
  dicer.on('error', fail);

  return {
    write(chunk) {
      // What comes after the final boundary (RFC 2046 calls it epilogue) means nothing.
      if (!done && !complete) dicer.write(chunk);
    },
    end() {
      if (!done && !complete) dicer.end();
    },
    stop() {
      done = true;
    },
  };
}
