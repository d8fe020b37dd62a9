/**
 * Runs the type check and the tests; further arguments are passed on to Vitest.
 *   npm test [-- FILE ...]            on the embedded PostgreSQL
 *   npm run test:postgres [-- ...]    on the server of TEST_DATABASE_URL
 * The last line is always "N passed, N failed" (", N skipped"). Exits 0 only if something ran and nothing failed. Types
 * are checked first, because a test may pass despite a type error.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { end, runVitest } from './run-vitest.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MODULES = join(ROOT, 'node_modules');

const onServer = process.argv.includes('--on-server');
const rest = process.argv.slice(2).filter((argument) => argument !== '--on-server');
if (onServer && !process.env.TEST_DATABASE_URL) {
  console.error(
    'Set TEST_DATABASE_URL to a PostgreSQL server on which databases may be made: postgres://user:password@host/postgres',
  );
  end({ failed: 1 });
}

// A server that is set for `test:postgres` has other limits, and another clock if the tests run with a shifted one.
if (!onServer) delete process.env.TEST_DATABASE_URL;

const types = spawnSync(
  join(MODULES, '.bin', 'tsc'),
  // A full check takes 14 s of CPU time, an incremental one 2 s.
  ['--noEmit', '-p', '.', '--incremental', '--tsBuildInfoFile', join(MODULES, '.cache', 'types.tsbuildinfo')],
  { cwd: ROOT, stdio: 'inherit' },
);
if (types.status !== 0) {
  console.error('The types do not fit; no test was run.');
  end({ failed: 1 });
}

runVitest(ROOT, rest);
