/** Statistics and formatting of the benchmarks. */

export interface Finding {
  what: string;
  /** Formatted value with its unit. */
  figure: string;
  goal?: string;
  /** Absent if there is no goal, or if this program cannot judge it. */
  met?: boolean;
}

/** NaN for an empty list. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** @param share 0 to 1; 0.99 returns the 99th percentile */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = Math.ceil(share * sorted.length) - 1;
  return sorted[Math.min(Math.max(place, 0), sorted.length - 1)] ?? Number.NaN;
}

export const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
export const milliseconds = (ms: number) => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`;
export const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
export const ratio = (value: number) => value.toFixed(2);

/** Renders a Markdown table. */
export function table(findings: readonly Finding[]): string {
  const rows = findings.map(({ what, figure, goal, met }) => [
    what,
    figure,
    goal ?? '',
    met === undefined ? '' : met ? 'yes' : 'NO',
  ]);
  const all = [['measured', 'figure', 'goal', 'met'], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [line(all[0] ?? []), rule, ...rows.map(line)].join('\n');
}

/** Prints a progress line with the time. */
export function say(text: string): void {
  console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
}
