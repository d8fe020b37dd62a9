/**
 * The event stream of live updates, opened before anything is read. Then it announces all changes of what was read, and
 * nothing needs to be read again when the live updates begin.
 */

export const EVENTS = '/api/v1/events';

/** How long reading waits for the stream, in ms. Afterwards, everything is read a second time. */
const OPEN_MS = 700;
/** How long the stream stays open without being used, in ms. A browser opens few connections to one host. */
const UNUSED_MS = 10_000;
/** What the service sends once all further changes are announced. */
const RESYNC = '"resync"';

export interface EarlyStream {
  /** Settled when the page may read: whether the stream announces all changes from now on. Never rejects. */
  isOpen: Promise<boolean>;
  /** Whether the service knows the session, as far as it has responded. */
  isSignedIn(): boolean;
  /** The response, whose body starts at the beginning, for one use; null after the stream has ended. The signal ends it. */
  use(signal: AbortSignal | null | undefined): Promise<Response> | null;
  /** Whether everything was read after the first event of the response that is used. */
  isCurrent(): boolean;
  end(): void;
}

/** @param get sends the request for the stream */
export function openEarlyStream(get: (path: string, signal: AbortSignal) => Promise<Response>): EarlyStream {
  const own = new AbortController();
  let isSignedIn = true;
  let isCurrent = false;
  const end = () => own.abort();
  const unused = setTimeout(end, UNUSED_MS);
  const opened = Promise.withResolvers<boolean>();
  const response = get(EVENTS, own.signal).then((received) => {
    isSignedIn = received.status !== 401;
    if (!received.ok || !received.body) return received;
    const [probe, body] = received.body.tee();
    void untilResync(probe).then((isFound) => opened.resolve(isFound));
    return new Response(body, received);
  });
  response.then(
    ({ ok }) => ok || opened.resolve(false),
    () => opened.resolve(false),
  );
  setTimeout(() => opened.resolve(false), OPEN_MS);
  void opened.promise.then((isOpen) => {
    isCurrent = isOpen;
  });
  return {
    isOpen: opened.promise,
    isSignedIn: () => isSignedIn,
    use(signal) {
      clearTimeout(unused);
      if (own.signal.aborted) return null;
      if (signal?.aborted) end();
      signal?.addEventListener('abort', end);
      return response;
    },
    isCurrent: () => isCurrent && !own.signal.aborted,
    end,
  };
}

/** Reads until the service announces changes, and frees the stream. @returns whether it does */
async function untilResync(body: ReadableStream<Uint8Array>): Promise<boolean> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    while (!text.includes(RESYNC)) {
      const { done, value } = await reader.read();
      if (done) return false;
      text += decoder.decode(value, { stream: true });
    }
    return true;
  } catch {
    return false;
  } finally {
    void reader.cancel().catch(() => {});
  }
}
