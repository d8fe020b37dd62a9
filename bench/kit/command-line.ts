import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { basics, ROOT, startCommand } from './service.ts';

const run = promisify(execFile);

/**
 * Runs the command line next to a service on the same folder.
 * @param root folder of the version of Reelay
 * @returns the last line of its standard output
 */
export function commandLine(folder: string, root = ROOT): (...args: string[]) => Promise<string> {
  const { program, env } = startCommand(root);
  return async (...args) => {
    const { stdout } = await run(program, [join(root, 'packages/cli/src/main.ts'), ...args], {
      env: { ...basics(), ...env, DATA_DIR: join(folder, 'data') },
    });
    return stdout.trim().split('\n').at(-1) ?? '';
  };
}
