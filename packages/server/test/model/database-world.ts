/** One database, the real service code on it, and several simulated platforms. Histories run on it one after the other. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Blobs, Simulator, SimulatorModule } from '@reelay/sandbox/contract.ts';
import { createFaults, type Faults } from '../../../sandbox/src/faults/faults.ts';
import { createSimulatorHandler } from '../../../sandbox/src/http/handler.ts';
import { loadSimulator } from '../../../sandbox/src/registry.ts';
import { memoryBlobs, memoryStore } from '../../../sandbox/src/store/memory.ts';
import { createSerial } from '../../../sandbox/src/store/serial.ts';
import type { SandboxStore } from '../../../sandbox/src/store/store.ts';
import { fetchLocal } from '../../../sandbox/test/harness/fetch-local.ts';
import { loadPlans } from '../../src/config/plans.ts';
import type { Connector } from '../../src/connectors/contract.ts';
import { connectors as allConnectors } from '../../src/connectors/registry.ts';
import { createMedia, type Media } from '../../src/media/media.ts';
import type { MediaTools } from '../../src/media/tools.ts';
import { createDiskStorage } from '../../src/storage/disk.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { startLinks } from '../harness/links.ts';
import { createTestWorker, type TestWorker } from '../harness/test-worker.ts';
import { gated } from '../harness/world.ts';
import type { LoopParts } from './database-jobs.ts';

/** A simulated platform. */
export interface ModelPlatform {
  simulator: Simulator;
  store: SandboxStore;
  blobs: Blobs;
  faults: Faults;
}

export interface ModelWorld extends LoopParts {
  db: TestDatabase;
  /** By platform. */
  simulators: ReadonlyMap<string, ModelPlatform>;
  folder: string;
  /** Unexpected errors of publishers. */
  bugs: unknown[];
  /** The worker of the histories. */
  steady: TestWorker;
  /** A worker that loses its database at the first statement at which `isGone` returns true. */
  crashing(isGone: () => boolean): Promise<TestWorker>;
  /** Advances the clocks of database and platforms. */
  advance(ms: number): Promise<void>;
  now(): Promise<number>;
  close(): Promise<void>;
}

export async function createModelWorld(platforms: readonly string[], tools: MediaTools): Promise<ModelWorld> {
  const db = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'reelay-model-'));
  const storage = await createDiskStorage(join(folder, 'files'));
  let shift = 0;
  const { url, simulators, modules, close } = await startPlatforms(platforms, () => Date.now() + shift);
  const served = [];
  const connectors: Record<string, Connector> = {};
  for (const [platform, { simulator }] of simulators) {
    const [connector, module] = [allConnectors[platform], modules.get(platform)];
    if (!connector || !module) throw new Error(`The platform ${platform} is missing.`);
    connectors[platform] = connector;
    const enrol = (username: string) => simulator.enrol(username);
    served.push({ connector, module, simulatorUrl: `${url}/sandbox/${platform}`, enrol });
  }
  const [first, ...others] = served;
  if (!first) throw new Error('The model needs a platform.');
  const key = randomBytes(32);
  const plans = loadPlans(undefined);
  const links = await startLinks({ db, storage, key });
  const bugs: unknown[] = [];
  const connections = db.another(6);
  const shared = { ...first, others, folder, key, linksUrl: links.url, shift: () => shift };
  const onBug = (error: unknown) => bugs.push(error);
  const steady = await createTestWorker({ ...shared, db: connections, onBug });
  return {
    ...{ db, simulators, connectors, folder, storage, media: checkedByLength(createMedia(tools)), bugs, steady },
    origins: [url],
    // Users with the plan STARTER reach its limit.
    plans: { ...plans, STARTER: { ...plans.PRO, postsPerMonth: 2 } },
    crashing: (isGone) => createTestWorker({ ...shared, db: gated(connections, isGone), onBug }),
    async advance(ms) {
      shift += ms;
      await db.clock.advance(ms);
    },
    now: async () => (await db.clock.now()).getTime(),
    async close() {
      steady.abort();
      await close();
      await links.close();
      await db.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Serves simulators under one address, as the sandbox does. */
async function startPlatforms(platforms: readonly string[], now: () => number) {
  const server = http.createServer();
  // On a busy machine, a client may reuse a connection in the moment in which the server closes it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const simulators = new Map<string, ModelPlatform>();
  const modules = new Map<string, SimulatorModule>();
  const handlers = new Map<string, ReturnType<typeof createSimulatorHandler>>();
  for (const platform of new Set(platforms)) {
    const module = await loadSimulator[platform]?.();
    if (!module) throw new Error(`${platform} is not simulated.`);
    const prefix = `/sandbox/${platform}`;
    const [store, blobs, faults] = [memoryStore(), memoryBlobs(), createFaults()];
    const simulator = module.create({
      ...{ store, blobs, now, baseUrl: `${url}${prefix}`, serial: createSerial(), limits: false, processingMs: 0 },
      ...{ fetch: fetchLocal, app: { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' } },
    });
    modules.set(platform, module);
    simulators.set(platform, { simulator, store, blobs, faults });
    handlers.set(platform, createSimulatorHandler({ simulator, prefix, faults, now }));
  }
  server.on('request', (request, response) => {
    const handle = handlers.get(request.url?.split('/')[2] ?? '');
    if (handle) handle(request, response);
    else response.writeHead(404).end();
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, simulators, modules, close };
}

/** Checks files of one length once: the films of the model differ in their labels only. */
function checkedByLength(media: Media): Media {
  const of: Media['of'] = (userId) => {
    const own = media.of(userId);
    return {
      ...own,
      async checkWithThumbnail(path, wanted, options) {
        const { size } = await stat(path);
        return own.checkWithThumbnail(path, wanted, { ...options, sha256: `length ${size}` });
      },
    };
  };
  return { ...media, of };
}
