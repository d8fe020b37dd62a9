import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Blobs, PublishedEntry, Simulator, SimulatorModule, SimulatorOptions } from '../../src/contract.ts';
import { createFaults, type Faults } from '../../src/faults/faults.ts';
import { createSimulatorHandler } from '../../src/http/handler.ts';
import { memoryBlobs, memoryStore } from '../../src/store/memory.ts';
import { createSerial } from '../../src/store/serial.ts';
import type { SandboxStore } from '../../src/store/store.ts';
import { fetchLocal } from './fetch-local.ts';

export interface SeenRequest {
  method: string;
  /** Relative to the simulator's prefix, with the query. */
  path: string;
  /** Null while it runs, and if no complete response was sent. */
  status: number | null;
  /** Arrival time in ms, by the simulator's clock. */
  at: number;
}

export interface RunningSimulator {
  /** The simulator's base URL, without a trailing slash. */
  url: string;
  simulator: Simulator;
  store: SandboxStore;
  blobs: Blobs;
  faults: Faults;
  /** In order of arrival. */
  requests: SeenRequest[];
  /** Errors that the simulator threw; expected to be empty. */
  errors: unknown[];
  /** In order of publication. */
  published(): Promise<PublishedEntry[]>;
  /** Closes all connections and stops listening. */
  close(): Promise<void>;
}

/** Options of a test. Defaults: in-memory store, real clock, no limits, no processing time. */
export type SimulatorOverrides = Partial<Omit<SimulatorOptions, 'store' | 'baseUrl'>> & {
  store?: SandboxStore;
  /** Path that it is served under. Default: `/sandbox/PLATFORM`, as in the service. */
  prefix?: string;
  /** Fixed port, to restart at the same URL. Default: a free port. */
  port?: number;
  /** Delay of a response with trouble `slow`, in ms. */
  slowMs?: number;
  /** Called once with the server and its base address. The function it returns gets each request before the simulator. */
  watch?: (server: http.Server, url: string) => (request: IncomingMessage, response: ServerResponse) => void;
};

/** Serves a simulator on 127.0.0.1. To simulate a restart, start it again with the same store and blobs. */
export async function startSimulator(
  module: SimulatorModule,
  overrides: SimulatorOverrides = {},
): Promise<RunningSimulator> {
  const { prefix = `/sandbox/${module.platform}`, port = 0, slowMs, watch, ...options } = overrides;
  const store = options.store ?? memoryStore();
  const blobs = options.blobs ?? memoryBlobs();
  const now = options.now ?? Date.now;
  const faults = createFaults();
  const requests: SeenRequest[] = [];
  const errors: unknown[] = [];
  const sockets = new Set<Duplex>();
  const server = http.createServer();
  // On a busy machine, a client may reuse a connection in the moment in which the server closes it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`;
  const simulator = module.create({
    limits: false,
    processingMs: 0,
    serial: createSerial(),
    fetch: fetchLocal,
    app: { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' },
    ...options,
    store,
    blobs,
    now,
    baseUrl: url,
  });
  const handle = createSimulatorHandler({
    simulator,
    prefix,
    faults,
    now,
    ...(slowMs === undefined ? {} : { slowMs }),
    observe: (event) => event.error !== undefined && errors.push(event.error),
  });
  const see = watch?.(server, url);
  server.on('request', (request, response) => {
    see?.(request, response);
    const noted: SeenRequest = {
      method: request.method ?? '',
      path: (request.url ?? '').slice(prefix.length),
      status: null,
      at: now(),
    };
    requests.push(noted);
    response.once('close', () => {
      noted.status = response.writableFinished ? response.statusCode : null;
    });
    handle(request, response);
  });
  server.on('upgrade', (request, socket, head) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    if (simulator.upgrade) simulator.upgrade(request, socket, head);
    else socket.destroy();
  });
  return {
    url,
    simulator,
    store,
    blobs,
    faults,
    requests,
    errors,
    published: () => store.published(),
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const socket of sockets) socket.destroy();
      });
    },
  };
}

/** Whether the bytes of an entry, all chunks in order, are this file and match the entry's size and hash. */
export async function isWholeUpload(
  { blobs }: Pick<RunningSimulator, 'blobs'>,
  entry: PublishedEntry,
  file: { bytes: number; sha256: string },
): Promise<boolean> {
  const received = await blobs.hash(entry.blobs);
  return [received, entry].every(({ bytes, sha256 }) => bytes === file.bytes && sha256 === file.sha256);
}
