/**
 * The service as a value. It listens first and answers 503 until the rest stands, so that whoever waits for it can ask;
 * and it knows its port before anything is made that must name it.
 */
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import { type Context, createContext, type Part } from './context.ts';
import { startCluster } from './db/cluster.ts';
import { createDatabase, type Database } from './db/database.ts';
import { migrate, readMigrations } from './db/migrate.ts';
import { ReelayError } from './errors.ts';
import { sendPlainError } from './http/answers.ts';
import { BASE_PATH, createApp } from './http/app.ts';
import { live, metrics, ready } from './http/health.ts';
import type { Lifecycle } from './http/lifecycle.ts';
import { type OpenApiDocument, openApiDocument } from './http/openapi.ts';
import type { Page } from './http/page.ts';
import { deferContinue } from './http/receive/expect.ts';
import { createReference } from './http/reference.ts';
import { uuidv7 } from './ids.ts';
import { createLog, type Log } from './log.ts';
import { createMetrics } from './metrics.ts';
import { OPERATIONS, PAGES, TAGS } from './operations.ts';

export interface Overrides {
  log?: Log;
  /** Most connections to the database. */
  poolSize?: number;
}

export interface Service {
  /** @throws Error with one clear line when the port, the folder or the database cannot be had */
  start(): Promise<{ url: string; context: Context }>;
  /** No new work; at most 30 s; then as `destroy`. May be called again while it runs. */
  drain(): Promise<void>;
  /** Stops at once and lets go of everything. */
  destroy(): Promise<void>;
}

const DRAIN_WITHIN_MS = 25_000;

export function createServer(given: Config, secrets: Secrets, overrides: Overrides = {}): Service {
  const log = overrides.log ?? createLog({ level: given.logLevel, pretty: given.prettyLogs });
  const lifecycle: Lifecycle = { state: 'starting' };
  let route = answerWhileStarting;
  const server = listener(given, (request, response) => route(request, response));
  const undo: (() => Promise<unknown>)[] = [];
  let parts: Part[] = [];
  let draining: Promise<void> | null = null;
  let destroying: Promise<void> | null = null;

  const start = async () => {
    const port = await listen(server, given);
    undo.push(async () => {
      server.close();
      server.closeAllConnections();
    });
    const config = given.listen.port === 0 ? { ...given, publicUrl: withPort(given.publicUrl, port) } : given;
    const { db, connection } = await openDatabase(config, log, overrides.poolSize ?? 10, undo);
    await migrate(db, await readMigrations());
    const made = await createContext({ config, secrets, db, connection, log, metrics: createMetrics(), lifecycle });
    parts = made.parts;
    undo.push(async () => {
      for (const part of [...parts].reverse()) await part.stop?.();
    });
    const app = await createApp({ context: made.context, server, ...served(config) });
    undo.push(() => app.close());
    for (const part of parts) await part.start?.();
    route = (request, response) => app.routing(request, response);
    lifecycle.state = 'running';
    return { url: config.publicUrl, context: made.context };
  };

  const destroy = async () => {
    for (const step of undo.reverse())
      await step().catch((error) => log.error({ err: error }, 'could not stop cleanly'));
  };
  const drain = async () => {
    lifecycle.state = 'draining';
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    await within(DRAIN_WITHIN_MS, Promise.all([closed, ...parts.map((part) => part.drain?.())]));
    await service.destroy();
  };
  const service: Service = {
    start: () =>
      start().catch(async (error) => {
        await service.destroy();
        throw error;
      }),
    drain: () => {
      draining ??= drain();
      return draining;
    },
    destroy: () => {
      destroying ??= destroy();
      return destroying;
    },
  };
  return service;
}

/** What this process answers: a worker's port serves health and metrics only. */
function served(config: Config) {
  const watched: Page[] = [live, ready, metrics];
  if (config.role === 'worker') return { operations: [], pages: watched };
  let made: OpenApiDocument | null = null;
  const document = () => {
    made ??= openApiDocument(OPERATIONS, { server: config.publicUrl + BASE_PATH, tags: TAGS });
    return made;
  };
  const description: Page = {
    method: 'GET',
    path: `${BASE_PATH}/openapi.json`,
    handle: () => ({ status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(document()) }),
  };
  return {
    operations: OPERATIONS,
    pages: [...watched, ...PAGES, description],
    mounts: [createReference(document)],
    signIn: true,
  };
}

function listener(config: Config, handle: (request: IncomingMessage, response: ServerResponse) => void): http.Server {
  const options = {
    requestTimeout: 3_600_000,
    headersTimeout: 10_000,
    keepAliveTimeout: 72_000,
    maxHeaderSize: 16_384,
  };
  const { tls } = config.listen;
  const server = tls
    ? https.createServer({ ...options, cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) })
    : http.createServer(options);
  server.on('request', handle);
  deferContinue(server);
  return server;
}

function answerWhileStarting(request: IncomingMessage, response: ServerResponse): void {
  if (request.url !== live.path) sendPlainError(response, new ReelayError('starting'), uuidv7());
  else
    response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': uuidv7() }).end('{"success":true}');
}

async function listen(server: http.Server, { listen: { host, port } }: Config): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} on ${host} is in use by another program. Stop it, or set PORT to another.`)
          : error,
      ),
    );
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

async function openDatabase(
  config: Config,
  log: Log,
  size: number,
  undo: (() => Promise<unknown>)[],
): Promise<{ db: Database; connection: pg.PoolConfig }> {
  const onError = (error: Error) => log.warn({ err: error }, 'a connection to the database broke');
  let connection: pg.PoolConfig;
  if (config.databaseUrl) connection = { connectionString: config.databaseUrl };
  else {
    const cluster = await startCluster({ folder: join(config.dataDir, 'database') });
    undo.push(() => cluster.stop());
    connection = cluster.connection;
  }
  const db = createDatabase({ connection, size, onError });
  undo.push(() => db.close());
  return { db, connection };
}

function withPort(address: string, port: number): string {
  const url = new URL(address);
  url.port = String(port);
  return url.origin;
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
