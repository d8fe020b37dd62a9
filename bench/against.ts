/** Compares versions of Reelay in one run, because machines differ from hour to hour. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { comparison } from './kit/comparison.ts';
import { say } from './kit/figures.ts';
import { withFolder } from './kit/folder.ts';
import { checkOut, type Version, WORKING_TREE } from './kit/version.ts';
import { measureOwn } from './measures/own.ts';
import { measureVersions } from './measures/versions.ts';

/**
 * Prints a table of the commits and the working tree.
 * @param commits hashes or tags; the first one is what the others are compared with
 * @param options.names benchmarks of the versions themselves; none: start, memory and uploads
 */
export async function against(
  commits: readonly string[],
  { names, rounds }: { names: readonly string[]; rounds: number },
): Promise<void> {
  await withFolder(async (folder) => {
    const versions: Version[] = [];
    for (const commit of commits) {
      say(`installing ${commit}`);
      versions.push(await checkOut(commit, await mkdtemp(join(folder, 'commit-'))));
    }
    versions.push(WORKING_TREE);
    const results =
      names.length > 0
        ? await measureOwn(versions, names, rounds)
        : await measureVersions(versions, { folder, rounds });
    console.log(`\n${comparison(results)}`);
  });
}
