/** Figures of several versions that were measured in turn, as ratios to the first one. */
import { median } from './figures.ts';

/** Results of one version, by what was measured: one value for each round. */
export type Results = ReadonlyMap<string, readonly number[]>;

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
