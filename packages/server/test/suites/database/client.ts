/** A client that follows our documentation: it retries a request until the service has responded. */
import { pollPause } from '../../harness/world.ts';

export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: responses are not typed
  body?: any;
}

/** Virtual time: it passes as soon as the service is idle. */
export const PAUSE_MS = 5_000;
const MAX_TRIES = 24;
/** The upload is locked, or the service failed (HEAD has no body that could tell). */
const LOCKED = 423;

/** Retries after a server error, a lost connection, or a request that is still running. */
export async function persistently<T extends Reply>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    const reply = await send().catch(() => null);
    const passes =
      reply !== null && reply.status < 500 && reply.status !== LOCKED && reply.body?.code !== 'idempotency_in_progress';
    if (reply && (passes || tries === MAX_TRIES)) return reply;
    if (tries === MAX_TRIES) throw new Error('The service never answered.');
    await pollPause(PAUSE_MS);
  }
}

/** A request that runs in parallel to the test. */
export interface Sent {
  ended(): boolean;
  /** Whether it got one of these statuses. */
  got(...statuses: number[]): boolean;
  /** Description for failure messages. */
  told(): string;
}

export function watch(work: Promise<Reply>): Sent {
  let reply: Reply | null = null;
  let error: unknown = null;
  work.then(
    (got) => {
      reply = got;
    },
    (thrown) => {
      error = thrown;
    },
  );
  return {
    ended: () => reply !== null || error !== null,
    got: (...statuses) => reply !== null && statuses.includes(reply.status),
    told: () => (reply ? `${reply.status} ${reply.body?.code ?? ''}` : String(error ?? 'no response')),
  };
}
