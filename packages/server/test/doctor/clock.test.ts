import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { CHECKS, type DoctorDeps } from '../../src/operator/doctor/checks.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => db.drop());

test.each([
  ['agree', 0, 'ok'],
  ['differ by an hour', 3_600_000, 'fail'],
  ['differ by an hour in the other direction', -3_600_000, 'fail'],
])('the check compares clocks that %s', async (_title, offMs, verdict) => {
  const check = CHECKS.find(({ name }) => name.code === 'doctor.check_clock');
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + offMs);
  const findings = await check?.look({ db } as unknown as DoctorDeps);
  expect(findings?.map((each) => each.verdict)).toEqual([verdict]);
});
