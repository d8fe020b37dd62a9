/**
 * Injects database faults into a connection pool from outside. It records the statements that a service executes, and
 * makes one of them fail as a network or a server does. Sockets are really closed, and error codes come from the
 * server. A statement is identified by its text and the number of its execution, so no list of statements is
 * maintained.
 */
import { hash } from 'node:crypto';
import type { Socket } from 'node:net';
import type pg from 'pg';
import type { Work } from './virtual-time.ts';

/** One execution of a statement. */
export interface Statement {
  /** SQL with single spaces. */
  text: string;
  /** Number of the execution of this text since recording began, from 1. */
  nth: number;
  /** Whether a parameter contains free text. */
  hasText: boolean;
  /** Ids among its parameters, which identify the objects concerned. */
  ids: readonly string[];
  /** Rows read or written; null if it has none or never ended. */
  rows: number | null;
}

export interface StatementFault {
  name: string;
  kind: 'lostBefore' | 'lostAfter' | 'noResponse' | { sqlState: string };
  /** Whether the fault can happen to a statement. */
  appliesTo(statement: Statement): boolean;
  /** For this long (ms) all other writes fail in the same way, because the cause is the server's state. */
  lastsMs?: number;
}

export const STATEMENT_FAULTS: readonly StatementFault[] = [
  { name: 'connection lost before', kind: 'lostBefore', appliesTo: () => true },
  // For a read, losing the response is the same as losing the statement.
  { name: 'connection lost after', kind: 'lostAfter', appliesTo: ({ text }) => isWrite(text) || text === 'commit' },
  { name: 'no response', kind: 'noResponse', appliesTo: () => true },
  {
    name: 'deadlock',
    kind: { sqlState: '40P01' },
    appliesTo: ({ text }) => isWrite(text),
  },
  { name: 'serialization failure', kind: { sqlState: '40001' }, appliesTo: ({ text }) => text === 'commit' },
  { name: 'rejected text', kind: { sqlState: '22021' }, appliesTo: ({ hasText }) => hasText },
  {
    name: 'disk full',
    kind: { sqlState: '53100' },
    appliesTo: ({ text }) => isWrite(text) || text === 'commit',
    lastsMs: 4_000,
  },
  { name: 'read-only', kind: { sqlState: '25006' }, appliesTo: ({ text }) => isWrite(text), lastsMs: 4_000 },
];

/** Whether a read-only server rejects the statement. */
function isWrite(text: string): boolean {
  return /\b(insert into|update|delete from|for (no key )?update|for (key )?share)\b/i.test(text);
}

/** A short name for test titles. The hash distinguishes statements with the same beginning. */
export function statementName({ text, nth }: Statement): string {
  const start = text.length > 48 ? `${text.slice(0, 44)}… ${hash('sha256', text).slice(0, 4)}` : text;
  return nth === 1 ? start : `${start} (${nth})`;
}

export interface StatementFaults {
  /** Starts recording; call the result to stop. */
  record(): () => Statement[];
  /** Injects a fault into one statement, counted from now on. */
  inject(statement: Statement, fault: StatementFault): { hits(): number };
  /** Ends lasting faults and unresponsive connections. */
  clear(): void;
  /** The last statement of each acquired connection. */
  acquired(): string[];
  /** The pool's current work. An unresponsive connection does no work. */
  work: Work;
}

export interface StatementFaultOptions {
  /** Matches statements of other users of the pool, by text. */
  ignore: (text: string) => boolean;
  /** Ends a session on the server, as the server itself does with a transaction whose client has vanished. */
  terminate: (pid: number) => Promise<unknown>;
  /** When the server notices that the client of a transaction has vanished, in ms. */
  idleTransactionMs: number;
}

interface Armed {
  statement: Statement;
  fault: StatementFault;
  seen: number;
  hits: number;
}

type Connected = (error: unknown, client?: pg.PoolClient, release?: unknown) => void;

type Query = (
  config: unknown,
  values?: unknown,
  callback?: (error: unknown, result?: unknown) => void,
) => Promise<unknown> | undefined;

export function injectStatementFaults(pool: pg.Pool, options: StatementFaultOptions): StatementFaults {
  const recorder = createRecorder();
  let armed: Armed | null = null;
  let lasting: { fault: StatementFault; until: number } | null = null;
  let underWay = 0;
  /** Number of connections requested. */
  let asked = 0;
  let progress = 0;
  const known = new WeakSet<pg.PoolClient>();
  const acquired = new Map<pg.PoolClient, string>();
  pool.on('acquire', (client) => acquired.set(client, 'no statement'));
  pool.on('release', (_error, client) => acquired.delete(client));
  const unanswered = new Set<Socket>();

  const faultFor = (text: string): StatementFault | null => {
    if (armed && armed.statement.text === text && armed.hits === 0 && ++armed.seen === armed.statement.nth) {
      armed.hits++;
      const { lastsMs } = armed.fault;
      if (lastsMs) lasting = { fault: armed.fault, until: Date.now() + lastsMs };
      return armed.fault;
    }
    return lasting && Date.now() < lasting.until && isWrite(text) ? lasting.fault : null;
  };
  const counted = <T>(work: Promise<T>): Promise<T> => {
    underWay++;
    progress++;
    return work.finally(() => {
      underWay--;
      progress++;
    });
  };

  const adopt = (client: pg.PoolClient): void => {
    if (known.has(client)) return;
    known.add(client);
    const original = client.query.bind(client) as unknown as Query;
    const execute = async (config: { text: string }): Promise<unknown> => {
      const text = config.text.replaceAll(/\s+/g, ' ').trim();
      if (acquired.has(client)) acquired.set(client, text);
      if (options.ignore(text)) return counted(Promise.resolve(original(config)));
      const noted = recorder.note(text, (config as { values?: unknown }).values);
      const fault = faultFor(text);
      if (!fault) {
        const result = (await counted(Promise.resolve(original(config)))) as pg.QueryResult;
        if (noted) noted.rows = result.rowCount;
        return result;
      }
      if (fault.kind === 'lostBefore') return loseBefore(client, () => original(config));
      if (fault.kind === 'lostAfter') {
        await counted(Promise.resolve(original(config)));
        return loseBefore(client, () => original({ text: 'select 1' }));
      }
      if (fault.kind === 'noResponse') {
        unanswered.add(silence(client));
        const { processID } = client as unknown as { processID: number };
        if (Number.isFinite(options.idleTransactionMs))
          setTimeout(() => void options.terminate(processID).catch(() => {}), options.idleTransactionMs);
        return original(config);
      }
      return counted(Promise.resolve(original({ text: raise(fault.kind.sqlState) })));
    };
    const query: Query = (config, values, callback) => {
      const isStream = typeof (config as { submit?: unknown }).submit === 'function';
      if (isStream) return original(config, values, callback);
      const given = typeof config === 'string' ? { text: config, values } : (config as { text: string });
      const answered = execute(given);
      if (!callback) return answered;
      answered.then(
        (result) => callback(null, result),
        (error) => callback(error),
      );
      return undefined;
    };
    Object.assign(client, { query });
  };

  // Pool.query also uses connect, so existing clients are intercepted too.
  const connect = pool.connect.bind(pool) as (callback: Connected) => void;
  const adopting = (callback?: Connected): Promise<pg.PoolClient> | undefined => {
    // Like the pool itself: without a callback, the client is given by a promise.
    if (!callback)
      return new Promise((resolve, reject) => {
        adopting((error, client) => (client ? resolve(client) : reject(error)));
      });
    asked++;
    connect((error, client, release) => {
      asked--;
      progress++;
      if (client) adopt(client);
      callback(error, client, release);
    });
    return undefined;
  };
  Object.assign(pool, { connect: adopting });

  return {
    record: recorder.record,
    inject(statement, fault) {
      const made: Armed = { statement, fault, seen: 0, hits: 0 };
      armed = made;
      return { hits: () => made.hits };
    },
    clear() {
      armed = null;
      lasting = null;
      for (const socket of unanswered) socket.destroy(reset());
      unanswered.clear();
    },
    acquired: () => [...acquired.values()],
    work: {
      // The others wait until a connection is released.
      connecting: () => asked - pool.waitingCount,
      statements: () => underWay,
      progress: () => progress,
    },
  };
}

/** Records statements, and counts those with the same text. */
function createRecorder() {
  let recording: Statement[] | null = null;
  let counts = new Map<string, number>();
  const note = (text: string, values: unknown): Statement | null => {
    if (!recording) return null;
    const nth = (counts.get(text) ?? 0) + 1;
    counts.set(text, nth);
    const texts = textsOf(values);
    const isId = (value: string) => UUID.test(value);
    const made: Statement = {
      text,
      nth,
      hasText: texts.some((value) => !isId(value)),
      ids: texts.filter(isId),
      rows: null,
    };
    recording.push(made);
    return made;
  };
  return {
    note,
    record() {
      const found: Statement[] = [];
      recording = found;
      counts = new Map();
      return () => {
        recording = null;
        return found;
      };
    },
  };
}

/** The client believes that it has sent the statement, and then sees a lost connection. */
function loseBefore(client: pg.PoolClient, send: () => unknown): Promise<unknown> {
  const socket = silence(client);
  const lost = Promise.resolve(send());
  socket.destroy(reset());
  return lost;
}

/** Discards everything that is written to the socket from now on, and delivers nothing: a host that has vanished. */
function silence(client: pg.PoolClient): Socket {
  const socket = (client as unknown as { connection: { stream: Socket } }).connection.stream;
  const swallow = (...given: unknown[]): boolean => {
    const callback = given.find((each) => typeof each === 'function') as (() => void) | undefined;
    if (callback) process.nextTick(callback);
    return true;
  };
  Object.assign(socket, { write: swallow, end: swallow });
  socket.pause();
  return socket;
}

function reset(): Error {
  return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
}

/** A statement that fails on the server with a given code and aborts the transaction like any other error. */
function raise(sqlState: string): string {
  return `do $$ begin raise exception using errcode = '${sqlState}', message = 'injected ${sqlState}'; end $$`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function textsOf(values: unknown): string[] {
  return Array.isArray(values) ? values.flat().filter((value) => typeof value === 'string') : [];
}
