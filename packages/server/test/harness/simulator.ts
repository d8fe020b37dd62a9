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
  /** Below the simulator's prefix, with the query. */
  path: string;
  /** Null while it runs, and where no whole answer was sent. */
  status: number | null;
  /** When it arrived, ms by the simulator's clock. */
  at: number;
}

export interface RunningSimulator {
  /** The simulator's base address, without a final slash. */
  url: string;
  simulator: Simulator;
  books: SandboxBooks;
  blobs: Blobs;
  faults: Faults;
  /** In the order of arrival. */
  requests: SeenRequest[];
  /** What the simulator threw: empty in a sound test. */
  errors: unknown[];
  /** What was sent that the platform forbids, each sentence once; only where the wire is watched. */
  findings(): string[];
  /** In the order of publishing. */
  published(): Promise<PublishedEntry[]>;
  /** Cuts every connection and stops listening. @throws Error where something was sent that the platform forbids */
  close(): Promise<void>;
}

/** What a test may set; the rest is memory, the real clock, no limits and no processing time. */
export type SimulatorOverrides = Partial<Omit<SimulatorOptions, 'books' | 'baseUrl'>> & {
  books?: SandboxBooks;
  /** Path it is served under; `/sandbox/PLATFORM` when absent, as in the running service. */
  prefix?: string;
  /** To come back at the same address after a restart; a free one when absent. */
  port?: number;
  /** How late an answer with trouble `slow` comes, in ms. */
  slowMs?: number;
  /** Holds all requests against the platform's table: for connectors, not for tests that send what is forbidden. */
  wire?: boolean;
  /** Told of each request that came whole, where the wire is watched. */
  seen?: (request: Seen) => void;
};

/** Serves a simulator on 127.0.0.1. Start it again with the same books and blobs to play a restart. */
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

/** Whether the bytes that lie behind an entry, all chunks in order, are this file and what the entry says of them. */
export async function isWholeUpload(
  { blobs }: Pick<RunningSimulator, 'blobs'>,
  entry: PublishedEntry,
  file: { bytes: number; sha256: string },
): Promise<boolean> {
  const received = await blobs.hash(entry.blobs);
  return [received, entry].every(({ bytes, sha256 }) => bytes === file.bytes && sha256 === file.sha256);
}
