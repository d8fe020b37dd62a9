/** Counts the work that something causes in this process: statements, rows, characters and calls, not time. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import pg from 'pg';

export interface Work {
  /** Statements that were sent to the database. */
  statements: number;
  /** Rows that the database returned. */
  rows: number;
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
  cost(call: { self: unknown; first: unknown; result: unknown }): number;
}

const lengthOf = (value: unknown) => (typeof value === 'string' ? value.length : 0);

const WALKS = ['normalize', 'replace', 'replaceAll', 'match', 'matchAll', 'split', 'toLowerCase', 'toUpperCase'];

/** Functions that go through a text or produce one. `test` and `exec` of regular expressions are not counted. */
const TEXT_FUNCTIONS: readonly Counted[] = [
  { owner: Intl.Segmenter.prototype, name: 'segment', cost: ({ first }) => lengthOf(first) },
  { owner: Array.prototype, name: 'join', cost: ({ result }) => lengthOf(result) },
  ...[...WALKS, Symbol.iterator].map((name) => ({
    owner: String.prototype,
    name,
    cost: ({ self }: { self: unknown }) => lengthOf(self),
  })),
  ...['charCodeAt', 'codePointAt'].map((name) => ({ owner: String.prototype, name, cost: () => 1 })),
];

/** Runs something while its work is counted. Nothing else may run in this process. */
export async function countWork<T>(run: () => Promise<T>): Promise<{ result: T; work: Work }> {
  const work: Work = { statements: 0, rows: 0, characters: 0, calls: 0 };
  const restore = [
    ...TEXT_FUNCTIONS.map((each) => wrap(each, (cost) => (work.characters += cost))),
    wrap({ owner: pg.Query.prototype, name: 'submit', cost: () => 1 }, (cost) => (work.statements += cost)),
    wrap({ owner: pg.Query.prototype, name: 'handleDataRow', cost: () => 1 }, (cost) => (work.rows += cost)),
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
    add(cost({ self: this, first: values[0], result }));
    return result;
  };
  return () => {
    holder[name] = original;
  };
}
