/**
 * Drives the simulators with the client libraries of the platforms' users and prints a table of the calls. Also posts with
 * the HTTP clients that people use.
 *   npm run clients [-- NAME ...] [-- --write]
 * Names select platforms. Without names, the table in docs/platforms/README.md must be current; --write updates it.
 * Exits 0 only if every call worked or has a printed reason.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const write = process.argv.includes('--write');
const names = process.argv.slice(2).filter((argument) => argument !== '--write');

function run(program, ...args) {
  const env = {
    ...process.env,
    REELAY_CLIENTS: '1',
    ...(names.length > 0 ? { REELAY_TEST_PLATFORMS: names.join(',') } : {}),
    ...(write ? { REELAY_CLIENTS_WRITE: '1' } : {}),
  };
  const { status } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}

run(process.execPath, 'test-support/clients/install.mjs');
run(join(ROOT, 'node_modules/.bin/tsc'), '--noEmit', '-p', 'test-support/clients');
const reporters = ['--reporter=dot', '--reporter=./scripts/clients-reporter.ts'];
const FOLDER = 'packages/server/test/real';
const tests = ['clients.apart', ...(names.length > 0 ? [] : ['senders'])].map((name) => `${FOLDER}/${name}.test.ts`);
run(process.execPath, 'node_modules/vitest/vitest.mjs', 'run', ...tests, ...reporters);
