/** All simulated platforms and their feed on one HTTP server. */
import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Blobs, Phone, PublishedEntry, SimulatedAccount } from '../contract.ts';
import { createFaults, type Faults } from '../faults/faults.ts';
import { type FaultRule, injectRule } from '../faults/rules.ts';
import { type FeedItem, feedJson } from '../feed/feed.ts';
import { publishedInStores } from '../feed/published.ts';
import { createSandboxHandler, createSandboxRoutes } from '../feed/routes.ts';
import { createSimulatorHandler } from '../http/handler.ts';
import { loadSimulator } from '../registry.ts';
import { folderBlobs } from '../store/folder-blobs.ts';
import { openFolderStore } from '../store/folder-store.ts';
import { memoryBlobs, memoryStore } from '../store/memory.ts';
import { createSerial } from '../store/serial.ts';
import type { SandboxStore } from '../store/store.ts';
import { answerControl } from './control.ts';
import { fetchVideo } from './fetch.ts';
import { createPhone, type SandboxPhone } from './phone.ts';

export interface SandboxOptions {
  /** Address to listen on; 127.0.0.1 when absent. */
  host?: string;
  /** Absent or 0: a free port. */
  port?: number;
  /** Which platforms to simulate; all when absent. */
  platforms?: readonly string[];
  /** Where accounts, posts and videos are kept; in memory when absent. */
  folder?: string;
  faults?: readonly FaultRule[];
  /** Selects the requests that faults with a share hit; random when absent. */
  seed?: string | number;
  /** Enforce the platforms' rate limits and daily caps. */
  limits?: boolean;
  /** How long platforms work on a video, in ms; 1,000 when absent. */
  processingMs?: number;
  /** Milliseconds since the epoch; the system's clock when absent. */
  now?: () => number;
  /** Called with errors inside a simulator, which the client sees as a 500. */
  onError?: (error: unknown) => void;
}

export interface SandboxPlatform {
  /** Base address, without a final slash. */
  url: string;
  /** The platform's own hosts by name, as addresses of this simulator. */
  endpoints: Record<string, string>;
  /** The switchboard of faults in front of the simulator. */
  faults: Faults;
  /** Creates an account, or finds it by its user name, and returns what an OAuth consent would have given. */
  createAccount(username: string): Promise<SimulatedAccount>;
  /** Posts without the integration under test, as the owner of an account would. */
  phone: SandboxPhone;
  /** Posts in the order of publishing. */
  published(): Promise<PublishedEntry[]>;
  /** The bytes of a post's video, as the platform received them. */
  video(entry: PublishedEntry): Promise<Buffer>;
}

export interface RunningSandbox {
  /** Where the feed is: `http://127.0.0.1:PORT/sandbox`. */
  url: string;
  seed: string;
  /** The application that every platform knows. */
  app: { clientId: string; clientSecret: string };
  /** Names of the simulated platforms. */
  names: readonly string[];
  /** @throws Error for a platform that is not simulated */
  platform(name: string): SandboxPlatform;
  /** What `feed.json` shows: the posts of all platforms in the order of publishing. */
  feed(): Promise<FeedItem[]>;
  injectFault(rule: FaultRule): void;
  clearFaults(): void;
  /** Cuts every connection and stops listening. */
  close(): Promise<void>;
}

const APP = { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' };
const PROCESSING_MS = 1_000;

interface Served extends SandboxPlatform {
  simulatedPhone: Phone | undefined;
  blobs: Blobs;
  store: SandboxStore & { close?(): void };
  handle(request: IncomingMessage, response: ServerResponse): void;
}

/** Starts the simulated platforms. @throws Error with one line for an unknown platform, a port that is taken, … */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const { host = '127.0.0.1', port = 0, platforms = Object.keys(loadSimulator), faults = [] } = options;
  const seed = String(options.seed ?? randomUUID().slice(0, 8));
  for (const name of platforms) if (!Object.hasOwn(loadSimulator, name)) throw unknownPlatform(name);
  const server = http.createServer({ requestTimeout: 0 });
  await listen(server, host, port);
  const origin = `http://${hostOf(host)}:${(server.address() as AddressInfo).port}`;
  const served = new Map<string, Served>();
  const find = (name: string): Served => {
    const found = served.get(name);
    if (!found) throw unknownPlatform(name, platforms);
    return found;
  };
  const injectFault = (rule: FaultRule) => {
    const names = rule.platform === undefined ? platforms : [rule.platform];
    for (const [name, each] of names.map((name) => [name, find(name)] as const))
      injectRule(each.faults, name, rule, seed);
  };
  const clearFaults = () => {
    for (const each of served.values()) each.faults.clear();
  };
  const stop = async () => {
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
    for (const { store } of served.values()) store.close?.();
  };
  let stopping: Promise<void> | null = null;
  const close = () => {
    stopping ??= stop();
    return stopping;
  };
  try {
    for (const name of platforms) served.set(name, await serve(name, `${origin}/sandbox/${name}`, options));
    for (const rule of faults) injectFault(rule);
  } catch (error) {
    await close();
    throw error;
  }
  const source = publishedInStores(Object.fromEntries([...served].map(([name, { store }]) => [name, store])));
  const feed = createSandboxHandler(
    createSandboxRoutes({
      source,
      blobs: (name) => served.get(name)?.blobs ?? null,
      credentials: { app: APP, platforms, enrol: (name, username) => find(name).createAccount(username) },
      phone: { platforms, find: async (name) => find(name).simulatedPhone },
      guard: async () => true,
      ...(options.onError && { observe: options.onError }),
    }),
  );
  const controls = {
    app: APP,
    injectFault,
    clearFaults,
    createAccount: async (name: string, username: string) => find(name).createAccount(username),
    platforms: () =>
      Object.fromEntries([...served].map(([name, { url, endpoints }]) => [name, { url, endpoints }] as const)),
  };
  server.on('request', (request, response) => {
    const platform = served.get(/^\/sandbox\/([^/?]+)/.exec(request.url ?? '')?.[1] ?? '');
    if (platform) platform.handle(request, response);
    else if (!answerControl(controls, request, response)) feed(request, response);
  });
  return {
    url: `${origin}/sandbox`,
    seed,
    app: APP,
    names: platforms,
    platform: find,
    feed: async () => feedJson(await source.all()),
    injectFault,
    clearFaults,
    close,
  };
}

async function serve(name: string, baseUrl: string, options: SandboxOptions): Promise<Served> {
  const { folder, limits = false, processingMs = PROCESSING_MS, now = Date.now, onError } = options;
  const load = loadSimulator[name];
  if (!load) throw unknownPlatform(name);
  const module = await load();
  const store = folder === undefined ? memoryStore() : openFolderStore(folder, name);
  const blobs = folder === undefined ? memoryBlobs() : folderBlobs(join(folder, 'videos', name));
  const faults = createFaults();
  const simulator = module.create({
    ...{ store, blobs, baseUrl, now, limits, processingMs },
    serial: createSerial(),
    fetch: fetchVideo,
    app: APP,
  });
  const handle = createSimulatorHandler({
    simulator,
    prefix: new URL(baseUrl).pathname,
    faults,
    now,
    observe: ({ error }) => error !== undefined && onError?.(error),
  });
  return {
    ...{ url: baseUrl, endpoints: module.endpoints(baseUrl), faults, store, blobs, handle },
    simulatedPhone: simulator.phone,
    phone: createPhone(name, simulator.phone, blobs),
    createAccount: (username) => simulator.enrol(username),
    published: () => store.published(),
    async video({ blobs: keys }) {
      const parts: Buffer[] = [];
      for (const key of keys) parts.push(...((await (await blobs.get(key)).toArray()) as Buffer[]));
      return Buffer.concat(parts);
    },
  };
}

function listen(server: http.Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}

/** Where a client on this machine reaches a server that listens on `host`. */
function hostOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function unknownPlatform(name: string, known: readonly string[] = Object.keys(loadSimulator)): Error {
  return new Error(`Unknown platform "${name}". Simulated platforms: ${known.join(', ')}.`);
}
