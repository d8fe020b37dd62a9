/**
 * The twelve simulated platforms, outside the service under test, so that their records are independent evidence. They
 * share one address with the API; requests for the API are forwarded to its current process.
 */
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';
import type { Blobs, PublishedEntry, Simulator, SimulatorModule } from '../packages/sandbox/src/contract.ts';
import { createFaults, type Fault, type Faults } from '../packages/sandbox/src/faults/faults.ts';
import { createSimulatorHandler, type SimulatorEvent } from '../packages/sandbox/src/http/handler.ts';
import { loadSimulator } from '../packages/sandbox/src/registry.ts';
import { memoryBlobs, memoryStore } from '../packages/sandbox/src/store/memory.ts';
import { createSerial } from '../packages/sandbox/src/store/serial.ts';
import { fetchLocal } from '../packages/sandbox/test/harness/fetch-local.ts';
import type { Random } from './random.ts';

export const APP = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };

export interface Platform {
  name: string;
  module: SimulatorModule;
  simulator: Simulator;
  blobs: Blobs;
  /** Its clock minus ours, in ms. */
  skewMs: number;
  faults: Faults;
  /** Every request so far, without its query and headers. */
  requests: readonly PlatformRequest[];
  published(): Promise<PublishedEntry[]>;
}

export interface PlatformRequest {
  /** When its response ended, in ms since the epoch by the real clock. */
  at: number;
  method: string;
  /** Below the simulator's prefix. */
  path: string;
  /** null: the connection closed before the response was complete. */
  status: number | null;
}

export interface Platforms {
  /** Base URL of the simulators and the API, without a trailing slash. */
  url: string;
  all: readonly Platform[];
  /** Errors that simulators threw; expected to be empty. */
  errors: unknown[];
  /** Port of the API process. */
  apiPort: number;
  close(): Promise<void>;
}

/** Long enough for the status "processing" to be observed, in ms. */
const PROCESSING_MS = 300;
/** Maximum difference between a platform's clock and ours, in ms. The run waits that long before it begins. */
export const MAX_SKEW_MS = 11 * 60_000;
/** Share of the platforms whose clock is right. */
const RIGHT_CLOCKS = 0.5;

/** @param now ms since the epoch by the clock that the run controls */
export async function startPlatforms(apiPort: number, now: () => number, random: Random): Promise<Platforms> {
  const server = http.createServer({ requestTimeout: 0 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const errors: unknown[] = [];
  const handlers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  const all: Platform[] = [];
  for (const load of Object.values(loadSimulator)) {
    const module = await load();
    const prefix = `/sandbox/${module.platform}`;
    const skewMs = random.chance(RIGHT_CLOCKS) ? 0 : Math.round((random.next() * 2 - 1) * MAX_SKEW_MS);
    const store = memoryStore();
    const blobs = memoryBlobs();
    const simulator = module.create({
      store,
      blobs,
      baseUrl: url + prefix,
      now: () => now() + skewMs,
      serial: createSerial(),
      limits: true,
      processingMs: PROCESSING_MS,
      fetch: fetchLocal,
      app: APP,
    });
    const faults = createFaults();
    const requests: PlatformRequest[] = [];
    const observe = ({ method, path, status, error }: SimulatorEvent) => {
      requests.push({ at: Date.now(), method, path, status });
      if (error !== undefined) errors.push(error);
    };
    handlers.set(
      module.platform,
      createSimulatorHandler({ simulator, prefix, faults, observe, now: () => now() + skewMs }),
    );
    all.push({
      name: module.platform,
      module,
      simulator,
      blobs,
      skewMs,
      faults,
      requests,
      published: () => store.published(),
    });
  }
  server.on('request', (request, response) => {
    const handle = handlers.get(/^\/sandbox\/([^/?]+)/.exec(request.url ?? '')?.[1] ?? '');
    if (handle) handle(request, response);
    else forward(apiPort, request, response);
  });
  return {
    url,
    all,
    errors,
    apiPort,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function findPlatform({ all }: Pick<Platforms, 'all'>, name: string): Platform {
  const platform = all.find((each) => each.name === name);
  if (!platform) throw new Error(`There is no simulated platform ${name}.`);
  return platform;
}

/** Acts as a reverse proxy for the API; responds with 502 while the API is down. */
function forward(port: number, request: IncomingMessage, response: ServerResponse): void {
  const { method, url: path, headers } = request;
  const onward = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (forwarded) => {
    response.writeHead(forwarded.statusCode ?? 502, forwarded.headers);
    pipeline(forwarded, response, () => {});
  });
  onward.once('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  pipeline(request, onward, () => {});
}

/** Faults with an unknown outcome, and rejections. None of them rejects a post that was in fact accepted. */
const FAULTS: readonly Fault[] = [
  { kind: 'reset-before', afterBytes: 0 },
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'slow-body', ms: 700 },
  { kind: 'refusal', refusal: 'server-error' },
  { kind: 'refusal', refusal: 'rate-limited-with-wait' },
];

/**
 * Injects faults into requests to every platform until the faults are cleared.
 * @param share of all requests, 0 to 1
 */
export function injectFaults(platforms: readonly Platform[], share: number, random: Random): void {
  for (const { faults } of platforms)
    for (const fault of FAULTS) faults.add({ when: () => random.chance(share / FAULTS.length), fault });
}
