/**
 * Client-side statement timeouts. The server's own timeout cannot help when the network silently drops the connection
 * (a failover, a lost NAT entry). A connection with a timed-out statement is destroyed, because its late response would
 * be taken for that of the next statement.
 */
import type pg from 'pg';

/** Driver errors have a code; this one uses that of a network timeout. */
export class StatementTimeout extends Error {
  readonly code = 'ETIMEDOUT';
  constructor(ms: number) {
    super(`The database did not respond within ${ms} ms.`);
    this.name = 'StatementTimeout';
  }
}

export interface LimitOptions {
  /** Timeout of the statement that starts now, in ms; null: none. */
  limitMs: () => number | null;
  /** Called when a statement timed out, before its connection is destroyed. */
  onTimeout: (client: pg.ClientBase) => void;
}

/** Grace period in ms: a process that was frozen runs its timers before it reads received data. */
const GRACE_MS = 500;

/** Limits every statement of a connection, whichever caller or query form it has. */
export function limitStatements(client: pg.ClientBase, { limitMs, onTimeout }: LimitOptions): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const limited = (...args: unknown[]): unknown => {
    const ms = limitMs();
    if (ms === null) return query(...args);
    const began = performance.now();
    const expire = () => {
      if (performance.now() - began > ms + GRACE_MS) timer = setTimeout(destroy, GRACE_MS);
      else destroy();
    };
    const destroy = () => {
      onTimeout(client);
      destroyConnection(client, new StatementTimeout(ms));
    };
    let timer = setTimeout(expire, ms);
    const last = args.at(-1);
    if (typeof last === 'function') {
      const done = (...results: unknown[]) => {
        clearTimeout(timer);
        return last(...results);
      };
      return query(...args.slice(0, -1), done);
    }
    const result = query(...args);
    const over = () => clearTimeout(timer);
    Promise.resolve(result).then(over, over);
    return result;
  };
  client.query = limited as typeof client.query;
}

/** Destroys a connection; its statements fail with the error. */
export function destroyConnection(client: pg.ClientBase, error?: Error): void {
  (client as pg.Client).connection.stream.destroy(error);
}
