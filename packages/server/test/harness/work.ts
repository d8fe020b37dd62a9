/** Counts the work that something causes in this process: statements, rows, characters and calls, not time. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import pg from 'pg';
import { expect, vi } from 'vitest';
import type { TestDatabase } from './database.ts';
import { type Plan, rowsRead } from './plan.ts';
import type { Client } from './service.ts';

export interface Work {
  /** Statements that were sent to the database. */
  statements: number;
  /** Rows that the database returned. */
  rows: number;
  /** Rows of tables that the database read for it, after `explainStatements`. */
  read: number;
  /** Characters that text functions went through or produced, in UTF-16 units. */
  characters: number;
  /** Requests of node:http and node:https, such as calls to platforms. */
  calls: number;
}

type Method = (this: unknown, ...values: unknown[]) => unknown;

/** What a call of a function costs. */
interface Counted {
  owner: object;
  name: PropertyKey;
  cost(call: { self: unknown; values: readonly unknown[]; result: unknown }): number;
}

const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0);

const WALKS = ['normalize', 'replace', 'replaceAll', 'match', 'matchAll', 'split', 'toLowerCase', 'toUpperCase'];

/** Functions that go through a text or produce one. `test` and `exec` of regular expressions are not counted. */
const TEXT_FUNCTIONS: readonly Counted[] = [
  { owner: Intl.Segmenter.prototype, name: 'segment', cost: ({ values }) => lengthOf(values[0]) },
  { owner: Array.prototype, name: 'join', cost: ({ result }) => lengthOf(result) },
  ...[...WALKS, Symbol.iterator].map((name) => ({
    owner: String.prototype,
    name,
    cost: ({ self }: { self: unknown }) => lengthOf(self),
  })),
  ...['charCodeAt', 'codePointAt'].map((name) => ({ owner: String.prototype, name, cost: () => 1 })),
];

/**
 * Settings with which a database explains each statement of a connection in a notice, with those of triggers and functions.
 * Small tables are read like large ones: by indexes where there are some, and without reading a whole table for a join.
 */
const EXPLAINED: Readonly<Record<string, string>> = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
  enable_seqscan: 'off',
  enable_mergejoin: 'off',
  enable_hashjoin: 'off',
};

/** The version that the service brings. */
const EXPLAINING_VERSION = 180_000;

/**
 * Lets the database say what each statement reads. Older versions do not: they would explain each call of the test clock,
 * and their plans differ.
 * @param client of a service that uses the database
 */
export async function explainStatements(db: TestDatabase, client: Client): Promise<void> {
  const [server] = await db.query<{ version: number }>(
    `select current_setting('server_version_num')::integer as version`,
  );
  if ((server?.version ?? 0) < EXPLAINING_VERSION) return;
  await db.execute('analyze');
  await db.configure(EXPLAINED);
  await vi.waitFor(async () => expect((await client.get('//health/ready')).status).toBe(200), 10_000);
}

const NOTICES: Counted = {
  owner: pg.Client.prototype,
  name: 'emit',
  cost: ({ values: [event, notice] }) =>
    event === 'notice' ? readIn(String((notice as { message?: unknown }).message)) : 0,
};

/** @param notice of the database */
function readIn(notice: string): number {
  const [, plan] = /^duration: .*? plan:\n(.*)$/s.exec(notice) ?? [];
  return plan === undefined ? 0 : rowsRead((JSON.parse(plan) as { Plan: Plan }).Plan);
}

/** Runs something while its work is counted. Nothing else may run in this process. */
export async function countWork<T>(run: () => Promise<T>): Promise<{ result: T; work: Work }> {
  const work: Work = { statements: 0, rows: 0, read: 0, characters: 0, calls: 0 };
  const restore = [
    ...TEXT_FUNCTIONS.map((each) => wrap(each, (cost) => (work.characters += cost))),
    wrap({ owner: pg.Query.prototype, name: 'submit', cost: () => 1 }, (cost) => (work.statements += cost)),
    wrap({ owner: pg.Query.prototype, name: 'handleDataRow', cost: () => 1 }, (cost) => (work.rows += cost)),
    wrap(NOTICES, (cost) => (work.read += cost)),
  ];
  const onCall = () => void work.calls++;
  subscribe('http.client.request.start', onCall);
  try {
    return { result: await run(), work };
  } finally {
    unsubscribe('http.client.request.start', onCall);
    for (const each of restore) each();
  }
}

/** Adds up what calls of a function cost. @returns what restores the function */
function wrap({ owner, name, cost }: Counted, add: (cost: number) => void): () => void {
  const holder = owner as Record<PropertyKey, Method>;
  const original = holder[name];
  if (!original) throw new Error(`There is no function ${String(name)}.`);
  holder[name] = function (...values) {
    const result = original.apply(this, values);
    add(cost({ self: this, values, result }));
    return result;
  };
  return () => {
    holder[name] = original;
  };
}
