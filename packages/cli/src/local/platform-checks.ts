/** Whether accounts of each platform can be connected: by which application, and coming back to which address. */
import type { Config } from '@reelay/server/config/config.ts';
import type { Connector } from '@reelay/server/connectors/contract.ts';
import type { Queryable } from '@reelay/server/db/database.ts';
import type { Finding } from './checks.ts';

export interface PlatformNeeds {
  config: Pick<Config, 'apps' | 'publicUrl'>;
  db: Queryable;
  connectors: Readonly<Record<string, Connector>>;
}

/** One finding for each platform. A platform that nobody set up and nobody uses is only worth a note. */
export async function platformFindings({ config, db, connectors }: PlatformNeeds): Promise<Finding[]> {
  const rows = await db.query<{ platform: string; count: number }>(
    `select platform, count(*) as count from account where status = 'CONNECTED' and not sandbox group by platform`,
  );
  const accounts = new Map(rows.map(({ platform, count }) => [platform, count]));
  return Object.values(connectors).map((connector) => findingOf(connector, config, accounts.get(connector.id) ?? 0));
}

/** Pure. @param accounts how many real ones are connected */
export function findingOf(
  { id, name, oauth }: Pick<Connector, 'id' | 'name' | 'oauth'>,
  { apps, publicUrl }: PlatformNeeds['config'],
  accounts: number,
): Finding {
  if (!oauth) return { verdict: 'ok', text: `${name}: connected by a login, no application needed` };
  const redirect = `redirect address ${publicUrl}/oauth/${id}/callback`;
  if (!oauth.needsApp) return { verdict: 'ok', text: `${name}: no application needed, ${redirect}` };
  const prefix = oauth.appName ?? id;
  const { id: clientId, secret } = apps[prefix] ?? {};
  const variables = `${prefix.toUpperCase()}_…`;
  if (clientId && secret) return { verdict: 'ok', text: `${name}: application set (${variables}), ${redirect}` };
  if (clientId || secret) {
    const missing = clientId ? 'secret' : 'id';
    return { verdict: 'fail', text: `${name}: of the application only the ${missing} is missing (${variables})` };
  }
  if (accounts > 0)
    return { verdict: 'fail', text: `${name}: ${accounts} connected, but no application is set (${variables})` };
  return { verdict: 'note', text: `${name}: no application is set (${variables}); ${redirect}` };
}
