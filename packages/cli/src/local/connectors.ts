import type { Connector } from '@reelay/server/connectors/contract.ts';
import { loadConnector } from '@reelay/server/connectors/loaders.ts';

/** Returns the connector of one platform. For an unknown name it returns all, because the error message lists them. */
export async function connectorsFor(platform: string): Promise<Readonly<Record<string, Connector>>> {
  const load = Object.hasOwn(loadConnector, platform) ? loadConnector[platform] : undefined;
  if (load) return { [platform]: await load() };
  return (await import('@reelay/server/connectors/registry.ts')).connectors;
}
