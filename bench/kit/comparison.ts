/** Figures of several versions that were measured in turn, as ratios to the first one. */
import { median, say } from './figures.ts';

/** Results of one version, by what was measured: one value for each round. */
export type Results = ReadonlyMap<string, readonly number[]>;

/**
 * Measures each version in each round. A version is first in half of the rounds.
 * @param measure returns figures by what was measured
 */
export async function inTurn<V extends { name: string }>(
  versions: readonly V[],
  rounds: number,
  measure: (version: V) => Promise<[what: string, value: number][]>,
): Promise<Map<string, Results>> {
  const results = new Map(versions.map(({ name }) => [name, new Map<string, number[]>()]));
  for (let round = 0; round < rounds; round++)
    for (const version of round % 2 === 0 ? versions : versions.toReversed()) {
      const measured = await measure(version);
      const own = results.get(version.name);
      for (const [what, value] of measured) own?.set(what, [...(own.get(what) ?? []), value]);
      const figures = measured.map(([what, value]) => `${what}: ${short(value)}`);
      say(`round ${round + 1}, ${version.name}: ${figures.join('; ')}`);
    }
  return results;
}

/**
 * Renders a Markdown table. A ratio is the median of the ratios of all rounds, with the smallest and the largest one.
 * @param versions by name, in the order of the columns; the first is what the others are compared with
 */
export function comparison(versions: ReadonlyMap<string, Results>): string {
  const [first, ...others] = [...versions];
  if (!first) return '';
  const [firstName, base] = first;
  const head = ['measured', firstName, ...others.flatMap(([name]) => [name, 'ratio'])];
  const rows = [...base.keys()].map((what) => {
    const before = base.get(what) ?? [];
    return [
      what,
      spread(before),
      ...others.flatMap(([, results]) => {
        const after = results.get(what) ?? [];
        const ratios = after.map((value, round) => value / (before[round] ?? Number.NaN));
        return [spread(after), spread(ratios)];
      }),
    ];
  });
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The median, with the smallest and the largest value in parentheses. */
function spread(values: readonly number[]): string {
  if (values.length === 0) return '';
  return `${short(median(values))} (${short(Math.min(...values))} to ${short(Math.max(...values))})`;
}

const short = (value: number) => Number(value.toPrecision(3)).toString();
