/**
 * A limit on the time a statement may take on the client's side. The server's own limit cannot help when the network
 * loses the connection without a word (a failover, a lost NAT entry): then nothing ever arrives. A connection whose limit
 * passed is destroyed, because the response could still come and would be taken for that of the next statement.
 */
import type pg from 'pg';

/** The driver's errors carry a code; this one is that of a network timeout, which it is. */
export class StatementTimeout extends Error {
  readonly code = 'ETIMEDOUT';
  constructor(ms: number) {
    super(`The database did not respond within ${ms} ms.`);
    this.name = 'StatementTimeout';
  }
}

export interface LimitOptions {
  /** Limit of the statement that begins now, in ms; null: none. */
  limitMs: () => number | null;
  /** Runs when a statement reached its limit, before its connection is destroyed. */
  onTimeout: (client: pg.ClientBase) => void;
}

/** A process that was frozen runs its timers before it reads what has arrived meanwhile, in ms. */
const GRACE_MS = 500;

/** Limits every statement of a connection, whoever runs it and in which form. */
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
