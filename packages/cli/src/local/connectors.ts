import type { Connector } from '@reelay/server/connectors/contract.ts';
import { loadConnector } from '@reelay/server/connectors/loaders.ts';

/** The connector of one platform; all of them where there is none of that name, for the sentence that says so. */
export async function connectorsFor(platform: string): Promise<Readonly<Record<string, Connector>>> {
  const load = Object.hasOwn(loadConnector, platform) ? loadConnector[platform] : undefined;
  if (load) return { [platform]: await load() };
  return (await import('@reelay/server/connectors/registry.ts')).connectors;
}
