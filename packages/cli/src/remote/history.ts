import type { NodeClient } from '@reelay/sdk/node';
import { TEXT } from '../messages.ts';
import { json, line, note, table } from '../output.ts';
import { minutes, short, stateOf } from './columns.ts';

const PAGE_SIZE = 10;

export async function history(client: NodeClient, options: { page?: number; json?: boolean }): Promise<void> {
  const { data, total } = await client.posts.history(options.page);
  if (options.json) return json({ data, total });
  const rows = data.map(({ id, date, result, description }) => [
    id,
    minutes(date),
    result.map((each) => `${each.platform} ${each.message ?? stateOf(each)}`).join(', '),
    short(description),
  ]);
  for (const row of table(['ID', 'DATE (UTC)', 'RESULT', 'DESCRIPTION'], rows)) line(row);
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  if (pages > 1) note(TEXT.historyPage(options.page ?? 1, pages, total));
}
