/**
 * The sandbox of a running service: every simulator below `/sandbox/PLATFORM`, the feed beside them.
 *
 * A simulator has one address, below `PUBLIC_URL`: signatures, consent pages and public links are made from it, so it
 * must be the same for browsers and for connectors. The connectors of this process need not find their way out and in
 * again to reach it (through a proxy, a certificate, a router): their calls to that address go through a door of this
 * process. Where the simulators are not served here, as in a worker, they go to `PUBLIC_URL` like everybody's.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { SandboxAccess } from '../accounts/types.ts';
import { type Config, isPublic } from '../config/config.ts';
import type { Blobs, Simulator, SimulatorModule } from '../connectors/kit/simulator.ts';
import type { Database } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import { sendPlainError } from '../http/answers.ts';
import type { Mount } from '../http/page.ts';
import { expectsContinue } from '../http/receive/expect.ts';
import { uuidv7 } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Storage } from '../storage/contract.ts';
import type { SignIn } from '../users/sign-in.ts';
import { type Door, openDoor } from './door.ts';
import { fetchLinks } from './fetch-links.ts';
import { admit, isOwnRedirect, passHeaders } from './gate.ts';
import { createSimulatorHandler } from './handler.ts';
import { postgresBooks } from './postgres-books.ts';
import { publishedIn } from './published.ts';
import { bytesBelow, createQuota, type Quota, SANDBOX_BYTES } from './quota.ts';
import { createSandboxHandler, createSandboxRoutes } from './routes.ts';
import { storageBlobs } from './storage-blobs.ts';

export interface Sandbox {
  access: SandboxAccess;
  /** Answers what is below `/sandbox`. */
  answer(request: IncomingMessage, response: ServerResponse): void;
  mount: Mount;
  stop(): Promise<void>;
}

export interface SandboxNeeds {
  db: Database;
  storage: Storage;
  log: Log;
  signIn: Pick<SignIn, 'session'>;
  /** Where the service is reached, without a final slash. */
  publicUrl: string;
  /** What it listens on. */
  listen: Config['listen'];
  /** Where the storage keeps its files, and how many bytes its disk must have free. */
  storageFolder: string;
  leastFreeBytes: number;
  /** Most bytes that the simulators keep; {@link SANDBOX_BYTES} when absent. */
  maxBytes?: number;
  /** Signs links to videos; the simulators fetch those and nothing else. */
  linkKey: Buffer;
  /** Told of the bytes that simulators took through memory. */
  used?: (bytes: number) => void;
  /** Whether this process answers for the simulators, or only calls them. */
  serves: boolean;
}

/** What every simulator knows its one application by. It protects nothing. */
const APP = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };
/** How long simulated platforms work on a video, in ms: long enough to be seen as pending. */
const PROCESSING_MS = 1_000;

interface Served {
  module: SimulatorModule;
  simulator: Simulator;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Books in the schema `sandbox` of the database, bytes in the storage below `sandbox/`. A simulator is loaded when it is
 * first asked for: hardly anybody uses all of them.
 */
export async function openSandbox(needs: SandboxNeeds): Promise<Sandbox> {
  const { loadSimulator } = await import('../connectors/simulators.ts');
  const quota = createQuota({
    maxBytes: needs.maxBytes ?? SANDBOX_BYTES,
    leastFreeBytes: needs.leastFreeBytes,
    measure: () => bytesBelow(join(needs.storageFolder, 'sandbox')),
    free: () => needs.storage.free(),
    now: Date.now,
  });
  const loaded = new Map<string, Promise<Served>>();
  const loaderOf = (platform: string) => (Object.hasOwn(loadSimulator, platform) ? loadSimulator[platform] : undefined);
  const find = (platform: string): Promise<Served> | null => {
    const load = loaderOf(platform);
    if (!load) return null;
    const found = loaded.get(platform) ?? load().then((module) => serve(needs, quota, module));
    loaded.set(platform, found);
    return found;
  };
  const admitted = (platform: string | null) => async (request: IncomingMessage, response: ServerResponse) => {
    try {
      await admit(needs, request, platform);
      return true;
    } catch (error) {
      if (!(error instanceof ReelayError)) needs.log.error({ err: error }, 'The sandbox could not check a request');
      sendPlainError(response, error instanceof ReelayError ? error : new ReelayError('internal_error'), uuidv7());
      return false;
    }
  };
  const feed = createSandboxHandler(
    createSandboxRoutes({
      source: publishedIn(needs.db),
      blobs: (platform) => (loaderOf(platform) ? blobsOf(needs, quota, platform) : null),
      guard: admitted(null),
      observe: (err) => needs.log.error({ err }, 'the sandbox could not answer'),
    }),
  );
  const strict = headersOfPages(needs);
  /** @param inside the caller is this process */
  const answerAs = (inside: boolean) => (request: IncomingMessage, response: ServerResponse) => {
    const platform = request.url?.split(/[/?]/)[2] ?? '';
    if (!loaderOf(platform)) return feed(request, response);
    for (const [name, value] of Object.entries(strict)) response.setHeader(name, value);
    const handle = async () => {
      if (!inside && !(await admitted(platform)(request, response))) return;
      const served = await find(platform);
      if (expectsContinue(request)) response.writeContinue();
      served?.handle(request, response);
    };
    handle().catch((err) => {
      needs.log.error({ err }, 'a simulator could not be loaded');
      response.destroy();
    });
  };
  const answer = answerAs(false);
  const door: Door | null = needs.serves ? await openDoor(answerAs(true)) : null;
  return {
    access: {
      origin: () => needs.publicUrl,
      door: door?.port,
      headers: passHeaders(needs.linkKey),
      app: APP,
      endpoints: (platform, baseUrl) => find(platform)?.then(({ module }) => module.endpoints(baseUrl)) ?? null,
      async enrol(platform, username) {
        const found = await find(platform);
        if (!found) throw new ReelayError('invalid_request', `The sandbox does not have "${platform}".`);
        return found.simulator.enrol(username);
      },
    },
    answer,
    mount: { prefix: '/sandbox', handle: (_context, request, response) => answer(request, response) },
    stop: async () => door?.close(),
  };
}

/**
 * What simulators show was written by whoever used them, and stands at the service's own address: no script may run there.
 * Their forms keep the origin, because browsers send the cookie of the consent with forms of the same site only.
 */
function headersOfPages(needs: SandboxNeeds): Record<string, string> {
  // A loopback client of the AT Protocol comes back to 127.0.0.1 (RFC 8252, 7.3).
  const targets = isPublic(needs) ? "'self'" : "'self' http://127.0.0.1:* http://localhost:*";
  const nothing = "script-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
  return {
    'content-security-policy': `${nothing}; form-action ${targets}; sandbox allow-forms allow-same-origin`,
    'x-content-type-options': 'nosniff',
  };
}

function serve(needs: SandboxNeeds, quota: Quota, module: SimulatorModule): Served {
  const { db, storage, log, publicUrl } = needs;
  const { platform } = module;
  const prefix = `/sandbox/${platform}`;
  const simulator = module.create({
    books: postgresBooks(db, platform),
    blobs: blobsOf(needs, quota, platform),
    baseUrl: publicUrl + prefix,
    now: Date.now,
    limits: false,
    processingMs: PROCESSING_MS,
    fetch: fetchLinks({ db, storage, key: needs.linkKey }, publicUrl),
    app: APP,
  });
  const handle = createSimulatorHandler({
    simulator,
    prefix,
    mayRedirect: (location) => isOwnRedirect(needs, location),
    observe: ({ error, path }) => {
      if (error !== undefined) log.error({ err: error, platform, path }, 'a simulator failed');
    },
  });
  return { module, simulator, handle };
}

function blobsOf({ storage, used }: SandboxNeeds, quota: Quota, platform: string): Blobs {
  return storageBlobs(storage, `sandbox/${platform}`, { used, quota });
}
