import { makeConfig } from '@reelay/server/config/config.ts';
import type { Environment } from '@reelay/server/config/env.ts';
import { loadSecrets } from '@reelay/server/config/secrets.ts';
import { createLog } from '@reelay/server/lib/log.ts';
import { serveSandbox } from '@reelay/server/sandbox/standalone.ts';
import { TEXT } from '../messages.ts';
import { line } from '../output.ts';

/** Serves the simulated platforms until the process is stopped. */
export async function serve(env: Environment): Promise<void> {
  const config = makeConfig(env);
  const secrets = await loadSecrets(env, config.dataDir);
  const log = createLog({ level: config.logLevel, pretty: config.prettyLogs });
  const sandbox = await serveSandbox(config, secrets, log);
  const ended = Promise.withResolvers<void>();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => ended.resolve());
  line(TEXT.sandboxServing(sandbox.url));
  line(TEXT.sandboxCredentials(`${sandbox.url}/credentials`));
  await ended.promise;
  await sandbox.stop();
}
