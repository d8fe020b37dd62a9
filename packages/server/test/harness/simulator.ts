import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
  Blobs,
  PublishedEntry,
  Simulator,
  SimulatorModule,
  SimulatorOptions,
} from '../../src/connectors/kit/simulator.ts';
import type { SandboxBooks } from '../../src/sandbox/books.ts';
import { createFaults, type Faults } from '../../src/sandbox/faults.ts';
import { createSimulatorHandler } from '../../src/sandbox/handler.ts';
import { memoryBlobs, memoryBooks } from '../../src/sandbox/memory.ts';
import type { Seen } from '../wire/checker.ts';
import { placesOf, watchWire } from '../wire/watch.ts';
import { fetchLocal } from './links.ts';
import { tableOf } from './wire-tables.ts';

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
  books: SandboxBooks;
  blobs: Blobs;
  faults: Faults;
  /** In order of arrival. */
  requests: SeenRequest[];
  /** Errors that the simulator threw; expected to be empty. */
  errors: unknown[];
  /** Requests that violate the platform's rules, each sentence once. Only if `wire` is set. */
  findings(): string[];
  /** In order of publication. */
  published(): Promise<PublishedEntry[]>;
  /**
   * Closes all connections and stops listening.
   * @throws Error if a request violated the platform's rules
   */
  close(): Promise<void>;
}

/** Options of a test. Defaults: in-memory store, real clock, no limits, no processing time. */
export type SimulatorOverrides = Partial<Omit<SimulatorOptions, 'books' | 'baseUrl'>> & {
  books?: SandboxBooks;
  /** Path that it is served under. Default: `/sandbox/PLATFORM`, as in the service. */
  prefix?: string;
  /** Fixed port, to restart at the same URL. Default: a free port. */
  port?: number;
  /** Delay of a response with trouble `slow`, in ms. */
  slowMs?: number;
  /**
   * Checks all requests against the platform's wire table. For connectors, not for tests that send invalid requests.
   */
  wire?: boolean;
  /** Called with each complete request. Only if `wire` is set. */
  seen?: (request: Seen) => void;
};

/** Serves a simulator on 127.0.0.1. To simulate a restart, start it again with the same store and blobs. */
export async function startSimulator(
  module: SimulatorModule,
  overrides: SimulatorOverrides = {},
): Promise<RunningSimulator> {
  const { prefix = `/sandbox/${module.platform}`, port = 0, slowMs, wire = false, seen, ...options } = overrides;
  const books = options.books ?? memoryBooks();
  const blobs = options.blobs ?? memoryBlobs();
  const now = options.now ?? Date.now;
  const faults = createFaults();
  const requests: SeenRequest[] = [];
  const errors: unknown[] = [];
  const table = wire ? await tableOf(module.platform) : null;
  const server = http.createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`;
  const simulator = module.create({
    limits: false,
    processingMs: 0,
    fetch: fetchLocal,
    app: { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' },
    ...options,
    books,
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
  const places = placesOf(module.endpoints(url), url);
  const watch = table && watchWire(server, { table, places, observe: seen });
  const findings = () => watch?.findings() ?? [];
  server.on('request', (request, response) => {
    watch?.see(request, response);
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
  return {
    url,
    simulator,
    books,
    blobs,
    faults,
    requests,
    errors,
    findings,
    published: () => books.published(),
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      if (findings().length > 0) throw new Error(`What ${module.platform} forbids was sent:\n${findings().join('\n')}`);
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
