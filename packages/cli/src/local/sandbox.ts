import { makeConfig } from '@reelay/server/config/config.ts';
import type { Environment } from '@reelay/server/config/env.ts';
import { loadSecrets } from '@reelay/server/config/secrets.ts';
import { createLog } from '@reelay/server/log.ts';
import { getUser } from '@reelay/server/users/service.ts';
import { line, note } from '../output.ts';
import { withAccounts } from './platforms.ts';

/** Prints the new id alone. */
export async function connect(
  env: Environment,
  options: { user: string; platform: string; username: string },
): Promise<void> {
  await withAccounts(env, async ({ accounts }, { db }) => {
    const { id: userId } = await getUser(db, options.user);
    const { platform, username } = options;
    const request = { userId, platform, username, privacy: 'public', actor: 'command line' };
    for (const account of await accounts.connectSandbox(request)) {
      if (account.again) note(`${account.platform} ${account.username} was connected before.`);
      line(account.id);
      for (const each of account.notes) note(each);
    }
  });
}

/** Serves until it is told to end. */
export async function serve(env: Environment): Promise<void> {
  const config = makeConfig(env);
  const secrets = await loadSecrets(env, config.dataDir);
  const { serveSandbox } = await import('@reelay/server/sandbox/alone.ts');
  const log = createLog({ level: config.logLevel, pretty: config.prettyLogs });
  const sandbox = await serveSandbox(config, secrets, log);
  const ended = Promise.withResolvers<void>();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => ended.resolve());
  line(`The sandbox is at ${sandbox.url}`);
  await ended.promise;
  await sandbox.stop();
}
