/**
 * The service. It listens first and responds with 503 until startup is complete, so that clients can poll it. The port
 * is then known before anything that needs it is created.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Context } from '../context.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from '../db/embedded-database.ts';
import { migrate, readMigrations } from '../db/migrate.ts';
import { ReelayError } from '../errors/reelay-error.ts';
import { BASE_PATH } from '../http/addresses.ts';
import { createApp } from '../http/app.ts';
import { sendPlainError } from '../http/error-responses.ts';
import { live, metrics, ready } from '../http/health.ts';
import type { Lifecycle } from '../http/lifecycle.ts';
import { createListener, listen, withPort } from '../http/listener.ts';
import { openApiDocument } from '../http/openapi/document.ts';
import { documentPage } from '../http/openapi/page.ts';
import type { Page } from '../http/page.ts';
import { findRaw } from '../http/raw.ts';
import { createWebFiles, DASHBOARD_PATH, REFERENCE_PATH, type WebFiles } from '../http/web-files.ts';
import { uuidv7 } from '../lib/ids.ts';
import { createLog, type Log } from '../lib/log.ts';
import { collectAfter, createCollector } from '../lib/memory/garbage-collection.ts';
import { createIdleCollector } from '../lib/memory/idle-collector.ts';
import { createMetrics } from '../lib/metrics.ts';
import { withTimeout } from '../lib/timeout.ts';
import { findTools, type MediaTools, withEncoders } from '../media/tools.ts';
import { hooks } from '../operations/hooks/push-hook.ts';
import { videoLinks } from '../operations/media/serve-link.ts';
import { notBuilt } from '../operations/pages/home.ts';
import { hasSessionCookie } from '../users/auth-route.ts';
import type { PasswordHashing } from '../users/better-auth.ts';
import { firstSteps } from '../users/first-user.ts';
import { createContext } from './create-context.ts';
import { OPERATIONS, PAGES, RAWS, SIGN_IN, TAGS } from './operations.ts';
import type { Part } from './parts.ts';

/** Where the built pages are, and what tests replace. */
export interface Overrides {
  log?: Log;
  /** A database that is being opened; opened by `start` when absent. The service closes it. */
  database?: Promise<EmbeddedDatabase>;
  /** Maximum connections to the database. */
  poolSize?: number;
  /** Tools that were located, or are being located; found by `start` when absent. */
  tools?: MediaTools | Promise<MediaTools>;
  /** Timeout for receiving a JSON body, in ms. */
  bodyWithinMs?: number;
  /** Hosts of videos that may be private; for tests. */
  videoHosts?: readonly string[];
  /** Origin of the Bot API for notifications. Default: the real one. */
  botApi?: string;
  /** Folder of the built pages, which has a folder for each. */
  webFolder: string;
  /** Replaces the hashing of passwords, which is slow by design; for tests. */
  passwords?: PasswordHashing | undefined;
}

export interface Started {
  url: string;
  port: number;
  context: Context;
  /** Lines to print; empty once a user exists. */
  firstSteps: string[];
}

export interface Service {
  /** @throws Error with one clear line when the port, the folder or the database is not available */
  start(): Promise<Started>;
  /** Stops new work, waits up to 30 s for work in progress, then acts like `destroy`. Idempotent. */
  drain(): Promise<void>;
  /** Stops at once and releases all resources. */
  destroy(): Promise<void>;
}

const DRAIN_WITHIN_MS = 25_000;
/** A server that a command is about to stop may keep the database from opening. In ms. */
const CLOSE_WITHIN_MS = 2_000;

export function createServer(given: Config, secrets: Secrets, overrides: Overrides): Service {
  const log = overrides.log ?? createLog({ level: given.logLevel, pretty: given.prettyLogs });
  const lifecycle: Lifecycle = { state: 'starting' };
  let route = answerWhileStarting;
  const underWay = new Set<ServerResponse>();
  const collector = createCollector();
  const idle = createIdleCollector(collector.all);
  const memory = { busy: idle.busy, used: collectAfter(collector) };
  const server = createListener(given, (request, response) => {
    underWay.add(response);
    response.once('close', () => {
      underWay.delete(response);
      idle.busy();
    });
    route(request, response);
  });
  const { database } = overrides;
  const undo: (() => Promise<unknown>)[] = database ? [() => closeWhenOpen(database)] : [];
  let parts: Part[] = [];

  const openDatabase = (): Promise<EmbeddedDatabase> => {
    const opening = startEmbeddedDatabase(given, { log, size: overrides.poolSize });
    undo.push(() => closeWhenOpen(opening));
    return opening;
  };
  const start = async (): Promise<Started> => {
    const opening = database ?? openDatabase();
    const port = await listen(server, given);
    undo.push(async () => {
      server.close();
      server.closeAllConnections();
      idle.stop();
    });
    const config = { ...given, publicUrl: withPort(given.publicUrl, port) };
    const tools = Promise.resolve(overrides.tools ?? findTools(config)).then(withEncoders);
    // This takes as long as the database. The error is thrown where the tools are needed.
    tools.catch(() => {});
    const migrations = readMigrations();
    const { db, connection } = await opening;
    await migrate(db, migrations);
    const foundation = { config, secrets, db, connection, log, metrics: createMetrics(), lifecycle, memory };
    const { videoHosts, botApi, passwords } = overrides;
    const made = await createContext({ ...foundation, tools: await tools, videoHosts, botApi, passwords });
    parts = made.parts;
    undo.push(async () => {
      for (const part of [...parts].reverse()) await part.stop?.();
    });
    const app = await createApp({
      context: made.context,
      server,
      ...served(config, made.context, overrides.webFolder),
      bodyWithinMs: overrides.bodyWithinMs,
    });
    undo.push(() => app.close());
    // Read before any work begins: afterwards, no error may end the process.
    const steps = await firstSteps(db, config, secrets);
    for (const part of parts) await part.start?.();
    route = (request, response) => app.routing(request, response);
    lifecycle.state = 'running';
    return { url: config.publicUrl, port, context: made.context, firstSteps: steps };
  };
  const destroy = once(async () => {
    for (const step of undo.reverse()) await step().catch((err) => log.error({ err }, 'could not stop cleanly'));
  });
  const drain = once(async () => {
    // New requests are rejected; those in progress may finish.
    lifecycle.state = 'draining';
    const answered = [...underWay].map((response) => new Promise((resolve) => response.once('close', resolve)));
    const drained = Promise.all([...answered, ...parts.map((part) => part.drain?.())]);
    await withTimeout(DRAIN_WITHIN_MS, drained, () => {});
    await destroy();
  });
  return {
    async start() {
      try {
        return await start();
      } catch (error) {
        await destroy();
        throw error;
      }
    },
    drain,
    destroy,
  };
}

/** A database that takes too long to open ends with this process. */
async function closeWhenOpen(database: Promise<EmbeddedDatabase>): Promise<void> {
  const opened = database.catch(() => null);
  await (await withTimeout(CLOSE_WITHIN_MS, opened, () => null))?.close();
}

/** Built pages. The dashboard has another first paint for requests with a session. */
const PAGE = 'index.html';
const SESSION_PAGE = 'session.html';

/** What this process serves: a worker serves health and metrics only. */
function served(config: Config, { sandbox }: Context, webFolder: string) {
  const watched: Page<Context>[] = [live, ready, metrics];
  if (config.role === 'worker') return { operations: [], pages: watched };
  const document = documentPage(() =>
    openApiDocument(OPERATIONS, { server: config.publicUrl + BASE_PATH, tags: TAGS, raws: RAWS, signIn: SIGN_IN }),
  );
  const web = (prefix: string, pages: WebFiles['pages']) =>
    createWebFiles({ prefix, folder: join(webFolder, prefix), pages, notBuilt: notBuilt(config) });
  return {
    operations: OPERATIONS,
    pages: [...watched, ...PAGES, document],
    raws: RAWS,
    mounts: [
      web(DASHBOARD_PATH, ({ headers }) => (hasSessionCookie(headers.cookie) ? [SESSION_PAGE, PAGE] : [PAGE])),
      web(REFERENCE_PATH, () => [PAGE]),
      videoLinks,
      hooks,
      ...(sandbox ? [sandbox.mount] : []),
    ],
    signIn: SIGN_IN,
  };
}

function answerWhileStarting(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === live.path)
    return void response
      .writeHead(200, { 'content-type': 'application/json', 'x-request-id': uuidv7() })
      .end('{"success":true}');
  const starting = new ReelayError('starting');
  const raw = findRaw(RAWS, request);
  for (const [name, value] of Object.entries(raw?.headers ?? {})) response.setHeader(name, value);
  sendPlainError(response, raw?.refuseAs?.(starting) ?? starting, uuidv7());
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  return () => {
    running ??= work();
    return running;
  };
}
