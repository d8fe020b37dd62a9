/** What a request may cost at most. */
import { expect } from 'vitest';
import type { Work } from './work.ts';

/**
 * Statements, rows returned, rows read from tables, thousand characters, and kB of the response (null: streamed); calls if
 * there are any. What is read depends on plans, so that its bounds are half as much again as was measured.
 */
export type Bound = [
  statements: number,
  rows: number,
  read: number,
  characters: number,
  response: number | null,
  calls?: number,
];

/** Fails if a request cost more than its bound. @param bytes of its response */
export function expectWithin(
  [statements, rows, read, characters, response, calls = 0]: Bound,
  work: Work,
  bytes: number,
) {
  const cost = { ...work, bytes: response === null ? 0 : bytes };
  const most = { statements, rows, read, characters: characters * 1_000, bytes: (response ?? 0) * 1_000, calls };
  const exceeded = Object.keys(most).filter(
    (name) => cost[name as keyof typeof most] > most[name as keyof typeof most],
  );
  expect({ exceeded, cost }).toEqual({ exceeded: [], cost });
}
