import { Dicer } from '@fastify/busboy';

/** The header of a form part. */
export interface PartHeader {
  /** Lower-case names; values as latin1. */
  get(name: string): readonly string[];
}

export interface PartHandler {
  data(chunk: Buffer): void;
  end(): void;
}

export interface PartsEvents {
  /** Called when a part begins. The returned handler receives its data. Errors it throws are passed to `onError`. */
  onPart(header: PartHeader): PartHandler;
  /** Called after the final boundary, when every part has ended. */
  onFinish(): void;
  onError(error: unknown): void;
}

/** Feeds bytes to the multipart parser. */
export interface PartsParser {
  write(chunk: Buffer): void;
  /** Signals the end of the body. Without a final boundary, `onError` is called. */
  end(): void;
  /** Stops all callbacks. */
  stop(): void;
}

/**
 * Wraps the tokenizer of `@fastify/busboy`. The layer above it is not used. It silently skips parts with a malformed
 * header, decodes text before it can be validated, and adds a stream copy.
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
        if (handler === null) throw new Error('A part of the form has no header.');
        handler.end();
      });
      settle();
    });
    // The parser emits the same error, and it is reported there once.
    part.on('error', () => {});
  });
  dicer.on('finish', () => {
    complete = true;
    settle();
  });
  dicer.on('error', fail);

  return {
    write(chunk) {
      // Data after the final boundary (the epilogue, RFC 2046) is ignored.
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
