/** A test environment for the accounts module: a database, storage, a fake platform, and one or more nodes. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Accounts, createAccounts } from '../../src/accounts/service.ts';
import type { AccountsDependencies } from '../../src/accounts/types.ts';
import { loadPlans } from '../../src/config/plans.ts';
import type { Database } from '../../src/db/database.ts';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import { createLog } from '../../src/lib/log.ts';
import { createAddressGuard } from '../../src/outbound/address-guard.ts';
import { createHttp } from '../../src/outbound/http-client.ts';
import { assertAccountsLeft } from '../../src/plans/service.ts';
import { RULES_OF_ACCOUNTS } from '../../src/reposts/rules-of-accounts.ts';
import type { Storage } from '../../src/storage/contract.ts';
import { createDiskStorage } from '../../src/storage/disk.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type RunningSimulator, startSimulator } from '../harness/simulator.ts';
import { createToy, type Toy } from './toy.ts';

export interface AccountWorld {
  db: TestDatabase;
  toy: Toy;
  simulator: RunningSimulator;
  storage: Storage;
  /** The data folder. */
  folder: string;
  accounts: Accounts;
  /** Creates the module on other connections, as on another node. */
  node(overrides?: Partial<AccountsDependencies>): Accounts;
  newUser(plan?: 'FREE' | 'PRO'): Promise<string>;
  /**
   * Connects a sandbox account with this name.
   * @returns its id
   */
  connect(userId: string, username?: string): Promise<string>;
  grantOf(accountId: string): Promise<string>;
  account(id: string): Promise<Record<string, unknown>>;
  grant(id: string): Promise<Record<string, unknown>>;
  /** All log lines. */
  lines: string[];
  close(): Promise<void>;
}

export async function createAccountWorld(): Promise<AccountWorld> {
  const db = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'reelay-accounts-'));
  const storage = await createDiskStorage(folder);
  const toy = createToy();
  const simulator = await startSimulator(toy.module);
  const origin = new URL(simulator.url).origin;
  const guard = createAddressGuard([], [origin]);
  const http = createHttp({ guard });
  const strict = createAddressGuard([], []);
  const realHttp = createHttp({ guard: strict });
  const lines: string[] = [];
  const plans = loadPlans(undefined);
  const sealer = createSealer([randomBytes(32)]);
  const dependencies = (database: Database): AccountsDependencies => ({
    db: database,
    sealer,
    storage,
    dataDir: folder,
    connectors: { toy: toy.connector },
    real: { http: realHttp, guard: strict },
    simulated: { http, guard },
    sandbox: {
      origin: () => origin,
      app: { clientId: 'app', clientSecret: 'app-secret' },
      endpoints: async (_platform, baseUrl) => toy.module.endpoints(baseUrl),
      enrol: (_platform, username) => simulator.simulator.enrol(username),
    },
    publicUrl: 'http://localhost:3000',
    apps: { find: () => null },
    settings: {},
    plans: { assertAccountsLeft: (tx, userId) => assertAccountsLeft(tx, plans, userId) },
    rules: RULES_OF_ACCOUNTS,
    log: createLog({ level: 'trace', pretty: false }, { write: (line: string) => void lines.push(line) }),
    now: Date.now,
  });
  const one = async (text: string, values: unknown[]) => (await db.query(text, values))[0] ?? {};
  const accounts = createAccounts(dependencies(db));
  return {
    db,
    toy,
    simulator,
    storage,
    folder,
    accounts,
    node: (overrides = {}) => createAccounts({ ...dependencies(db.another()), ...overrides }),
    async newUser(plan = 'PRO') {
      const email = `${randomBytes(6).toString('hex')}@example.org`;
      const [row] = await db.query<{ id: string }>(
        `insert into auth."user" (name, email, plan) values ('U', $1, $2) returning id`,
        [email, plan],
      );
      return row?.id ?? '';
    },
    async connect(userId, username = 'nora') {
      const request = { userId, platform: 'toy', username, privacy: 'all', actor: 'test' };
      return (await accounts.connectSandbox(request))[0]?.id ?? '';
    },
    grantOf: async (id) => String((await one('select grant_id from account where id = $1', [id])).grant_id),
    account: (id) => one('select * from account where id = $1', [id]),
    grant: (id) => one('select * from access_grant where id = $1', [id]),
    lines,
    async close() {
      http.close();
      realHttp.close();
      await simulator.close();
      await db.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
