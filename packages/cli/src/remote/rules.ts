import type { Rule, RuleActivity, RuleOptions, RulePreview } from '@reelay/sdk';
import type { NodeClient } from '@reelay/sdk/node';
import { ERROR, TEXT } from '../messages.ts';
import { json, line, note, table } from '../output.ts';
import { local } from '../when.ts';
import { minutes, short } from './columns.ts';

export async function list(client: NodeClient, options: { json?: boolean }): Promise<void> {
  const rules = await client.rules.list();
  if (options.json) return json(rules);
  const rows = rules.map(({ id, from, to, isPaused, date }) => [
    id,
    nameOf(from),
    to.map(nameOf).join(', '),
    isPaused ? 'paused' : 'active',
    date.slice(0, 10),
  ]);
  for (const row of table(['ID', 'FROM', 'TO', 'STATE', 'SINCE'], rows)) line(row);
}

const nameOf = ({ platform, username }: { platform: string; username: string }) => `${platform} ${username}`;

interface NewRule {
  from: string;
  to: string[];
  options?: RuleOptions;
}

/** Prints only the id. Notes about the source go to standard error. */
export async function add(client: NodeClient, rule: NewRule): Promise<void> {
  const id = await client.rules.add(rule);
  line(id);
  const added = (await client.rules.list()).find((each) => each.id === id);
  if (added?.watch.text) note(added.watch.text);
}

/** @param given.keep whether posts on the source wait until the rule is resumed */
export async function pause(client: NodeClient, id: string, { keep = false }: { keep?: boolean } = {}): Promise<void> {
  await client.rules.pause(id, keep ? { between: 'keep' } : {});
  line(keep ? TEXT.rulePausedKeeping : TEXT.rulePaused);
}

export async function resume(client: NodeClient, id: string): Promise<void> {
  await client.rules.resume(id);
  line(TEXT.ruleResumed);
}

export async function remove(client: NodeClient, id: string): Promise<void> {
  await client.rules.remove(id);
  line(TEXT.ruleDeleted);
}

/** Prints a rule, its options and the state of its source. */
export async function show(client: NodeClient, id: string, options: { json?: boolean }): Promise<void> {
  const rule = (await client.rules.list()).find((each) => each.id === id);
  if (!rule) throw new Error(ERROR.ruleNotFound(id));
  if (options.json) return json(rule);
  print(rule);
}

/** Changes the given options and prints the rule. */
export async function edit(
  client: NodeClient,
  id: string,
  { options, ...output }: { options: RuleOptions; json?: boolean },
): Promise<void> {
  const rule = await client.rules.edit(id, options);
  if (output.json) return json(rule);
  print(rule);
}

function print({ id, from, to, isPaused, options, dailyLimits, watch }: Rule): void {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const rows = [
    ['id', id],
    ['from', nameOf(from)],
    ['to', to.map(nameOf).join(', ')],
    ['state', isPaused ? 'paused' : 'active'],
    ['checked', watch.checkedAt ? local(watch.checkedAt, zone) : 'never'],
    ['next check', watch.nextCheckAt ? local(watch.nextCheckAt, zone) : 'none'],
    ...(watch.readLimit === undefined
      ? []
      : [['reads today', TEXT.reads(watch.readsToday ?? 0, watch.readLimit, watch.costToday ?? 0)]]),
    ['reposts a day', TEXT.dailyLimits(dailyLimits.own, dailyLimits.foreign)],
    ...Object.entries(options).map(([name, value]) => [name, JSON.stringify(value)]),
  ];
  for (const row of table(['RULE', ''], rows)) line(row);
  if (watch.text) note(watch.text);
  if (watch.problem) note(watch.problem);
}

/** Prints a page of the activity, newest first. */
export async function activity(
  client: NodeClient,
  id: string,
  { json: isJson, ...page }: { cursor?: string; limit?: number; json?: boolean },
): Promise<void> {
  const { data, next, watch } = await client.rules.activity(id, page);
  if (isJson) return json({ data, next, watch });
  for (const row of table(['ITEM', 'SEEN (UTC)', 'STATUS', 'CAPTION', 'WHAT HAPPENED'], data.map(activityRow)))
    line(row);
  if (watch.problem) note(watch.problem);
  if (next) note(TEXT.nextPage(next));
}

function activityRow({ id, seenAt, status, caption, text }: RuleActivity): string[] {
  return [id, minutes(seenAt), status, short(caption), text];
}

export async function repost(client: NodeClient, id: string, itemId: string): Promise<void> {
  line((await client.rules.repost(id, itemId)).text);
}

/** Prints what a rule would do: an existing one, or one from `from` to `to`. */
export async function preview(
  client: NodeClient,
  id: string | undefined,
  { json: isJson, from, to, ...changed }: Partial<NewRule> & { text?: string; json?: boolean },
): Promise<void> {
  if (id === undefined ? !from || !to : from || to) throw new Error(ERROR.ruleOrAccounts);
  const result = id
    ? await client.rules.preview(id, changed)
    : await client.rules.previewNew({ from: from ?? '', to: to ?? [], ...changed });
  if (isJson) return json(result);
  printPreview(result);
}

function printPreview({ warnings, items, captions }: RulePreview): void {
  for (const { text } of warnings) note(TEXT.warning(text));
  const rows = items.map(({ publishedAt, status, caption, text }) => [
    publishedAt ? minutes(publishedAt) : '',
    status,
    short(caption),
    text,
  ]);
  for (const row of table(['PUBLISHED (UTC)', 'OUTCOME', 'CAPTION', 'WHY'], rows)) line(row);
  line('');
  const counts = captions.map(({ platformId, count, limit, problem }) => [
    platformId,
    `${count}/${limit}`,
    problem ?? '',
  ]);
  for (const row of table(['DESTINATION', 'CAPTION', 'PROBLEM'], counts)) line(row);
}
