/**
 * Runs the complete conformance suite on all connectors and prints a table of the results.
 *   npm run conformance [-- --quick] [-- NAME ...]
 * Names select platforms. --quick runs the share of the cases that `npm test` draws. Exits 0 only if all cases pass.
 */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONNECTORS = join(ROOT, 'packages/server/src/connectors');
const TESTS = 'packages/server/test/conformance';

const quick = process.argv.includes('--quick');
const names = process.argv.slice(2).filter((argument) => argument !== '--quick');
const known = readdirSync(CONNECTORS).filter((name) => existsSync(join(CONNECTORS, name, 'index.ts')));
const unknown = names.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no platform ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  process.exit(2);
}

const files = names.length > 0 ? [`${TESTS}/connectors.test.ts`, `${TESTS}/killed.test.ts`] : [TESTS];
const reporters = ['--reporter=dot', '--reporter=./scripts/conformance-reporter.ts'];
const runner = spawn(process.execPath, [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...files, ...reporters], {
  cwd: ROOT,
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(quick ? {} : { REELAY_TEST_FULL: '1' }),
    ...(names.length > 0 ? { REELAY_TEST_PLATFORMS: names.join(',') } : {}),
  },
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => runner.kill(signal));
runner.on('exit', (status) => process.exit(status ?? 1));
