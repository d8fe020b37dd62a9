/** A service as a process of its own: prints its address, then, for every line that it reads, the files it holds. */
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { secretsFrom } from '../../src/config/secrets.ts';
import { createLog } from '../../src/log.ts';
import { createServer } from '../../src/server.ts';
import { testConfig } from '../harness/service.ts';

const { folder, ...config } = JSON.parse(process.argv[2] ?? '{}') as {
  folder: string;
  databaseUrl: string;
  leastFreeBytes: number;
};
const settings = testConfig(folder, { ...config, role: 'api', sandbox: false });
const service = createServer(settings, secretsFrom(randomBytes(32)), {
  log: createLog({ level: 'silent', pretty: false }),
});
const { url } = await service.start();
console.log(url);
createInterface(process.stdin).on('line', async () => {
  const entries = await readdir(settings.storageFolder, { recursive: true, withFileTypes: true });
  console.log(JSON.stringify(entries.filter((entry) => entry.isFile()).map((entry) => entry.name)));
});
process.stdin.on('end', () => void service.destroy().then(() => process.exit(0)));
