/** The `rules` commands and the options that set how a rule reposts. */
import { readFile } from 'node:fs/promises';
import type { RuleOptions } from '@reelay/sdk';
import type { NodeClient } from '@reelay/sdk/node';
import { type Command, Option } from 'commander';
import { ERROR } from '../messages.ts';
import { FITS, listOf, machine, numberOf } from './arguments.ts';

export function addRules(rules: Command, client: () => Promise<NodeClient>): void {
  const load = () => import('./rules.ts');
  rules
    .command('list')
    .description('list rules, newest first')
    .addOption(machine())
    .action(async (options) => (await load()).list(await client(), options));
  withOptions(
    rules.command('add').description('add a rule that reposts from one account to others; prints only its id'),
  )
    .requiredOption('--from <id>', 'id of the source account')
    .requiredOption('--to <ids>', 'ids of the destination accounts, separated by commas', listOf)
    .action(async ({ from, to, ...given }: Given & { from: string; to: string[] }) =>
      (await load()).add(await client(), { from, to, ...(await optionsOf(given)) }),
    );
  rules
    .command('show')
    .description('show a rule, its options and the state of its source')
    .argument('<id>', 'rule id')
    .addOption(machine())
    .action(async (id, options) => (await load()).show(await client(), id, options));
  withOptions(rules.command('options').description('change options of a rule'))
    .argument('<id>', 'rule id')
    .addOption(machine())
    .action(async (id, { json, ...given }: Given & { json?: boolean }) => {
      const options = (await optionsOf(given)).options ?? {};
      await (await load()).edit(await client(), id, { options, ...(json ? { json } : {}) });
    });
  rules
    .command('activity')
    .description('list what a rule saw and what happened, newest first')
    .argument('<id>', 'rule id')
    .option('--limit <number>', 'items per page, at most 50', numberOf)
    .option('--cursor <text>', 'where the page begins')
    .addOption(machine())
    .action(async (id, options) => (await load()).activity(await client(), id, options));
  rules
    .command('catalog')
    .description('list older posts of the source, newest first, or select those to repost')
    .argument('<id>', 'rule id')
    .argument('[items...]', 'ids of the posts to repost, instead of those selected before')
    .addOption(new Option('--all', 'select all posts that can be reposted, at most 1,000').conflicts('cursor'))
    .option('-i, --interactive', 'select posts of the page on a terminal')
    .addOption(new Option('--order <order>', 'which of the selected posts come first').choices(['oldest', 'newest']))
    .option('--per-day <number>', 'maximum of these reposts per day, at most 50', numberOf)
    .option('--cursor <text>', 'where the page begins')
    .addOption(machine())
    .action(async (id, items, options) =>
      (await import('./catalog.ts')).catalog(await client(), id, { ...options, items }),
    );
  withOptions(
    rules
      .command('preview')
      .description('show what a rule would do with the latest items of its source, without doing it'),
  )
    .argument('[id]', 'rule id; for a new rule, use --from and --to')
    .option('--from <id>', 'id of the source account')
    .option('--to <ids>', 'ids of the destination accounts, separated by commas', listOf)
    .option('--text <text>', 'caption to preview instead of the newest')
    .addOption(machine())
    .action(async (id, { from, to, text, json, ...given }: Given & PreviewGiven) => {
      const source = { ...(from ? { from } : {}), ...(to ? { to } : {}), ...(text === undefined ? {} : { text }) };
      const options = { ...source, ...(json ? { json } : {}), ...(await optionsOf(given)) };
      await (await load()).preview(await client(), id, options);
    });
  rules
    .command('repost')
    .description('repost a skipped item, or release a waiting one now')
    .argument('<id>', 'rule id')
    .argument('<item>', 'id of the item in the activity')
    .action(async (id, item) => (await load()).repost(await client(), id, item));
  rules
    .command('pause')
    .description('pause a rule')
    .argument('<id>', 'rule id')
    .option('--keep', 'posts on the source wait until the rule is resumed, instead of being skipped')
    .action(async (id, given: { keep?: boolean }) => (await load()).pause(await client(), id, given));
  for (const [name, description] of [
    ['resume', 'resume a paused rule'],
    ['delete', 'delete a rule'],
  ] as const)
    rules
      .command(name)
      .description(description)
      .argument('<id>', 'rule id')
      .action(async (id) => (await load())[name === 'delete' ? 'remove' : name](await client(), id));
}

interface PreviewGiven {
  from?: string;
  to?: string[];
  text?: string;
  json?: boolean;
}

/** Options of a rule, as given to a command. */
interface Given {
  options?: string;
  delay?: number;
  maxPerDay?: number;
  zone?: string;
  quietHours?: string;
  caption?: string;
  fit?: (typeof FITS)[number];
}

function withOptions(command: Command): Command {
  return command
    .option('--options <json>', 'options as JSON, or @FILE to read them from a file; null resets one')
    .option('--delay <minutes>', 'delay of each repost', numberOf)
    .option('--max-per-day <number>', 'maximum reposts per day', numberOf)
    .option('--zone <name>', 'time zone of the days and of the quiet hours')
    .option('--quiet-hours <from-to>', 'hours without reposts, such as 22:00-07:00')
    .option('--caption <template>', 'template of the caption, such as "{caption} via {source}"')
    .addOption(new Option('--fit <way>', 'convert videos of another shape to 9:16').choices(FITS));
}

/** Combines the JSON with the other options, which take precedence. */
async function optionsOf(given: Given): Promise<{ options?: RuleOptions }> {
  const { delay, maxPerDay, zone, quietHours, caption, fit } = given;
  const options: RuleOptions = {
    ...(given.options === undefined ? {} : await readJson(given.options)),
    ...(delay === undefined ? {} : { delayMinutes: delay }),
    ...(maxPerDay === undefined ? {} : { maxPerDay }),
    ...(zone === undefined ? {} : { zone }),
    ...(quietHours === undefined ? {} : { quietHours: hoursOf(quietHours) }),
    ...(caption === undefined ? {} : { caption: { template: caption } }),
    ...(fit === undefined ? {} : { fit }),
  };
  return Object.keys(options).length === 0 ? {} : { options };
}

async function readJson(given: string): Promise<RuleOptions> {
  const text = given.startsWith('@') ? await readFile(given.slice(1), 'utf8') : given;
  try {
    return JSON.parse(text) as RuleOptions;
  } catch {
    throw new Error(ERROR.notJson(given));
  }
}

function hoursOf(text: string): { from: string; to: string } {
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) throw new Error(ERROR.notHours(text));
  return { from, to };
}
