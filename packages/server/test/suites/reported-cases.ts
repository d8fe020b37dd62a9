/** Metadata that each conformance case attaches to its test, for the table of `npm run conformance`. */
import type { TaskMeta } from 'vitest';

/** Kinds of cases, in the order of the table. */
export type CaseKind =
  | 'moments'
  | 'faults'
  | 'answers'
  | 'parts'
  | 'texts'
  | 'variants'
  | 'clocks'
  | 'killed'
  | 'frozen'
  | 'held';

export interface ReportedCase {
  platform: string;
  kind: CaseKind;
  /**
   * Set if the result is not simply "posted once". `unknown`: reported as an unknown outcome. `lie`: posted twice,
   * after a response that the platform documents as proof of no effect.
   */
  end?: 'unknown' | 'lie';
}

declare module 'vitest' {
  interface TaskMeta {
    conformance?: ReportedCase;
  }
}

/** Options of a test. */
export function reportedAs(platform: string, kind: CaseKind): { meta: Partial<TaskMeta> } {
  return { meta: { conformance: { platform, kind } } };
}

/** Adds the result of a case to its test's metadata. */
export function reportEnd(meta: TaskMeta, result: { code: string | null; published: number }): void {
  if (!meta.conformance) return;
  if (result.published > 1) meta.conformance = { ...meta.conformance, end: 'lie' };
  else if (result.code === 'outcome_unknown') meta.conformance = { ...meta.conformance, end: 'unknown' };
}
