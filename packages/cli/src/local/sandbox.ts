import type { Environment } from '@reelay/server/config/env.ts';
import { getUser } from '@reelay/server/users/service.ts';
import { TEXT } from '../messages.ts';
import { line, note } from '../output.ts';
import { withAccounts } from './platforms.ts';

/** Prints only the new id. */
export async function connect(
  env: Environment,
  options: { user: string; platform: string; username: string },
): Promise<void> {
  const { platform, username } = options;
  await withAccounts(env, { platform, sandbox: true }, async (accounts, { db }) => {
    const { id: userId } = await getUser(db, options.user);
    const request = { userId, platform, username, privacy: 'public', actor: 'command line' };
    for (const account of await accounts.connectSandbox(request)) {
      if (account.again) note(TEXT.accountReconnected(account.platform, account.username));
      line(account.id);
      for (const each of account.notes) note(each);
    }
  });
}
