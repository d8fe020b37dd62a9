import { fileURLToPath } from 'node:url';
import type { Service } from './app/server.ts';
import { type Config, isPublic, makeConfig } from './config/config.ts';
import { readEnvironment } from './config/env.ts';
import { loadSecrets, type Secrets } from './config/secrets.ts';
import { startEmbeddedDatabase } from './db/embedded-database.ts';
import { ReelayError } from './errors/reelay-error.ts';
import { accessRefusal } from './lib/folder-access.ts';
import { createLog } from './lib/log.ts';
import { whenParentEnds } from './lib/parent.ts';
import { findTools } from './media/tools.ts';

/** This file is built to `packages/server/dist`, which is as deep. */
const webFolder = fileURLToPath(new URL('../../../apps/web/dist', import.meta.url));

await run();

async function run(): Promise<void> {
  let isEnding = false;
  try {
    const env = await readEnvironment();
    const config = makeConfig(env);
    const secrets = await loadSecrets(env, config.dataDir);
    const service = load(config, secrets);
    // Under npm, Ctrl-C arrives twice. Draining is idempotent.
    const end = () => {
      isEnding = true;
      const drained = service.then(({ drain }) => drain());
      void drained.catch(() => {}).then(() => process.exit(0));
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
    whenParentEnds(process.argv, end);
    const { url, firstSteps } = await (await service).start();
    console.log(`Reelay is at ${url}`);
    if (!config.httpsOnly && isPublic(config))
      console.log('Warning: plain HTTP (ALLOW_HTTP=on). Anyone on the network can read keys and passwords.');
    for (const line of firstSteps) console.log(line);
  } catch (error) {
    // A start that is interrupted fails somewhere.
    if (!isEnding) refuse(error as Error);
  }
}

/**
 * Starts the programs that the service needs, and loads the service meanwhile: reading and evaluating it takes as long.
 * @throws Error as `startEmbeddedDatabase`
 */
async function load(config: Config, secrets: Secrets): Promise<Service> {
  const log = createLog({ level: config.logLevel, pretty: config.prettyLogs });
  const { promise: launched, resolve: onLaunched } = Promise.withResolvers<void>();
  const database = startEmbeddedDatabase(config, { log, onLaunched });
  const tools = findTools(config);
  // The service reports it.
  tools.catch(() => {});
  await Promise.race([launched, database]);
  const { createServer } = await import('./app/server.ts');
  return createServer(config, secrets, { log, database, tools, webFolder });
}

function refuse(error: Error): void {
  const { message, cause } = error;
  // `database_unavailable` is of little use without its cause. Other causes are not readable for people.
  const reason = error instanceof ReelayError && cause instanceof Error ? ` (${cause.message})` : '';
  console.error(accessRefusal(error) ?? message + reason);
  process.exit(1);
}
