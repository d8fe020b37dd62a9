/**
 * A service in its own process. Prints its URL; then, for every line it reads, the files it stores. A line `fill N`
 * first leaves N bytes of the disk free; `free` releases them. SIGTERM drains it.
 */
import { randomBytes } from 'node:crypto';
import { open, readdir, rm, statfs } from 'node:fs/promises';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createServer } from '../../src/app/server.ts';
import { secretsFrom } from '../../src/config/secrets.ts';
import { createLog } from '../../src/lib/log.ts';
import { testConfig } from '../harness/config.ts';
import type { ProcessOptions } from './service-process.ts';

// Flush now, because most of these processes are killed.
flushCompileCache();
const { folder, secretKey, tools, ...config } = JSON.parse(process.argv[2] ?? '{}') as ProcessOptions;
const settings = testConfig(folder, { role: 'api', sandbox: false, ...config });
const secret = secretKey === undefined ? randomBytes(32) : Buffer.from(secretKey, 'hex');
const log = createLog({ level: 'silent', pretty: false });
const service = createServer(settings, secretsFrom(secret), { log, tools, webFolder: '/nonexistent' });
process.on('SIGTERM', () => void service.drain().then(() => process.exit(0)));
const { url } = await service.start();
console.log(url);
const ballast = join(folder, 'ballast');
createInterface(process.stdin).on('line', async (line) => {
  const [word, bytes] = line.split(' ');
  if (word === 'fill') await fill(Number(bytes));
  if (word === 'free') await rm(ballast, { force: true });
  const entries = await readdir(settings.storageFolder, { recursive: true, withFileTypes: true });
  console.log(JSON.stringify(entries.filter((entry) => entry.isFile()).map((entry) => entry.name)));
});
process.stdin.on('end', () => void service.destroy().then(() => process.exit(0)));

async function fill(leave: number): Promise<void> {
  const file = await open(ballast, 'a');
  for (;;) {
    const { bavail, bsize } = await statfs(folder);
    const room = bavail * bsize - leave;
    if (room < bsize) break;
    await file.write(Buffer.alloc(Math.min(room, 1024 * 1024)));
  }
  await file.close();
}
