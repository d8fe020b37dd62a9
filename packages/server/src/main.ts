import { makeConfig } from './config/config.ts';
import { readEnvironment } from './config/env.ts';
import { loadSecrets } from './config/secrets.ts';
import { createServer } from './server.ts';

try {
  const env = readEnvironment();
  const config = makeConfig(env);
  const service = createServer(config, await loadSecrets(env, config.dataDir));
  // Ctrl-C arrives twice when npm is above us; draining twice is draining once.
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => void service.drain().then(() => process.exit(0)));
  const { url } = await service.start();
  console.log(`Reelay is at ${url}`);
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
