import { fileURLToPath } from 'node:url';
import { createServer } from './app/server.ts';
import { isPublic, makeConfig } from './config/config.ts';
import { readEnvironment } from './config/env.ts';
import { loadSecrets } from './config/secrets.ts';
import { ReelayError } from './errors/reelay-error.ts';
import { accessRefusal } from './lib/folder-access.ts';
import { whenParentEnds } from './lib/parent.ts';

/** This file is built to `packages/server/dist`, which is as deep. */
const webFolder = fileURLToPath(new URL('../../../apps/web/dist', import.meta.url));

try {
  const env = await readEnvironment();
  const config = makeConfig(env);
  const secrets = await loadSecrets(env, config.dataDir);
  const service = createServer(config, secrets, { webFolder });
  // Under npm, Ctrl-C arrives twice. Draining is idempotent.
  const end = () => void service.drain().then(() => process.exit(0));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  whenParentEnds(process.argv, end);
  const { url, firstSteps } = await service.start();
  console.log(`Reelay is at ${url}`);
  if (!config.httpsOnly && isPublic(config))
    console.log('Warning: plain HTTP (ALLOW_HTTP=on). Anyone on the network can read keys and passwords.');
  for (const line of firstSteps) console.log(line);
} catch (error) {
  const { message, cause } = error as Error;
  // `database_unavailable` is of little use without its cause. Other causes are not readable for people.
  const reason = error instanceof ReelayError && cause instanceof Error ? ` (${cause.message})` : '';
  console.error(accessRefusal(error as Error) ?? message + reason);
  process.exit(1);
}
