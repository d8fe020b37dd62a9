/**
 * The conformance table: one row per connector, one column per kind of case, and the reasons for anything but a plain
 * count.
 */
import type { CaseKind, ReportedCase } from '../packages/server/test/suites/reported-cases.ts';

/** The outcome of one case. */
export interface Outcome {
  told: ReportedCase;
  name: string;
  state: 'passed' | 'failed' | 'skipped' | 'pending';
  /** The error of a failed case. */
  error?: string;
}

type Paint = (color: 'green' | 'red' | 'dim', text: string) => string;

/** Column headers, and why a column may be empty. */
const COLUMNS: Record<CaseKind, { head: string; is: string; emptyBecause: string }> = {
  moments: {
    head: 'cut off',
    is: 'every request, the worker cut off at three moments',
    emptyBecause: 'none was drawn',
  },
  faults: { head: 'faults', is: 'every request, each fault there is', emptyBecause: 'none was drawn' },
  answers: {
    head: 'answers',
    is: 'every request, each answer that is listed as a no, given by a platform that acted or not',
    emptyBecause: 'no answer is listed by its status alone',
  },
  parts: {
    head: 'in parts',
    is: 'a video of 21 MB, every request at three moments',
    emptyBecause: 'none was drawn, or a video of 21 MB takes no more requests',
  },
  texts: { head: 'twins', is: 'two posts of the same text, cut off at every request', emptyBecause: 'none was drawn' },
  variants: {
    head: 'variants',
    is: 'every other way that its simulator can be, every request at three moments',
    emptyBecause: 'none was drawn, or its simulator knows one way to be',
  },
  clocks: {
    head: 'clocks',
    is: 'a platform clock that differs from ours by 4 to 20 minutes, or two workers whose clocks differ by 22',
    emptyBecause: 'none was drawn',
  },
  killed: {
    head: 'killed',
    is: 'every request, a process killed at three moments',
    emptyBecause: 'none was drawn',
  },
  frozen: {
    head: 'frozen',
    is: 'every request, a process frozen at two moments and continued',
    emptyBecause: 'none was drawn',
  },
  held: { head: 'held', is: 'a process frozen just before it sends', emptyBecause: 'none was drawn' },
};
const KINDS = Object.keys(COLUMNS) as CaseKind[];

const ENDS: Record<NonNullable<ReportedCase['end']>, string> = {
  unknown: 'ended as unknown and said so, without a second send: no look could tell',
  lie: 'came twice, after an answer that by the documentation proves that nothing was posted',
};

/**
 * Returns the lines of the table and the reasons.
 * @param paint colors a text
 */
export function tableOf(outcomes: readonly Outcome[], paint: Paint): string[] {
  const platforms = [...new Set(outcomes.map(({ told }) => told.platform))].sort((a, b) => a.localeCompare(b));
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
  const legend = KINDS.map((kind) => `  ${COLUMNS[kind].head.padEnd(9)}${COLUMNS[kind].is}`);
  return [
    head,
    ...rows,
    '',
    'Each number counts cases that ended as they must: posted once, or not and said so.',
    ...legend,
    '',
    ...platforms.flatMap((platform) => reasonsOf(platform, outcomes, paint)),
  ];
}

const ofKind = (outcomes: readonly Outcome[], platform: string, kind: CaseKind) =>
  outcomes.filter(({ told }) => told.platform === platform && told.kind === kind);

function cellOf(cases: readonly Outcome[]): { text: string; color: 'green' | 'red' | 'dim' } {
  const passed = cases.filter(({ state }) => state === 'passed').length;
  if (cases.length === 0) return { text: '–', color: 'dim' };
  if (passed === cases.length) return { text: String(passed), color: 'green' };
  return { text: `${passed}/${cases.length}`, color: 'red' };
}

/** Explains a connector's numbers. */
function reasonsOf(platform: string, outcomes: readonly Outcome[], paint: Paint): string[] {
  const said = KINDS.flatMap((kind) => {
    const { head, emptyBecause } = COLUMNS[kind];
    const cases = ofKind(outcomes, platform, kind);
    if (cases.length === 0) return [`  ${head}: ${emptyBecause}`];
    const ends = (['unknown', 'lie'] as const).flatMap((end) => {
      const count = cases.filter(({ told, state }) => state === 'passed' && told.end === end).length;
      return count > 0 ? [`  ${head}: ${count} of ${cases.length} ${ENDS[end]}`] : [];
    });
    const lost = cases
      .filter(({ state }) => state !== 'passed')
      .map(({ name, state, error }) => paint('red', `  ${head}: ${name}: ${error ?? state}`));
    return [...ends, ...lost];
  });
  return said.length > 0 ? [platform, ...said] : [];
}
