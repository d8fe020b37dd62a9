import { readEnvironment, readRemote } from '@reelay/server/config/env.ts';
import { Command } from 'commander';
import { describeFailure, Interrupted, note } from './output.ts';
import { createProgram } from './program.ts';

// A closed pipe is not an error: the reader may want only the first lines.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  await createProgram(new Command(), { environment: readEnvironment, remote: readRemote }).parseAsync();
} catch (error) {
  note(describeFailure(error));
  process.exitCode = error instanceof Interrupted ? error.exitCode : 1;
}
