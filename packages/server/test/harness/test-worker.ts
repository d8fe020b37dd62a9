/**
 * Creates a worker as the service does, for one connector and its simulator; in the test's process or a separate one.
 */
import { join } from 'node:path';
import type { SimulatedAccount, SimulatorModule } from '@reelay/sandbox/contract.ts';
import { type Accounts, createAccounts } from '../../src/accounts/service.ts';
import type { Connector } from '../../src/connectors/contract.ts';
import type { Database } from '../../src/db/database.ts';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { createLog } from '../../src/lib/log.ts';
import { linkAddress } from '../../src/media/links/token.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp } from '../../src/outbound/http-client.ts';
import { createEvidenceKeeper } from '../../src/publishing/evidence.ts';
import type { SessionSource } from '../../src/publishing/sessions.ts';
import { createPublisher, type Publisher } from '../../src/publishing/worker/publisher.ts';
import { thisWorker } from '../../src/publishing/worker/worker-identity.ts';
import { RULES_OF_ACCOUNTS } from '../../src/reposts/rules-of-accounts.ts';
import { createDiskStorage } from '../../src/storage/disk.ts';

/** A platform that a worker serves. */
export interface ServedPlatform {
  connector: Connector;
  module: SimulatorModule;
  /** Base URL of the simulator, `…/sandbox/PLATFORM`. */
  simulatorUrl: string;
  enrol?: (username: string) => Promise<SimulatedAccount>;
}

export interface WorkerOptions extends ServedPlatform {
  db: Database;
  /** Further platforms, under the same origin. */
  others?: readonly ServedPlatform[];
  folder: string;
  /** 32 bytes; encrypts secrets and signs links. */
  key: Buffer;
  /** Base URL of links to videos, without a trailing slash. */
  linksUrl: string;
  /** Offset of the test clocks, in ms. */
  shift: () => number;
  /** How far this process's own clock is ahead of the database's, in ms. */
  aheadMs?: number;
  /** Maximum deadline of the next call, in ms; undefined: unlimited. */
  maxDeadlineMs?: () => number | undefined;
  /** When evidence that the database does not accept is written to a file, in ms. */
  evidenceFileAfterMs?: number;
  /** How long the result of a send may stay unwritten before it is kept as evidence, in ms. */
  resultWithinMs?: number;
  /** Counts budgets as for a real account; otherwise they are unlimited. */
  budgets?: boolean;
  onBug?: (error: unknown) => void;
  onTrouble?: (what: string, error: unknown) => void;
}

export interface TestWorker extends Publisher {
  accounts: Accounts;
}

export async function createTestWorker(options: WorkerOptions): Promise<TestWorker> {
  const { db, folder, shift } = options;
  const served = new Map([options, ...(options.others ?? [])].map((each) => [each.connector.id, each]));
  const servedAs = (platform: string) => served.get(platform) ?? options;
  const over = new AbortController();
  const wall = () => Date.now() + shift() + (options.aheadMs ?? 0);
  const origin = new URL(options.simulatorUrl).origin;
  const guard = createAddressGuard([], [origin]);
  const http = createHttp({
    guard,
    signal: over.signal,
    get maxDeadlineMs() {
      return options.maxDeadlineMs?.();
    },
  });
  const sealer = createSealer([options.key]);
  const storage = await createDiskStorage(join(folder, 'files'));
  const accounts = createAccounts({
    db,
    sealer,
    storage,
    dataDir: folder,
    connectors: Object.fromEntries([...served].map(([id, { connector }]) => [id, connector])),
    real: { http, guard },
    simulated: { http, guard },
    sandbox: {
      origin: () => origin,
      app: { clientId: 'sandbox-client', clientSecret: 'sandbox-secret' },
      endpoints: async (platform, baseUrl) => servedAs(platform).module.endpoints(baseUrl),
      enrol: async (platform, username) => {
        const { enrol } = servedAs(platform);
        if (!enrol) throw new Error('This worker cannot enrol.');
        return enrol(username);
      },
    },
    publicUrl: 'http://localhost:3000',
    apps: { find: () => null },
    settings: {},
    plans: { assertAccountsLeft: async () => {} },
    rules: RULES_OF_ACCOUNTS,
    log: createLog({ level: 'silent', pretty: false }),
    now: wall,
  });
  const publisher = createPublisher({
    db,
    sealer,
    storage,
    sessions: asReal(accounts.sessions, options.budgets ?? false),
    http: () => http,
    link: (targetId, container, until) =>
      linkAddress(options.linksUrl, options.key, { targetId, expiresAt: Math.floor(until / 1000) }, container),
    evidence: createEvidenceKeeper({
      db,
      sealer,
      folder: join(folder, 'evidence'),
      fileAfterMs: options.evidenceFileAfterMs ?? 5_000,
      pause: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 50))),
      signal: over.signal,
    }),
    worker: thisWorker(uuidv7()),
    events: {
      moved: () => {},
      bug: (error) => options.onBug?.(error),
      failed: (what, error) => options.onTrouble?.(what, error),
      lanesFreed: (count) => options.onBug?.(new Error(`${count} lanes were held by nobody`)),
      lanesRepaired: (count) => options.onBug?.(new Error(`${count} lanes were repaired`)),
    },
    slots: 8,
    resultWithinMs: options.resultWithinMs,
    random: Math.random,
    monotonic: () => performance.now() + shift(),
    sinceBoot: () => performance.now() + shift(),
    wall,
  });
  return {
    ...publisher,
    accounts,
    abort() {
      publisher.abort();
      over.abort();
      http.close();
    },
  };
}

/** Treats sandbox accounts as real ones: full settling times, which the test clock skips. */
function asReal(sessions: SessionSource, budgets: boolean): SessionSource {
  return {
    ...sessions,
    async open(accountId, options) {
      const open = await sessions.open(accountId, budgets ? options : { ...options, spend: async () => {} });
      return { ...open, session: { ...open.session, sandbox: false } };
    },
  };
}
