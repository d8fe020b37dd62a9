/**
 * A TCP proxy in front of PostgreSQL that parses the wire protocol, so that a test can break a connection at a chosen
 * statement. It can cut (reset), hang (half-open: both sides keep their socket and receive nothing), refuse and delay.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import type pg from 'pg';
import { createMessageReader, createStatementReader } from './postgres-messages.ts';

export interface ProxyFault {
  /**
   * `before`: the database never receives the statement. `after`: the database executes it, but the response is lost.
   * For `commit` this means: durable, but the client does not know.
   */
  at: 'before' | 'after';
  /** `cut` resets the connection; `hang` leaves it half-open until `release` or `close`. */
  kind: 'cut' | 'hang';
  /** Which connections the fault hits: the one that sent the statement (the default), or all that are open. */
  reach?: 'one' | 'all';
}

export interface DatabaseProxy {
  /** How to reach the database through the proxy. */
  connection: pg.ClientConfig;
  /** The same as a `postgres://` URL. */
  url: string;
  /** Number of connections open on the client's side, including half-open ones. */
  readonly open: number;
  /**
   * SQL of every statement since the start or the last `clear`, in order. A prepared statement is listed each time it
   * runs.
   */
  readonly statements: readonly string[];
  clear(): void;
  /**
   * Breaks the next matching statement, once.
   * @returns a promise that resolves with its SQL when it breaks
   */
  inject(matches: (sql: string) => boolean, fault: ProxyFault): Promise<string>;
  /** Resets all connections. New ones pass. */
  cut(): void;
  /**
   * Makes all connections half-open. New ones pass. The database sees its side as idle, and keeps locks and snapshots.
   */
  hang(): void;
  /** Resets new connections until called with false. */
  refuse(refused: boolean): void;
  /** Makes new connections half-open from their first byte, until called with false. */
  swallow(swallowed: boolean): void;
  /** Delays every message in both directions, in ms. */
  delay(ms: number): void;
  /** Lets the database detect that half-open connections are gone. */
  release(): void;
  close(): Promise<void>;
}

interface Link {
  client: Socket;
  server: Socket;
  /** Nothing is forwarded any more, in either direction. */
  hung: boolean;
  /** The response to the current statement must not be forwarded; then the connection breaks. */
  losing: ProxyFault | null;
}

interface Injection {
  matches: (sql: string) => boolean;
  fault: ProxyFault;
  hit: (sql: string) => void;
}

const READY_FOR_QUERY = 'Z';

/**
 * Starts a proxy on a free port of 127.0.0.1.
 * @param target a TCP host or the folder of a Unix socket
 */
export async function startDatabaseProxy(target: pg.ClientConfig): Promise<DatabaseProxy> {
  const links = new Set<Link>();
  const statements: string[] = [];
  let injections: Injection[] = [];
  let refusing = false;
  let swallowing = false;
  let delayMs = 0;

  const later = (action: () => void) => {
    if (delayMs > 0) setTimeout(action, delayMs).unref();
    else action();
  };
  const breakLinks = (link: Link, { kind, reach }: ProxyFault) => {
    for (const each of reach === 'all' ? [...links] : [link]) {
      if (kind === 'hang') each.hung = true;
      else each.client.resetAndDestroy();
    }
  };
  /** @returns false if the statement must not reach the database */
  const admit = (link: Link, sql: string): boolean => {
    statements.push(sql);
    const injection = injections.find(({ matches }) => matches(sql));
    if (!injection) return true;
    injections = injections.filter((each) => each !== injection);
    if (injection.fault.at === 'after') link.losing = injection.fault;
    else breakLinks(link, injection.fault);
    injection.hit(sql);
    return injection.fault.at === 'after';
  };
  const toDatabase = (link: Link) => {
    const read = createStatementReader();
    return (data: Buffer) => {
      for (const message of read(data)) {
        if (link.hung || link.client.destroyed) return;
        if (message.kind === 'ssl-request') link.client.write('N');
        else if (message.kind === 'statement' && !admit(link, message.sql)) return;
        else later(() => link.server.writable && link.server.write(message.bytes));
      }
    };
  };
  const toClient = (link: Link) => {
    const read = createMessageReader();
    return (data: Buffer) => {
      for (const { type, bytes } of read(data)) {
        if (link.hung) return;
        if (!link.losing) {
          later(() => link.hung || (link.client.writable && link.client.write(bytes)));
        } else if (type === READY_FOR_QUERY) {
          const fault = link.losing;
          link.losing = null;
          breakLinks(link, fault);
          return;
        }
      }
    };
  };
  const server = createServer((client) => {
    if (refusing) return void client.resetAndDestroy();
    const link: Link = { client, server: connect(addressOf(target)), hung: swallowing, losing: null };
    links.add(link);
    client.setNoDelay(true);
    client.on('error', ignore).on('data', toDatabase(link));
    link.server.on('error', ignore).on('data', toClient(link));
    // On a half-open connection neither side learns that the other one closed.
    client.on('close', () => link.hung || link.server.destroy());
    link.server.on('close', () => link.hung || client.destroy());
    link.server.on('close', () => client.destroyed && links.delete(link));
    client.on('close', () => link.server.destroyed && links.delete(link));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const release = () => {
    for (const link of links) {
      if (!link.hung) continue;
      link.server.destroy();
      if (link.client.destroyed) links.delete(link);
    }
  };
  const login = `${encodeURIComponent(target.user ?? '')}${target.password ? `:${encodeURIComponent(String(target.password))}` : ''}`;
  return {
    connection: { ...target, host: '127.0.0.1', port },
    url: `postgres://${login}@127.0.0.1:${port}/${target.database}`,
    get open() {
      return [...links].filter(({ client }) => !client.destroyed).length;
    },
    statements,
    clear: () => void statements.splice(0),
    inject: (matches, fault) => new Promise((hit) => injections.push({ matches, fault, hit })),
    cut() {
      for (const { client } of links) client.resetAndDestroy();
    },
    hang() {
      for (const link of links) link.hung = true;
    },
    refuse: (refused) => {
      refusing = refused;
    },
    swallow: (swallowed) => {
      swallowing = swallowed;
    },
    delay: (ms) => {
      delayMs = ms;
    },
    release,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const link of links) {
        link.client.destroy();
        link.server.destroy();
      }
      await closed;
    },
  };
}

const ignore = () => {};

export function addressOf({ host = 'localhost', port = 5432 }: pg.ClientConfig): NetConnectOpts {
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
}
