/** What each case of the common suite tells those who count: beside its test, for the table of `npm run conformance`. */
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

export interface ToldCase {
  platform: string;
  kind: CaseKind;
  /**
   * Where the end was not simply "posted once": it is said to be unknown whether it is there (`unknown`), or it is there
   * twice, after an answer that by the platform's own documentation proves that it is not (`lie`).
   */
  end?: 'unknown' | 'lie';
}

declare module 'vitest' {
  interface TaskMeta {
    conformance?: ToldCase;
  }
}

/** For the options of a test. */
export function told(platform: string, kind: CaseKind): { meta: Partial<TaskMeta> } {
  return { meta: { conformance: { platform, kind } } };
}

/** Adds to what a test tells how its case has ended. */
export function tellEnd(meta: TaskMeta, result: { code: string | null; published: number }): void {
  if (!meta.conformance) return;
  if (result.published > 1) meta.conformance = { ...meta.conformance, end: 'lie' };
  else if (result.code === 'outcome_unknown') meta.conformance = { ...meta.conformance, end: 'unknown' };
}
