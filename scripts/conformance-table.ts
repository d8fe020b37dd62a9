/**
 * The conformance table: one row per connector, one column per kind of case, and the reasons for anything but a plain
 * count.
 */
import type { CaseKind, ReportedCase } from '../packages/server/test/suites/reported-cases.ts';

/** The outcome of one case. */
export interface Outcome {
  meta: ReportedCase;
  name: string;
  state: 'passed' | 'failed' | 'skipped' | 'pending';
  /** The error of a failed case. */
  error?: string;
}

type Paint = (color: 'green' | 'red' | 'dim', text: string) => string;

/** Column headers, and why a column may be empty. */
const COLUMNS: Record<CaseKind, { head: string; legend: string; emptyBecause: string }> = {
  moments: {
    head: 'crash',
    legend: 'the worker crashes at three moments of every request',
    emptyBecause: 'none was selected',
  },
  faults: { head: 'faults', legend: 'each kind of fault at every request', emptyBecause: 'none was selected' },
  answers: {
    head: 'rejects',
    legend: 'each listed rejection at every request, with and without effect on the platform',
    emptyBecause: 'no rejection is listed by its status alone',
  },
  parts: {
    head: 'parts',
    legend: 'a video of 21 MB; the worker crashes at three moments of every request',
    emptyBecause: 'none was selected, or a video of 21 MB needs no more requests',
  },
  texts: {
    head: 'same text',
    legend: 'two posts with the same text; the worker crashes at every request',
    emptyBecause: 'none was selected',
  },
  variants: {
    head: 'variants',
    legend: 'each variant of the simulator; the worker crashes at three moments of every request',
    emptyBecause: 'none was selected, or its simulator has no variants',
  },
  clocks: {
    head: 'clocks',
    legend: 'a platform clock that differs from ours by 4 to 20 minutes, or two workers whose clocks differ by 22',
    emptyBecause: 'none was selected',
  },
  killed: {
    head: 'killed',
    legend: 'the process is killed at three moments of every request',
    emptyBecause: 'none was selected',
  },
  frozen: {
    head: 'frozen',
    legend: 'the process is frozen at two moments of every request and continued',
    emptyBecause: 'none was selected',
  },
  held: { head: 'late send', legend: 'the process is frozen just before the send', emptyBecause: 'none was selected' },
};
const KINDS = Object.keys(COLUMNS) as CaseKind[];

const ENDS: Record<NonNullable<ReportedCase['end']>, string> = {
  unknown: 'ended as outcome_unknown without a second send: verification was not possible',
  lie: 'posted twice, after a response that the platform documents as proof of no effect',
};

/**
 * Returns the lines of the table and the reasons.
 * @param paint colors a text
 */
export function tableOf(outcomes: readonly Outcome[], paint: Paint): string[] {
  const platforms = [...new Set(outcomes.map(({ meta }) => meta.platform))].sort((a, b) => a.localeCompare(b));
  const first = Math.max(9, ...platforms.map((name) => name.length));
  const widths = KINDS.map((kind) => COLUMNS[kind].head.length + 2);
  const line = (name: string, cells: readonly string[]) => name.padEnd(first) + cells.join('');
  const rows = platforms.map((platform) => {
    const cells = KINDS.map((kind, index) => {
      const cell = cellOf(ofKind(outcomes, platform, kind));
      return paint(cell.color, cell.text.padStart(widths[index] ?? 0));
    });
    return line(platform, cells);
  });
  const head = line(
    'connector',
    KINDS.map((kind, index) => COLUMNS[kind].head.padStart(widths[index] ?? 0)),
  );
  const legend = KINDS.map((kind) => `  ${COLUMNS[kind].head.padEnd(11)}${COLUMNS[kind].legend}`);
  return [
    head,
    ...rows,
    '',
    'Each number counts cases with the required end: posted once, or not posted and reported.',
    ...legend,
    '',
    ...platforms.flatMap((platform) => reasonsOf(platform, outcomes, paint)),
  ];
}

const ofKind = (outcomes: readonly Outcome[], platform: string, kind: CaseKind) =>
  outcomes.filter(({ meta }) => meta.platform === platform && meta.kind === kind);

function cellOf(cases: readonly Outcome[]): { text: string; color: 'green' | 'red' | 'dim' } {
  const passed = cases.filter(({ state }) => state === 'passed').length;
  if (cases.length === 0) return { text: '–', color: 'dim' };
  if (passed === cases.length) return { text: String(passed), color: 'green' };
  return { text: `${passed}/${cases.length}`, color: 'red' };
}

/** Explains a connector's numbers. */
function reasonsOf(platform: string, outcomes: readonly Outcome[], paint: Paint): string[] {
  const reasons = KINDS.flatMap((kind) => {
    const { head, emptyBecause } = COLUMNS[kind];
    const cases = ofKind(outcomes, platform, kind);
    if (cases.length === 0) return [`  ${head}: ${emptyBecause}`];
    const ends = (['unknown', 'lie'] as const).flatMap((end) => {
      const count = cases.filter(({ meta, state }) => state === 'passed' && meta.end === end).length;
      return count > 0 ? [`  ${head}: ${count} of ${cases.length} ${ENDS[end]}`] : [];
    });
    const lost = cases
      .filter(({ state }) => state !== 'passed')
      .map(({ name, state, error }) => paint('red', `  ${head}: ${name}: ${error ?? state}`));
    return [...ends, ...lost];
  });
  return reasons.length > 0 ? [platform, ...reasons] : [];
}
