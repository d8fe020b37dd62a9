/** A user of a running service, with an API key and accounts that are never called. */
import { join } from 'node:path';
import { readEnvironment } from '../../packages/server/src/config/env.ts';
import { loadSecrets } from '../../packages/server/src/config/secrets.ts';
import { runningCluster } from '../../packages/server/src/db/cluster.ts';
import { createDatabase, type Database } from '../../packages/server/src/db/database.ts';
import { generateKey } from '../../packages/server/src/keys/service.ts';
import { createSealer } from '../../packages/server/src/lib/encryption/seal.ts';
import { setPassword } from '../../packages/server/src/users/service.ts';
import { type Account, addUsers, connectAccounts } from './rows.ts';

export interface Guest {
  userId: string;
  key: string;
  accounts: Account[];
}

/** Opens the embedded database of a service that runs on this folder. */
export async function openDatabase(folder: string): Promise<Database> {
  const connection = await runningCluster(join(folder, 'data', 'database'));
  if (!connection) throw new Error('The database of the service does not answer.');
  return createDatabase({ connection, size: 2 });
}

/** Signs a guest in. @returns the value of the Cookie header */
export async function signInGuest(db: Database, url: string, { userId }: Guest): Promise<string> {
  const [user] = await db.query<{ email: string }>('select email from auth."user" where id = $1', [userId]);
  const { generatedPassword: password } = await setPassword(db, user?.email ?? '');
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: user?.email, password }),
  });
  if (response.status !== 200) throw new Error(`The guest could not sign in: ${await response.text()}`);
  return response.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ');
}

/** @param folder of the service, whose key seals the tokens of the accounts */
export async function addGuest(db: Database, folder: string, accounts: number): Promise<Guest> {
  const [userId = ''] = await addUsers(db, 1);
  const simulated = Array.from({ length: accounts }, (_, index) => {
    const name = `${userId.slice(-8)}.${index}`;
    return { remoteId: name, username: name, tokenAnswer: { access_token: 'none', scope: 'video.publish' } };
  });
  const { sealing } = await loadSecrets(await readEnvironment({}), join(folder, 'data'));
  return {
    userId,
    key: await generateKey(db, userId),
    accounts: await connectAccounts(db, createSealer(sealing), [userId], simulated),
  };
}
