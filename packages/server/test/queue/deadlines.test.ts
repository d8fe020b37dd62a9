/** No job of a loop holds its row or its slot without an end. */
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { dueRows, JobTimedOut, withLease } from '../../src/queue/claim.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { addRows, declaredLoops, dropReferences, SOURCE } from './due-tables.ts';

/** Loops whose jobs may last, and why. */
const UNLIMITED: Readonly<Record<string, string>> = {
  'watching/push/streams.ts': 'a stream that lasts does its work, and leaves most slots to others',
};

interface Source {
  file: string;
  text: string;
}
const files = (await readdir(SOURCE, { recursive: true })).filter((name) => name.endsWith('.ts'));
const sources: Source[] = await Promise.all(
  files.map(async (file) => ({ file, text: await readFile(new URL(file, SOURCE), 'utf8') })),
);
const calling = (call: RegExp) =>
  sources.filter(({ file, text }) => !file.startsWith('queue/') && call.test(text)).map((source) => ({ ...source }));
const LOOPS = calling(/\bcreateDueLoop</);
const RENEWING = calling(/\b(?:with|keep)Lease\(/);
const TABLES = (await declaredLoops()).filter(({ columns }) => columns.user !== null);

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await dropReferences(db, TABLES);
});
afterAll(() => db.drop());

test('loops are found in the source', () => {
  expect(LOOPS.length).toBeGreaterThanOrEqual(12);
  expect(RENEWING.length).toBeGreaterThanOrEqual(4);
});

test.each(LOOPS)('the jobs of $file have a total time limit', ({ file, text }) => {
  const limits = [...text.matchAll(/withinMs: ([\w.]+)/g)].map(([, limit]) => limit);
  expect(limits.length).toBeGreaterThan(0);
  expect(limits.includes('Number.POSITIVE_INFINITY')).toBe(file in UNLIMITED);
});

test.each(RENEWING)('renewal in $file ends with the job’s time', ({ text }) => {
  const renewals = [...text.matchAll(/\b(?:with|keep)Lease\([^;]*?withinMs: (\w+)/g)].map(([, limit]) => limit);
  expect(renewals).toHaveLength([...text.matchAll(/\b(?:with|keep)Lease\(/g)].length);
  // The loop itself has the same limit.
  expect(new Set(renewals)).toEqual(new Set(['WITHIN_MS']));
});

test.each(TABLES)('a row of $table is free after its job’s time', async ({ table, columns }) => {
  await db.execute(`truncate ${table} cascade`);
  await addRows(db, table, 1, { user_id: 'gen_random_uuid()', due_at: 'app_now()' });
  const rows = dueRows(table, columns);
  const [claim] = await rows.claim(db, { limit: 1, leaseMs: 60_000 });
  if (!claim) throw new Error('Nothing was claimed.');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  let renewals = 0;
  const renew = async () => {
    renewals++;
    return true;
  };
  const signals: AbortSignal[] = [];
  const errors: unknown[] = [];
  const job = withLease(db, { renew }, claim, {
    leaseMs: 60_000,
    withinMs: 150_000,
    run(signal) {
      signals.push(signal);
      return new Promise(() => {});
    },
    onError: (error) => errors.push(error),
  });
  const ended = expect(job).rejects.toBeInstanceOf(JobTimedOut);
  vi.advanceTimersByTime(149_000);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  vi.advanceTimersByTime(1_000);
  await ended;
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  const before = renewals;
  vi.advanceTimersByTime(600_000);
  expect([before, renewals]).toEqual([7, 7]);
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
  await db.clock.advance(61_000);
  expect(await rows.claim(db, { limit: 1, leaseMs: 60_000 })).toMatchObject([{ attempts: 2 }]);
  expect(errors).toEqual([]);
});
