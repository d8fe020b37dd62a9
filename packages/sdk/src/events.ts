/** Live updates: reads server-sent events over fetch, and reconnects. */
import { isPassing, ReelayApiError } from './errors.ts';
import { pauseByTimer } from './pause.ts';
import { notReelay, type Pause, type Transport } from './transport.ts';

/**
 * Something has changed: read it again. `notification` concerns all notifications; its id is the user's. `resync`: changes may have been missed, so read everything again that is shown.
 */
export type LiveEvent = { type: 'post' | 'account' | 'rule' | 'notification'; id: string } | { type: 'resync' };

export interface EventOptions {
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** Called when the connection is lost or could not be established, before the next attempt. */
  onReconnect?: (reconnect: { error: ReelayApiError | null; delayMs: number }) => void;
  /** A connection without any data for this long, in ms, is replaced. Default: 50,000. The service sends every 20 s. */
  silenceMs?: number;
}

const SILENCE_MS = 50_000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;
/** A connection that lasted this long, in ms, was not refused: the next delay is the first again. */
const LASTED_MS = 10_000;

/**
 * Reads events until the signal is aborted. Every connection begins with `resync`.
 * @throws ReelayApiError if the session has ended, or for another error that a retry cannot fix
 */
export async function* readEvents(
  transport: Transport,
  pause: Pause = pauseByTimer,
  { signal, onReconnect, silenceMs = SILENCE_MS }: EventOptions = {},
): AsyncGenerator<LiveEvent, void, void> {
  let failures = 0;
  while (!signal?.aborted) {
    const began = Date.now();
    let error: ReelayApiError | null = null;
    try {
      yield* readOnce(transport, signal, silenceMs);
    } catch (cause) {
      if (signal?.aborted) return;
      if (!mayPass(cause)) throw cause;
      error = cause;
    }
    if (signal?.aborted) return;
    failures = Date.now() - began > LASTED_MS ? 0 : failures + 1;
    // Random, so that not all clients return at the same moment after a restart.
    const delay = Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS) * (0.5 + Math.random() / 2);
    const delayMs = Math.round(Math.max(delay, (error?.retryAfter ?? 0) * 1_000));
    onReconnect?.({ error, delayMs });
    await pause(delayMs, signal).catch((reason: unknown) => {
      if (!signal?.aborted) throw reason;
    });
  }
}

function mayPass(error: unknown): error is ReelayApiError {
  return isPassing(error) || (error instanceof ReelayApiError && error.code === 'rate_limited');
}

/** Reads the events of one connection. A connection that breaks ends like one that the service ends. */
async function* readOnce(
  transport: Transport,
  signal: AbortSignal | undefined,
  silenceMs: number,
): AsyncGenerator<LiveEvent, void, void> {
  const own = new AbortController();
  const abort = () => own.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  let silence = setTimeout(abort, silenceMs);
  try {
    const response = await transport({
      method: 'GET',
      path: '/events',
      headers: { accept: 'text/event-stream' },
      signal: own.signal,
    }).catch((cause: unknown) => {
      if (!own.signal.aborted || signal?.aborted) throw cause;
      throw new ReelayApiError('The service did not respond in time.', { status: 0, code: 'unreachable', cause });
    });
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
      throw notReelay(response);
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let text = '';
    for (;;) {
      // Not while the caller handles an event.
      clearTimeout(silence);
      silence = setTimeout(abort, silenceMs);
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      clearTimeout(silence);
      if (done || !value) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split(/\r?\n\r?\n/);
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const event = eventIn(block);
        if (event) yield event;
      }
    }
  } finally {
    clearTimeout(silence);
    signal?.removeEventListener('abort', abort);
    // Also when the caller stops iterating.
    own.abort();
  }
}

/** Comments and types that this version does not know are skipped. */
function eventIn(block: string): LiveEvent | null {
  const data = block
    .split(/\r?\n/)
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []))
    .join('\n');
  if (data === '') return null;
  try {
    const { type, id } = JSON.parse(data) as { type?: unknown; id?: unknown };
    if (type === 'resync') return { type };
    const isKnown = type === 'post' || type === 'account' || type === 'rule' || type === 'notification';
    return isKnown && typeof id === 'string' ? { type, id } : null;
  } catch {
    return null;
  }
}
