/** Remote commands: they talk to a service over HTTP. They use the SDK and no server code. */
import type { NodeClient } from '@reelay/sdk/node';
import { type Command, Option } from 'commander';
import { ERROR } from '../messages.ts';
import { FITS, listOf, machine, numberOf, trimOf } from './arguments.ts';
import { addRules } from './rule-commands.ts';

/** URL and API key of the service. */
export interface Remote {
  url: string;
  apiKey: string | undefined;
}

/** @param read returns the service's settings from the environment */
export function addRemoteCommands(program: Command, read: () => Remote): void {
  const client = () => clientOf(read());
  withPost(program.command('post').description('post a video now or at a scheduled time'))
    .option('--wait', 'wait for the outcome on every account; exits 1 if any failed')
    .addOption(machine())
    .action(async (file, options) => (await import('./post.ts')).post(await client(), file, options));
  withPost(
    program.command('check').description('check a post without posting it; exits 1 if any account would reject it'),
  )
    .addOption(machine())
    .action(async (file, options) => (await import('./check.ts')).check(await client(), file, options));
  program
    .command('history')
    .description('list posts, newest first')
    .option('--page <number>', 'page number, starting at 1', numberOf)
    .addOption(machine())
    .action(async (options) => (await import('./history.ts')).history(await client(), options));
  program
    .command('platforms')
    .description('list connected accounts')
    .addOption(machine())
    .action(async (options) => (await import('./platforms.ts')).platforms(await client(), options));
  addRules(program.command('rules').description('manage rules for automatic reposts'), client);
}

/** Options shared by `post` and `check`. */
function withPost(command: Command): Command {
  return command
    .argument('[file]', 'video file')
    .option('--url <url>', 'public https URL from which the service downloads the video, instead of a file')
    .requiredOption('--to <ids>', 'account ids, separated by commas', listOf)
    .option('--description <text>', 'description of the post')
    .option(
      '--at <time>',
      'scheduled time: ISO 8601, "2026-12-01 09:00", "today 18:30", "tomorrow 9:00" or "in 2 hours"',
    )
    .option('--preview-time <seconds>', 'position of the thumbnail in the video', numberOf)
    .addOption(new Option('--fit <way>', 'convert a video of another shape to 9:16').choices(FITS))
    .option('--crop-position <part>', 'with --fit crop: what stays, from 0 (left or top) to 1; default 0.5', numberOf)
    .option('--trim <from-to>', 'post only a part, in seconds: 5-35.5, 5- or -60', trimOf)
    .option(
      '--options <json>',
      'options by platform or account: {"youtube":{"title":"…"},"telegram":{"caption":"…"}}',
      jsonOf,
    );
}

async function clientOf({ url, apiKey }: Remote): Promise<NodeClient> {
  if (!apiKey) throw new Error(ERROR.keyMissing);
  const { createClient } = await import('@reelay/sdk/node');
  return createClient({ baseUrl: url, apiKey });
}

function jsonOf(text: string): Record<string, Record<string, unknown>> {
  try {
    return JSON.parse(text) as Record<string, Record<string, unknown>>;
  } catch {
    throw new Error(ERROR.notJson(text));
  }
}
