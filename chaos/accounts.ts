/** Creates users, their API keys, and accounts on the simulated platforms. */
import { randomUUID } from 'node:crypto';
import { wireAccounts } from '../packages/server/src/accounts/service.ts';
import type { Config } from '../packages/server/src/config/config.ts';
import type { Secrets } from '../packages/server/src/config/secrets.ts';
import { connectors } from '../packages/server/src/connectors/registry.ts';
import type { Database } from '../packages/server/src/db/database.ts';
import { generateKey } from '../packages/server/src/keys/service.ts';
import { createSealer } from '../packages/server/src/lib/encryption/seal.ts';
import { createLog } from '../packages/server/src/lib/log.ts';
import { RULES_OF_ACCOUNTS } from '../packages/server/src/reposts/rules-of-accounts.ts';
import { createDiskStorage } from '../packages/server/src/storage/disk.ts';
import { APP, findPlatform, type Platforms } from './platforms.ts';

export interface ChaosAccount {
  id: string;
  platform: string;
  username: string;
}

export interface ChaosUser {
  id: string;
  key: string;
  accounts: readonly ChaosAccount[];
}

/**
 * Number of users for a run with posts from phones, so that their plans allow all accounts. Each user has the same number
 * of accounts per platform; all share the first account of each platform.
 */
export const usersFor = (phone: number): number => Math.max(3, Math.ceil(phone / 240));

/** Connects and disconnects accounts, as the service does it. */
export interface AccountService {
  /** Connects the account of a user name, also again. @returns its id */
  connect(userId: string, platform: string, username: string): Promise<string>;
  disconnect(userId: string, accountId: string): Promise<void>;
  close(): void;
}

export async function openAccountService(deps: {
  db: Database;
  config: Config;
  secrets: Secrets;
  platforms: Platforms;
}): Promise<AccountService> {
  const { db, config, secrets, platforms } = deps;
  const storage = await createDiskStorage(config.storageFolder);
  const wired = wireAccounts({
    config,
    connectors,
    db,
    sealer: createSealer(secrets.sealing),
    storage,
    log: createLog({ level: 'silent', pretty: false }),
    rules: RULES_OF_ACCOUNTS,
    sandbox: {
      origin: () => platforms.url,
      app: APP,
      endpoints: async (name, baseUrl) => findPlatform(platforms, name).module.endpoints(baseUrl),
      enrol: (name, username) => findPlatform(platforms, name).simulator.enrol(username),
    },
  });
  return {
    async connect(userId, platform, username) {
      const request = { userId, platform, username, privacy: 'public', actor: 'chaos' };
      const [made] = await wired.accounts.connectSandbox(request);
      if (!made) throw new Error(`${username} on ${platform} was not connected.`);
      return made.id;
    },
    disconnect: (userId, accountId) => wired.accounts.disconnect({ userId, accountId, actor: 'chaos' }),
    close: wired.close,
  };
}

export async function connectEverybody(
  deps: { db: Database; accountService: AccountService; platforms: Platforms },
  { count, perPlatform }: { count: number; perPlatform: number },
): Promise<ChaosUser[]> {
  const { db, accountService, platforms } = deps;
  const users: ChaosUser[] = [];
  for (let number = 1; number <= count; number++) {
    const id = randomUUID();
    await db.execute(`insert into auth."user" (id, name, email, plan) values ($1, $2, $3, 'PRO')`, [
      id,
      `User ${number}`,
      `user-${number}@example.org`,
    ]);
    const accounts: ChaosAccount[] = [];
    for (const { name: platform } of platforms.all)
      for (let each = 0; each < perPlatform; each++) {
        const username = each === 0 ? 'shared.name' : `user${number}.${each}`;
        accounts.push({ id: await accountService.connect(id, platform, username), platform, username });
      }
    users.push({ id, key: await generateKey(db, id), accounts });
  }
  return users;
}
