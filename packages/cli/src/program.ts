import type { Environment } from '@reelay/server/config/env.ts';
import type { Command } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { addLocalCommands } from './local/commands.ts';
import { addRemoteCommands, type Remote } from './remote/commands.ts';

/**
 * Adds every command.
 * @param read reads the environment when a command needs it: the whole environment, or only where the service is
 */
export function createProgram(
  program: Command,
  read: { environment(): Promise<Environment>; remote(): Remote },
): Command {
  program
    .name('reelay')
    .description('Posts one short vertical video everywhere at once, exactly once.')
    .version(packageJson.version)
    .showSuggestionAfterError()
    .allowExcessArguments(false);
  addLocalCommands(program, () => read.environment());
  addRemoteCommands(program, () => read.remote());
  return program;
}
