/**
 * The sandbox of a running service: every simulator below `/sandbox/PLATFORM`, the feed beside them.
 *
 * A simulator has one address, below `PUBLIC_URL`: signatures, consent pages and public links are made from it, so it
 * must be the same for browsers and for connectors. The connectors of this process need not find their way out and in
 * again to reach it (through a proxy, a certificate, a router): their calls to that address go through a door of this
 * process. Where the simulators are not served here, as in a worker, they go to `PUBLIC_URL` like everybody's.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SandboxAccess } from '../accounts/types.ts';
import type { Config } from '../config/config.ts';
import type { Blobs, Simulator, SimulatorModule } from '../connectors/kit/simulator.ts';
import type { Database } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import { sendPlainError } from '../http/answers.ts';
import { isLocalRequest } from '../http/local-request.ts';
import type { Mount } from '../http/page.ts';
import { expectsContinue } from '../http/receive/expect.ts';
import { uuidv7 } from '../ids.ts';
import { hashKey, isKey } from '../keys/format.ts';
import { findOwners } from '../keys/store.ts';
import type { Log } from '../log.ts';
import type { Storage } from '../storage/contract.ts';
import type { SignIn } from '../users/sign-in.ts';
import { type Door, openDoor } from './door.ts';
import { fetchLinks } from './fetch-links.ts';
import { createSimulatorHandler } from './handler.ts';
import { postgresBooks } from './postgres-books.ts';
import { publishedIn } from './published.ts';
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
  const loaded = new Map<string, Promise<Served>>();
  const loaderOf = (platform: string) => (Object.hasOwn(loadSimulator, platform) ? loadSimulator[platform] : undefined);
  const find = (platform: string): Promise<Served> | null => {
    const load = loaderOf(platform);
    if (!load) return null;
    const found = loaded.get(platform) ?? load().then((module) => serve(needs, module));
    loaded.set(platform, found);
    return found;
  };
  const feed = createSandboxHandler(
    createSandboxRoutes({
      source: publishedIn(needs.db),
      blobs: (platform) => (loaderOf(platform) ? blobsOf(needs, platform) : null),
      guard: (request, response) => mayLook(needs, request, response),
      observe: (err) => needs.log.error({ err }, 'the sandbox could not answer'),
    }),
  );
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const found = find(request.url?.split(/[/?]/)[2] ?? '');
    if (!found) return feed(request, response);
    for (const [name, value] of Object.entries(FOREIGN_CONTENT)) response.setHeader(name, value);
    if (expectsContinue(request)) response.writeContinue();
    found.then(
      ({ handle }) => handle(request, response),
      (err) => {
        needs.log.error({ err }, 'a simulator could not be loaded');
        response.destroy();
      },
    );
  };
  const door: Door | null = needs.serves ? await openDoor(answer) : null;
  return {
    access: {
      origin: () => needs.publicUrl,
      door: door?.port,
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
 * What simulators show was written by whoever used them, and stands at the service's own address: no script of theirs
 * may run there, and their pages count as foreign ones.
 */
const FOREIGN_CONTENT = {
  'content-security-policy': "script-src 'none'; object-src 'none'; frame-ancestors 'none'; sandbox allow-forms",
  'x-content-type-options': 'nosniff',
} as const;

function serve(needs: SandboxNeeds, module: SimulatorModule): Served {
  const { db, storage, log, publicUrl } = needs;
  const { platform } = module;
  const prefix = `/sandbox/${platform}`;
  const simulator = module.create({
    books: postgresBooks(db, platform),
    blobs: blobsOf(needs, platform),
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
    observe: ({ error, path }) => {
      if (error !== undefined) log.error({ err: error, platform, path }, 'a simulator failed');
    },
  });
  return { module, simulator, handle };
}

function blobsOf({ storage, used }: SandboxNeeds, platform: string): Blobs {
  return storageBlobs(storage, `sandbox/${platform}`, used);
}

/** The feed is for whoever sits at this machine, else for the operator. */
async function mayLook(needs: SandboxNeeds, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const header = (name: string) => request.headers[name]?.toString();
  if (isLocalRequest(needs, { peer: request.socket.remoteAddress ?? '', header })) return true;
  const user = await callerOf(needs, request);
  if (user?.operator && !user.suspended) return true;
  sendPlainError(response, new ReelayError(user ? 'operator_required' : 'unauthorized'), uuidv7());
  return false;
}

async function callerOf(
  { db, signIn }: SandboxNeeds,
  { headers }: IncomingMessage,
): Promise<{ operator: boolean; suspended: boolean } | null> {
  const key = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (key) return (isKey(key) && (await findOwners(db, [hashKey(key)]))[0]) || null;
  return headers.cookie ? signIn.session(headers.cookie) : null;
}
