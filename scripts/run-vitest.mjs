/** Runs Vitest and ends this process with the line that every test run ends with. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** Prints "N passed, N failed" (", N skipped"), and exits with 0 only if something ran and nothing failed. */
export function end({ passed = 0, failed = 0, skipped = 0 }) {
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exit(passed > 0 && failed === 0 ? 0 : 1);
}

/**
 * Runs `vitest run` and ends with its count, which `scripts/reporter.ts` sends.
 * @param root folder of the repository @param args further arguments
 */
export function runVitest(root, args, env = process.env) {
  const runner = spawn(process.execPath, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  });
  let count = null;
  runner.on('message', (message) => {
    count = message;
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => runner.kill(signal));
  runner.on('exit', (status) => {
    // A Vitest that crashed before it could count has failed. So has one that reports failure without a failed test.
    if (count === null || (status !== 0 && count.failed === 0)) end({ ...count, failed: 1 });
    end(count);
  });
}
