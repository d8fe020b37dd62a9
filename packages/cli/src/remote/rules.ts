import type { NodeClient } from '@reelay/sdk/node';
import { TEXT } from '../messages.ts';
import { json, line, table } from '../output.ts';

export async function list(client: NodeClient, options: { json?: boolean }): Promise<void> {
  const rules = await client.rules.list();
  if (options.json) return json(rules);
  const rows = rules.map(({ id, from, to, isPaused, date }) => [
    id,
    `${from.platform} ${from.username}`,
    to.map(({ platform, username }) => `${platform} ${username}`).join(', '),
    isPaused ? 'paused' : 'active',
    date.slice(0, 10),
  ]);
  for (const row of table(['ID', 'FROM', 'TO', 'STATE', 'SINCE'], rows)) line(row);
}

/** Prints only the id. */
export async function add(client: NodeClient, rule: { from: string; to: string[] }): Promise<void> {
  line(await client.rules.add(rule));
}

export async function pause(client: NodeClient, id: string): Promise<void> {
  await client.rules.pause(id);
  line(TEXT.rulePaused);
}

export async function resume(client: NodeClient, id: string): Promise<void> {
  await client.rules.resume(id);
  line(TEXT.ruleResumed);
}

export async function remove(client: NodeClient, id: string): Promise<void> {
  await client.rules.remove(id);
  line(TEXT.ruleDeleted);
}
