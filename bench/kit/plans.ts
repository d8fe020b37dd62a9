/** Checks with EXPLAIN which tables the statements of a function read as a whole. */
import type { Database, Queryable } from '../../packages/server/src/db/database.ts';

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: Node[];
}

export interface Explained {
  /** Runs every statement after its EXPLAIN. */
  db: Database;
  /** Tables that were read without an index. */
  scanned: Set<string>;
  /** Indexes that were used. */
  indexes: Set<string>;
}

/** Wraps a database. Timings through it include the planning of every EXPLAIN. */
export function explaining(db: Database): Explained {
  const scanned = new Set<string>();
  const indexes = new Set<string>();
  const note = (node: Node) => {
    if (node['Node Type'] === 'Seq Scan') scanned.add(node['Relation Name'] ?? '');
    if (node['Index Name']) indexes.add(node['Index Name']);
    for (const each of node.Plans ?? []) note(each);
  };
  const explain = async (on: Queryable, text: string, values: readonly unknown[]) => {
    if (!/^\s*(?:with|select|insert|update|delete)\b/.test(text)) return;
    const [row] = await on.query<{ 'QUERY PLAN': { Plan: Node }[] }>(`explain (format json) ${text}`, values);
    for (const { Plan } of row?.['QUERY PLAN'] ?? []) note(Plan);
  };
  const over = <T extends Queryable>(on: T): T => ({
    ...on,
    async query(text: string, values: readonly unknown[] = []) {
      await explain(on, text, values);
      return on.query(text, values);
    },
    async execute(text: string, values: readonly unknown[] = []) {
      await explain(on, text, values);
      return on.execute(text, values);
    },
  });
  return { db: { ...over(db), transaction: (work) => db.transaction((tx) => work(over(tx))) }, scanned, indexes };
}
