/** Reads plans of PostgreSQL, as `explain (analyze, format json)` and auto_explain print them. */

/** A node of a plan. Rows are averages of its loops. */
export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

const TABLE_SCANS = ['Seq Scan', 'Index Scan', 'Index Only Scan', 'Bitmap Heap Scan', 'Tid Scan', 'Tid Range Scan'];

/** Rows that the scans of a plan read or discarded. @param tables that count; default: all */
export function rowsRead(plan: Plan, tables?: readonly string[]): number {
  const inner = (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each, tables), 0);
  const isCounted = tables?.includes(plan['Relation Name'] ?? '') ?? true;
  if (!isCounted || !TABLE_SCANS.includes(plan['Node Type'])) return inner;
  const each =
    (plan['Actual Rows'] ?? 0) + (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  return inner + Math.ceil(each * (plan['Actual Loops'] ?? 0));
}
