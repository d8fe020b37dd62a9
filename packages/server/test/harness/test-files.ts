/** The test files and what they import, so that a run can take those that use the database or draw cases. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const TOP = fileURLToPath(new URL('../../../../', import.meta.url));
/** Imports and exports in the formatter's style, also dynamic ones. Type imports are erased, so they do not count. */
const IMPORT = /^(?:import|export)(?! type\b)[^;'"]*?\bfrom '(\.[^']+)'|\bimport\(?\s?'(\.[^']+)'/gm;

/** The only module that creates test databases. */
export const DATABASE_HARNESS = 'packages/server/test/harness/database.ts';
/** The only module that draws cases. */
export const DRAW_HARNESS = 'packages/server/test/harness/draw.ts';

/** Paths of all test files except browser tests, relative to the top of the repository, sorted. */
export function testFiles(): string[] {
  return globSync(['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.{ts,tsx}'], { cwd: TOP }).sort();
}

/** Returns a function that tells whether a file imports another one, directly or through others. Paths as above. */
export function createImportSearch(): (file: string, other: string) => boolean {
  const imports = new Map<string, readonly string[]>();
  const importsOf = (file: string) => {
    const known = imports.get(file) ?? (existsSync(join(TOP, file)) ? readImports(file) : []);
    imports.set(file, known);
    return known;
  };
  return (file, other) => {
    const seen = new Set([file]);
    // The set grows while it is read.
    for (const each of seen) {
      if (each === other) return true;
      for (const path of importsOf(each)) seen.add(path);
    }
    return false;
  };
}

function readImports(file: string): string[] {
  const text = readFileSync(join(TOP, file), 'utf8');
  return Array.from(text.matchAll(IMPORT), ([, path, alone = '']) => normalize(join(dirname(file), path ?? alone)));
}
