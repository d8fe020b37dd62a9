import type { Environment } from '@reelay/server/config/env.ts';
import type { Command } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { addLocalCommands } from './local/commands.ts';
import { addRemoteCommands } from './remote/commands.ts';

/** Adds every command. @param read reads the environment, when a command that needs it runs */
export function createProgram(program: Command, read: () => Environment): Command {
  program
    .name('reelay')
    .description('Posts one short vertical video everywhere at once, exactly once.')
    .version(packageJson.version)
    .showSuggestionAfterError()
    .allowExcessArguments(false);
  addLocalCommands(program, read);
  addRemoteCommands(program, () => {
    const { remote, PORT } = read();
    return { url: remote.url ?? `http://localhost:${PORT ?? 3000}`, apiKey: remote.apiKey };
  });
  return program;
}
