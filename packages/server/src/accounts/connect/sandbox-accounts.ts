/** Connects a simulated account on every platform, for people who want to try the service. */
import type { Queryable } from '../../db/database.ts';
import type { ConnectedAccount } from './account-writer.ts';
import { nameSandboxAccounts } from './sandbox-names.ts';

/** A simulated account to connect. */
export interface SandboxConnectRequest {
  userId: string;
  platform: string;
  username: string;
  /** Applied to every choice that has a matching value. */
  privacy: string;
  actor: string;
}

interface Deps {
  db: Queryable;
  /** Ids of all platforms. */
  platforms: readonly string[];
  connect(request: SandboxConnectRequest): Promise<ConnectedAccount[]>;
}

/**
 * Connects one simulated account on every platform where the user has none. After a failure, the accounts that were
 * connected stay, and a repetition connects the others.
 * @returns the accounts that were connected now
 * @throws ReelayError as `connectSandbox`
 */
export async function connectAllSandbox(
  { db, platforms, connect }: Deps,
  { userId, actor }: { userId: string; actor: string },
): Promise<ConnectedAccount[]> {
  const rows = await db.query<{ platform: string }>(
    `select distinct platform from account where user_id = $1 and sandbox and status = 'CONNECTED'`,
    [userId],
  );
  const has = new Set(rows.map(({ platform }) => platform));
  const username = await nameSandboxAccounts(db, userId);
  const connected: ConnectedAccount[] = [];
  for (const platform of platforms.filter((each) => !has.has(each)))
    connected.push(...(await connect({ userId, platform, username, privacy: 'public', actor })));
  return connected;
}
