import type { NodeClient } from '@reelay/sdk/node';
import { json, line, table } from '../output.ts';

export async function platforms(client: NodeClient, options: { json?: boolean }): Promise<void> {
  const accounts = await client.platforms.list();
  if (options.json) return json(accounts);
  const rows = accounts.map(({ id, platform, username, displayName, status, sandbox }) => [
    id,
    platform,
    username,
    displayName,
    status,
    sandbox ? 'sandbox' : '',
  ]);
  for (const row of table(['ID', 'PLATFORM', 'USERNAME', 'NAME', 'STATUS', ''], rows)) line(row);
}
