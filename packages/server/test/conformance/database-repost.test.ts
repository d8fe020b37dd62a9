/** Database faults in reposts by rule, which have the most statements: a file of its own, to run beside the others. */
import { expect, test } from 'vitest';
import { repostBetween } from '../suites/database/firing.ts';
import { databaseFaults } from '../suites/database/suite.ts';

const cases = await databaseFaults([repostBetween('x', 'bluesky')]);

test('a repost has cases', () => {
  for (const [name, count] of cases) expect(count, name).toBeGreaterThan(20);
});
