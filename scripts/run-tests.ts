/** Runs a test runner and ends this process with the line that every test run ends with. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Count, lineOf } from './reporter.ts';

/** Prints "N passed, N failed" (", N skipped"), and exits with 0 only if something ran and nothing failed. */
export function end({ passed = 0, failed = 0, skipped = 0 }: Partial<Count>): never {
  console.log(`\n${lineOf({ passed, failed, skipped })}`);
  process.exit(passed > 0 && failed === 0 ? 0 : 1);
}

/** Runs `vitest run`. @param root folder of the repository @param args further arguments */
export function countVitest(root: string, args: readonly string[], env = process.env): Promise<Partial<Count>> {
  return countRunner(root, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args], env);
}

/**
 * Runs a program whose reporter sends a count to its parent process, and returns the count.
 * @param root folder of the repository @param args the program and its arguments
 */
export function countRunner(root: string, args: readonly string[], env = process.env): Promise<Partial<Count>> {
  const runner = spawn(process.execPath, [...args], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env,
  });
  let count: Count | null = null;
  runner.on('message', (message) => {
    count = message as Count;
  });
  const kill = (signal: NodeJS.Signals) => runner.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, kill);
  return new Promise((resolve) => {
    runner.on('exit', (status) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, kill);
      // A runner that crashed before it could count has failed. So has one that reports failure without a failed test.
      const crashed = count === null || (status !== 0 && count.failed === 0);
      resolve({ ...count, ...(crashed ? { failed: 1 } : {}) });
    });
  });
}
