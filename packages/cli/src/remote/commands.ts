/** Remote commands: they talk to a service over HTTP. They use the SDK and no server code. */
import type { NodeClient } from '@reelay/sdk/node';
import { type Command, Option } from 'commander';

/** URL and API key of the service. */
export interface Remote {
  url: string;
  apiKey: string | undefined;
}

const machine = () => new Option('--json', 'for machines');

/** @param read returns the service's settings from the environment */
export function addRemoteCommands(program: Command, read: () => Remote): void {
  const client = () => clientOf(read());
  withPost(program.command('post').description('post a video, now or at a time'))
    .option('--wait', 'until it is decided everywhere; exit 1 if it failed anywhere')
    .addOption(machine())
    .action(async (file, options) => (await import('./post.ts')).post(await client(), file, options));
  withPost(program.command('check').description('what would happen to a post; exit 1 if an account would not get it'))
    .addOption(machine())
    .action(async (file, options) => (await import('./check.ts')).check(await client(), file, options));
  program
    .command('history')
    .description('posts, newest first')
    .option('--page <number>', 'from 1', numberOf)
    .addOption(machine())
    .action(async (options) => (await import('./history.ts')).history(await client(), options));
  program
    .command('platforms')
    .description('connected accounts')
    .addOption(machine())
    .action(async (options) => (await import('./platforms.ts')).platforms(await client(), options));
  addRules(program.command('rules').description('automatic reposts'), client);
}

/** Options shared by `post` and `check`. */
function withPost(command: Command): Command {
  return command
    .argument('[file]', 'the video')
    .option('--url <address>', 'instead of a file: a public https address that the service fetches the video from')
    .requiredOption('--to <ids>', 'ids of accounts, separated by commas', listOf)
    .option('--description <text>', 'text of the post')
    .option('--at <time>', 'ISO 8601, "2026-12-01 09:00", "today 18:30", "tomorrow 9:00" or "in 2 hours"')
    .option('--preview-time <seconds>', 'where the thumbnail is taken', numberOf)
    .addOption(new Option('--fit <way>', 'make a 9:16 video out of another shape').choices(['pad', 'crop']))
    .option('--options <json>', 'by platform or account: {"youtube":{"title":"…"},"telegram":{"caption":"…"}}', jsonOf);
}

function addRules(rules: Command, client: () => Promise<NodeClient>): void {
  const load = () => import('./rules.ts');
  rules
    .command('list')
    .description('all rules, newest first')
    .addOption(machine())
    .action(async (options) => (await load()).list(await client(), options));
  rules
    .command('add')
    .description('repost what is posted on one account to others; prints the id of the rule alone')
    .requiredOption('--from <id>', 'id of the source')
    .requiredOption('--to <ids>', 'ids of the destinations, separated by commas', listOf)
    .action(async (options) => (await load()).add(await client(), options));
  for (const [name, description] of [
    ['pause', 'repost nothing until it is resumed'],
    ['resume', 'repost again'],
    ['delete', 'remove a rule'],
  ] as const)
    rules
      .command(name)
      .description(description)
      .argument('<id>', 'id of the rule')
      .action(async (id) => (await load())[name === 'delete' ? 'remove' : name](await client(), id));
}

async function clientOf({ url, apiKey }: Remote): Promise<NodeClient> {
  if (!apiKey)
    throw new Error('Set REELAY_API_KEY to your key. On the server: reelay keys create --user you@example.org');
  const { createClient } = await import('@reelay/sdk/node');
  return createClient({ baseUrl: url, apiKey });
}

/** Parses ids separated by commas. The option may be repeated. */
function listOf(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').map((each) => each.trim())].filter(Boolean);
}

function numberOf(text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw new Error(`"${text}" is no number.`);
  return number;
}

function jsonOf(text: string): Record<string, Record<string, unknown>> {
  try {
    return JSON.parse(text) as Record<string, Record<string, unknown>>;
  } catch {
    throw new Error(`${text} is no JSON.`);
  }
}
