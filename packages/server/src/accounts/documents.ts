import type { JsonObject } from '../connectors/contract.ts';
import type { Platforms } from './platforms.ts';
import type { AccountsDependencies } from './types.ts';

/** Finds the public document that a platform reads from us at this path; null if not found. */
export async function publicDocument(
  { connectors, platforms }: Pick<AccountsDependencies, 'connectors'> & { platforms: Platforms },
  path: string,
): Promise<JsonObject | null> {
  for (const { id, documents } of Object.values(connectors)) {
    const found = (await documents?.(await platforms.context(id, false)))?.find((each) => each.path === path);
    if (found) return found.body;
  }
  return null;
}
