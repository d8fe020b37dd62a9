/** The program of {@link startWorkerProcess}. */
import { readFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { createDatabase } from '../../src/db/database.ts';
import { connectorAt, connectorOf } from './connectors.ts';
import { createTestWorker } from './test-worker.ts';
import type { WorkerProcessOptions } from './worker-process.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as WorkerProcessOptions;
const found = options.home ? await connectorAt(options.home) : await connectorOf(options.platform);
// Flush now, because this process never exits normally.
flushCompileCache();
const variant = found.module.variants?.find(({ name }) => name === options.variant);
const worker = await createTestWorker({
  ...found,
  module: { ...found.module, endpoints: variant?.endpoints ?? found.module.endpoints },
  db: createDatabase({
    connection: { connectionString: options.databaseUrl, application_name: `worker ${process.pid}` },
    size: 4,
    idleTransactionMs: 500,
  }),
  simulatorUrl: options.simulatorUrl,
  folder: options.folder,
  linksUrl: options.linksUrl,
  key: Buffer.from(options.key, 'base64'),
  shift: () => Number(readFileSync(options.shiftFile, 'utf8')),
  onBug: (error) => console.error(error),
});
await worker.start();
console.log('ready');
