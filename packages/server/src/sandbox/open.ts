/** The sandbox of a running service: every simulator below `/sandbox/PLATFORM`, the feed beside them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SandboxAccess } from '../accounts/types.ts';
import type { Blobs, Simulator, SimulatorModule } from '../connectors/kit/simulator.ts';
import type { Database } from '../db/database.ts';
import { ReelayError } from '../errors.ts';
import { sendPlainError } from '../http/answers.ts';
import type { Mount } from '../http/page.ts';
import { uuidv7 } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Storage } from '../storage/contract.ts';
import type { SignIn } from '../users/sign-in.ts';
import { createSimulatorHandler } from './handler.ts';
import { postgresBooks } from './postgres-books.ts';
import { publishedIn } from './published.ts';
import { createSandboxHandler, createSandboxRoutes } from './routes.ts';
import { storageBlobs } from './storage-blobs.ts';

export interface Sandbox {
  access: SandboxAccess;
  mount: Mount;
}

export interface SandboxNeeds {
  db: Database;
  storage: Storage;
  log: Log;
  signIn: Pick<SignIn, 'session'>;
  /** Where the service is reached, without a final slash. */
  publicUrl: string;
}

/** What every simulator knows its one application by. It protects nothing. */
const APP = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };
/** How long simulated platforms work on a video, in ms: long enough to be seen as pending. */
const PROCESSING_MS = 1_500;

interface Served {
  simulator: Simulator;
  blobs: Blobs;
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** Books in the schema `sandbox` of the database, bytes in the storage below `sandbox/`. Loads the simulators. */
export async function openSandbox(needs: SandboxNeeds): Promise<Sandbox> {
  const { simulators } = await import('../connectors/simulators.ts');
  const served = new Map(Object.entries(simulators).map(([platform, module]) => [platform, serve(needs, module)]));
  const feed = createSandboxHandler(
    createSandboxRoutes({
      source: publishedIn(needs.db),
      blobs: (platform) => served.get(platform)?.blobs ?? null,
      guard: (request, response) => mayLook(needs, request, response),
      observe: (err) => needs.log.error({ err }, 'the sandbox could not answer'),
    }),
  );
  return {
    access: {
      origin: () => needs.publicUrl,
      app: APP,
      modules: simulators,
      async enrol(platform, username) {
        const found = served.get(platform);
        if (!found) throw new ReelayError('invalid_request', `The sandbox does not have "${platform}".`);
        return found.simulator.enrol(username);
      },
    },
    mount: {
      prefix: '/sandbox',
      handle(_context, request, response) {
        const platform = request.url?.split(/[/?]/)[2] ?? '';
        const found = served.get(platform);
        if (found) found.handle(request, response);
        else feed(request, response);
      },
    },
  };
}

function serve({ db, storage, log, publicUrl }: SandboxNeeds, module: SimulatorModule): Served {
  const { platform } = module;
  const prefix = `/sandbox/${platform}`;
  const blobs = storageBlobs(storage, `sandbox/${platform}`);
  const simulator = module.create({
    books: postgresBooks(db, platform),
    blobs,
    baseUrl: publicUrl + prefix,
    now: Date.now,
    limits: false,
    processingMs: PROCESSING_MS,
    app: APP,
  });
  const handle = createSimulatorHandler({
    simulator,
    prefix,
    observe: ({ error, path }) => {
      if (error !== undefined) log.error({ err: error, platform, path }, 'a simulator failed');
    },
  });
  return { simulator, blobs, handle };
}

/** The feed is for whoever sits at this machine, else for the operator. */
async function mayLook({ signIn }: SandboxNeeds, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const here = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(request.socket.remoteAddress ?? '');
  if (here && request.headers['x-forwarded-for'] === undefined) return true;
  const user = request.headers.cookie ? await signIn.session(request.headers.cookie) : null;
  if (user?.operator && !user.suspended) return true;
  sendPlainError(response, new ReelayError(user ? 'operator_required' : 'unauthorized'), uuidv7());
  return false;
}
