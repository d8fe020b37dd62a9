/**
 * The sandbox of a running service: every simulator below `/sandbox/PLATFORM`, and the feed.
 *
 * A simulator has one base URL, below `PUBLIC_URL`. Signatures, consent pages and public links contain it, so browsers
 * and connectors must use the same one. This process's connectors reach it through a loopback listener instead,
 * independent of proxies, certificates and routers. A process that does not serve the simulators, such as a worker,
 * uses `PUBLIC_URL`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { Blobs, Simulator, SimulatorModule } from '@reelay/sandbox/contract.ts';
import { createSandboxHandler, createSandboxRoutes } from '@reelay/sandbox/feed/routes.ts';
import { createSimulatorHandler } from '@reelay/sandbox/http/handler.ts';
import { createRouter } from '@reelay/sandbox/http/router.ts';
import { loadSimulator } from '@reelay/sandbox/registry.ts';
import { bytesBelow, createQuota, type Quota, SANDBOX_BYTES } from '@reelay/sandbox/store/quota.ts';
import { createSerial } from '@reelay/sandbox/store/serial.ts';
import type { SandboxAccess } from '../accounts/types.ts';
import { type Config, isPublic } from '../config/config.ts';
import type { Database } from '../db/database.ts';
import { apiError, ReelayError } from '../errors/reelay-error.ts';
import { sendPlainError } from '../http/error-responses.ts';
import type { Mount } from '../http/page.ts';
import { expectsContinue } from '../http/receive/expect.ts';
import { uuidv7 } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { Storage } from '../storage/contract.ts';
import type { SignIn } from '../users/sign-in/sign-in-service.ts';
import { admit, hasPass, isOwnRedirect, passHeaders } from './access-gate.ts';
import { createSandboxControl, type SandboxControl } from './control.ts';
import { createFaultSwitches, type FaultSwitches } from './fault-switches.ts';
import { fetchLinks } from './fetch-links.ts';
import { type LoopbackListener, openLoopbackListener } from './loopback-listener.ts';
import { publishedIn } from './postgres-published.ts';
import { postgresStore } from './postgres-store.ts';
import { storageBlobs } from './storage-blobs.ts';

export interface Sandbox {
  access: SandboxAccess;
  /** Responds to requests below `/sandbox`. */
  answer(request: IncomingMessage, response: ServerResponse): void;
  mount: Mount;
  /** What the operator can do with it. */
  control: SandboxControl;
  stop(): Promise<void>;
}

export interface SandboxDeps {
  db: Database;
  storage: Storage;
  log: Log;
  signIn: Pick<SignIn, 'session'>;
  /** Public URL of the service, without a trailing slash. */
  publicUrl: string;
  /** Address the service listens on. */
  listen: Config['listen'];
  /** Folder of the storage's files, and the minimum free bytes of its disk. */
  storageFolder: string;
  leastFreeBytes: number;
  /** Maximum bytes the simulators store. Default: {@link SANDBOX_BYTES}. */
  maxBytes?: number;
  /** Signs links to videos, the only URLs that simulators fetch. */
  linkKey: Buffer;
  /** Called with the number of bytes that simulators buffered in memory. */
  used?: (bytes: number) => void;
  /** Whether this process serves the simulators, or only calls them. */
  serves: boolean;
}

/** The one client application registered at every simulator. It protects nothing. */
const APP = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };
/** Processing time of simulated platforms, in ms: long enough for a visible pending state. */
const PROCESSING_MS = 1_000;

interface Served {
  module: SimulatorModule;
  simulator: Simulator;
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Whether a request is for a page of the consent. */
  isConsent(request: Pick<IncomingMessage, 'method' | 'url'>): boolean;
}

/**
 * Opens the sandbox. Data is stored in the database schema `sandbox`, media in the storage below `sandbox/`. Simulators
 * are loaded on first use, because few users need all of them.
 */
export async function openSandbox(deps: SandboxDeps): Promise<Sandbox> {
  const quota = createQuota({
    maxBytes: deps.maxBytes ?? SANDBOX_BYTES,
    leastFreeBytes: deps.leastFreeBytes,
    measure: () => bytesBelow(join(deps.storageFolder, 'sandbox')),
    free: () => deps.storage.free(),
    now: Date.now,
  });
  // No platform has this name.
  const switches = createFaultSwitches(postgresStore(deps.db, 'sandbox'));
  const loaded = new Map<string, Promise<Served>>();
  const loaderOf = (platform: string) => (Object.hasOwn(loadSimulator, platform) ? loadSimulator[platform] : undefined);
  const find = (platform: string): Promise<Served> | null => {
    const load = loaderOf(platform);
    if (!load) return null;
    const found = loaded.get(platform) ?? load().then((module) => serve(deps, { quota, switches }, module));
    loaded.set(platform, found);
    return found;
  };
  const admitted = (platform: string | null) => async (request: IncomingMessage, response: ServerResponse) => {
    try {
      await admit(deps, request, platform, async () => {
        const served = platform === null ? null : await find(platform);
        return served?.isConsent(request) ?? false;
      });
      return true;
    } catch (error) {
      if (!(error instanceof ReelayError)) deps.log.error({ err: error }, 'The sandbox could not verify a request');
      sendPlainError(response, error instanceof ReelayError ? error : new ReelayError('internal_error'), uuidv7());
      return false;
    }
  };
  const enrol = async (platform: string, username: string) => {
    const found = await find(platform);
    if (!found) throw apiError('sandbox_without_platform', { platform });
    return found.simulator.enrol(username);
  };
  const platforms = Object.keys(loadSimulator);
  const admitFeed = admitted(null);
  const phone = { platforms, find: async (platform: string) => (await find(platform))?.simulator.phone };
  const blobs = (platform: string) => (loaderOf(platform) ? blobsOf(deps, quota, platform) : null);
  const feed = createSandboxHandler(
    createSandboxRoutes({
      source: publishedIn(deps.db),
      blobs,
      credentials: { app: APP, platforms, enrol },
      phone,
      async guard(request, response) {
        if (!(await admitFeed(request, response))) return false;
        if (expectsContinue(request)) response.writeContinue();
        return true;
      },
      observe: (err) => deps.log.error({ err }, 'the sandbox could not answer'),
    }),
  );
  const strict = headersOfPages(deps);
  /** @param inside whether the request is from the inner listener, which only this service's processes may use */
  const answerAs = (inside: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    if (inside && !hasPass(deps.linkKey, request))
      return sendPlainError(response, apiError('sandbox_unauthorized'), uuidv7());
    const platform = request.url?.split(/[/?]/)[2] ?? '';
    if (!loaderOf(platform)) return feed(request, response);
    for (const [name, value] of Object.entries(strict)) response.setHeader(name, value);
    const handle = async () => {
      if (!inside && !(await admitted(platform)(request, response))) return;
      const [served] = await Promise.all([find(platform), switches.refresh()]);
      if (expectsContinue(request)) response.writeContinue();
      served?.handle(request, response);
    };
    handle().catch((err) => {
      deps.log.error({ err }, 'a simulator could not be loaded');
      response.destroy();
    });
  };
  const answer = answerAs(false);
  /** WebSockets are open to this process only. */
  const upgrade = async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (!hasPass(deps.linkKey, request)) return void socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n');
    const served = await find(request.url?.split(/[/?]/)[2] ?? '');
    if (served?.simulator.upgrade) served.simulator.upgrade(request, socket, head);
    else socket.end('HTTP/1.1 404 Not Found\r\n\r\n');
  };
  const door: LoopbackListener | null = deps.serves
    ? await openLoopbackListener(answerAs(true), (...given) => {
        upgrade(...given).catch((err) => {
          deps.log.error({ err }, 'a simulator could not be loaded');
          given[1].destroy();
        });
      })
    : null;
  return {
    access: {
      origin: () => deps.publicUrl,
      door: door?.port,
      headers: passHeaders(deps.linkKey),
      app: APP,
      endpoints: (platform, baseUrl) => find(platform)?.then(({ module }) => module.endpoints(baseUrl)) ?? null,
      enrol,
    },
    answer,
    control: createSandboxControl({ ...deps, switches, phone: { ...phone, blobs } }),
    mount: { prefix: '/sandbox', handle: (_context, request, response) => answer(request, response) },
    stop: async () => door?.close(),
  };
}

/**
 * Security headers. Users write what simulators show, and it is served from the service's own origin, so no script may
 * run. Forms keep the origin, because browsers send the consent cookie only with same-site forms.
 */
function headersOfPages(deps: SandboxDeps): Record<string, string> {
  // A loopback client of the AT Protocol redirects to 127.0.0.1 (RFC 8252, 7.3).
  const targets = isPublic(deps) ? "'self'" : "'self' http://127.0.0.1:* http://localhost:*";
  const nothing = "script-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
  return {
    'content-security-policy': `${nothing}; form-action ${targets}; sandbox allow-forms allow-same-origin`,
    'x-content-type-options': 'nosniff',
    // A simulator may set another value.
    'cache-control': 'no-store',
  };
}

function serve(
  deps: SandboxDeps,
  { quota, switches }: { quota: Quota; switches: FaultSwitches },
  module: SimulatorModule,
): Served {
  const { db, storage, log, publicUrl } = deps;
  const { platform } = module;
  const prefix = `/sandbox/${platform}`;
  const simulator = module.create({
    store: postgresStore(db, platform),
    blobs: blobsOf(deps, quota, platform),
    baseUrl: publicUrl + prefix,
    now: Date.now,
    serial: createSerial(),
    limits: false,
    processingMs: PROCESSING_MS,
    fetch: fetchLinks({ db, storage, key: deps.linkKey }, publicUrl),
    app: APP,
  });
  const handle = createSimulatorHandler({
    simulator,
    prefix,
    faults: switches.of(platform),
    mayRedirect: (location) => isOwnRedirect(deps, location),
    observe: ({ error, path }) => {
      if (error !== undefined) log.error({ err: error, platform, path }, 'a simulator failed');
    },
  });
  const routeOf = createRouter(simulator.routes);
  const isConsent: Served['isConsent'] = ({ method = 'GET', url = '' }) => {
    const [path = ''] = url.slice(prefix.length).split('?', 1);
    return routeOf(method, path || '/')?.route.isConsent ?? false;
  };
  return { module, simulator, handle, isConsent };
}

function blobsOf({ storage, used }: SandboxDeps, quota: Quota, platform: string): Blobs {
  return storageBlobs(storage, `sandbox/${platform}`, { used, quota });
}
