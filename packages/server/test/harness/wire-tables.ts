import { existsSync } from 'node:fs';
import type { WireTable } from '../wire/table.ts';

/**
 * Finds a platform's wire table by its id: in `test/wire`, or as `wire.ts` in a separate folder next to the conformance
 * suite.
 * @throws Error if there is no table
 */
export async function tableOf(platform: string): Promise<WireTable> {
  const isThere = (path: string) => existsSync(new URL(path, import.meta.url));
  if (isThere(`../wire/${platform}.ts`)) return tableIn(await import(`../wire/${platform}.ts`), platform);
  if (isThere(`../conformance/${platform}/wire.ts`))
    return tableIn(await import(`../conformance/${platform}/wire.ts`), platform);
  throw new Error(
    `Nobody says which requests "${platform}" knows: packages/server/test/wire/${platform}.ts is missing.`,
  );
}

function tableIn(module: { table?: WireTable }, platform: string): WireTable {
  if (!module.table) throw new Error(`The file of "${platform}" exports no table.`);
  return module.table;
}
