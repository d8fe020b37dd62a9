/** Runs a benchmark of each version, with that version's own programs, in turn. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { inTurn, type Results } from '../kit/comparison.ts';
import { basics } from '../kit/service.ts';
import { setUp, type Version } from '../kit/version.ts';

const run = promisify(execFile);

/** @param names benchmarks that all versions have @returns results by the names of the versions */
export async function measureOwn(
  versions: readonly Version[],
  names: readonly string[],
  rounds: number,
): Promise<Map<string, Results>> {
  for (const version of versions) await setUp(version);
  return inTurn(versions, rounds, async ({ root }) => {
    const { stdout } = await run(join(root, 'node_modules/.cache/node'), ['bench/main.ts', ...names], {
      cwd: root,
      env: basics(),
      maxBuffer: 64 * 1024 * 1024,
    });
    return figuresIn(stdout);
  });
}

/**
 * The numbers in the table that a benchmark prints. A figure with several numbers becomes several rows. Pure.
 * @param output of `npm run bench`
 */
export function figuresIn(output: string): [what: string, value: number][] {
  const rows = output.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| measured'));
  return rows.flatMap((row) => {
    const [, what = '', figure = ''] = row.split('|').map((cell) => cell.trim());
    const numbers = figure.match(/(?<![\w.])-?\d+(?:\.\d+)?/g) ?? [];
    return numbers.map((each, place): [string, number] => [
      numbers.length === 1 ? what : `${what}, number ${place + 1}`,
      Number(each),
    ]);
  });
}
