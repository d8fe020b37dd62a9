/**
 * Runs the type check and the tests; further arguments are passed on to Vitest.
 *   npm test [-- FILE ...]            on the embedded PostgreSQL
 *   npm run test:postgres [-- ...]    on the server of TEST_DATABASE_URL: the tests that use the database
 * Types are checked first, because a test may pass despite a type error; --no-types leaves that out. The last line is
 * always "N passed, N failed" (", N skipped"). Exits 0 only if something ran and nothing failed.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { countVitest, end } from './run-tests.ts';
import { typeCheck } from './type-check.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const onServer = process.argv.includes('--on-server');
const checksTypes = !process.argv.includes('--no-types');
const rest = process.argv.slice(2).filter((argument) => !['--on-server', '--no-types'].includes(argument));
if (onServer && !process.env.TEST_DATABASE_URL) {
  console.error(
    'Set TEST_DATABASE_URL to a PostgreSQL server on which databases may be made: postgres://user:password@host/postgres',
  );
  end({ failed: 1 });
}

// A server that is set for `test:postgres` has other limits, and another clock if the tests run with a shifted one.
if (!onServer) delete process.env.TEST_DATABASE_URL;

if (checksTypes && !typesFit()) {
  console.error('Type check failed; no tests were run.');
  end({ failed: 1 });
}
end(await countVitest(ROOT, rest));

function typesFit() {
  const [program, ...args] = typeCheck(ROOT);
  return spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' }).status === 0;
}
