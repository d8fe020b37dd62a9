/** Connects simulated accounts on all platforms or another one on one of them, for people who want to try the service. */
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

/** Which simulated accounts to connect. */
export interface SandboxAccountsRequest {
  userId: string;
  actor: string;
  /** Where to connect another account; absent: on all platforms without one. */
  platform?: string;
}

interface Deps {
  db: Queryable;
  /** Ids of all platforms. */
  platforms: readonly string[];
  connect(request: SandboxConnectRequest): Promise<ConnectedAccount[]>;
}

/**
 * Connects one simulated account on every platform where the user has none, or another one on one platform. After a failure,
 * the accounts that were connected stay, and a repetition connects the others.
 * @returns the accounts that were connected now
 * @throws ReelayError as `connectSandbox`
 */
export async function connectSandboxAccounts(
  { db, platforms, connect }: Deps,
  { userId, actor, platform: another }: SandboxAccountsRequest,
): Promise<ConnectedAccount[]> {
  const wanted = another === undefined ? await missingPlatforms(db, platforms, userId) : [another];
  const username = await nameSandboxAccounts(db, userId, another);
  const connected: ConnectedAccount[] = [];
  for (const platform of wanted)
    connected.push(...(await connect({ userId, platform, username, privacy: 'public', actor })));
  return connected;
}

async function missingPlatforms(db: Queryable, platforms: readonly string[], userId: string): Promise<string[]> {
  const rows = await db.query<{ platform: string }>(
    `select distinct platform from account where user_id = $1 and sandbox and status = 'CONNECTED'`,
    [userId],
  );
  const has = new Set(rows.map(({ platform }) => platform));
  return platforms.filter((each) => !has.has(each));
}
