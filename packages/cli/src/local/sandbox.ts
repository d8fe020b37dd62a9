import type { Environment } from '@reelay/server/config/env.ts';
import { getUser } from '@reelay/server/users/service.ts';
import { TEXT } from '../messages.ts';
import { json, line, note, table } from '../output.ts';
import { withAccounts, withSimulators } from './platforms.ts';

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
      for (const each of account.notes) note(each.text);
    }
  });
}

/** Prints what a client of one's own needs: the application, and the account if one is named. */
export async function credentials(
  env: Environment,
  options: { platform: string; username?: string; json?: boolean },
): Promise<void> {
  const { platform, username } = options;
  await withSimulators(env, async ({ app, origin, enrol }) => {
    const account = username === undefined ? null : await enrol(platform, username);
    const url = `${origin()}/sandbox/${platform}`;
    if (options.json) return json({ url, app, account });
    const tokens = Object.entries(account?.tokenAnswer ?? {}).filter(([name]) => name.endsWith('token'));
    const rows = [
      ['url', url],
      ['client id', app.clientId],
      ['client secret', app.clientSecret],
      ...(account?.credentials ? [['login', account.credentials.identifier]] : []),
      ...(account?.credentials ? [['app password or bot token', account.credentials.secret]] : []),
      ...tokens.map(([name, value]) => [name.replace('_', ' '), String(value)]),
    ];
    for (const row of table(['name', 'value'], rows)) line(row);
  });
}
