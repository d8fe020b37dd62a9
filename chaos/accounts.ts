/** Creates users, their API keys, and accounts on the simulated platforms. */
import { randomUUID } from 'node:crypto';
import { wireAccounts } from '../packages/server/src/accounts/service.ts';
import type { Config } from '../packages/server/src/config/config.ts';
import type { Secrets } from '../packages/server/src/config/secrets.ts';
import { connectors } from '../packages/server/src/connectors/registry.ts';
import type { Database } from '../packages/server/src/db/database.ts';
import { generateKey } from '../packages/server/src/keys/service.ts';
import { createLog } from '../packages/server/src/log.ts';
import { createSealer } from '../packages/server/src/seal.ts';
import { createDiskStorage } from '../packages/server/src/storage/disk.ts';
import { APP, type Platforms } from './platforms.ts';

export interface ChaosAccount {
  id: string;
  platform: string;
}

export interface ChaosUser {
  id: string;
  key: string;
  accounts: readonly ChaosAccount[];
}

/** Number of users. Each has the same number of accounts per platform; all share the first account of each platform. */
const USERS = 3;

export async function connectEverybody(
  deps: { db: Database; config: Config; secrets: Secrets; platforms: Platforms },
  perPlatform: number,
): Promise<ChaosUser[]> {
  const { db, config, secrets, platforms } = deps;
  const storage = await createDiskStorage(config.storageFolder);
  const wired = wireAccounts({
    config,
    connectors,
    db,
    sealer: createSealer(secrets.sealing),
    storage,
    log: createLog({ level: 'silent', pretty: false }),
    sandbox: {
      origin: () => platforms.url,
      app: APP,
      endpoints: async (name, baseUrl) => find(platforms, name).module.endpoints(baseUrl),
      enrol: (name, username) => find(platforms, name).simulator.enrol(username),
    },
  });
  try {
    const users: ChaosUser[] = [];
    for (let number = 1; number <= USERS; number++) {
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
          const request = { userId: id, platform, username, privacy: 'public', actor: 'chaos' };
          const [made] = await wired.accounts.connectSandbox(request);
          if (made) accounts.push({ id: made.id, platform });
        }
      users.push({ id, key: await generateKey(db, id), accounts });
    }
    return users;
  } finally {
    wired.close();
  }
}

function find({ all }: Platforms, name: string) {
  const platform = all.find((each) => each.name === name);
  if (!platform) throw new Error(`There is no simulated platform ${name}.`);
  return platform;
}
