/** Database faults during publishing, on one connector for each kind of idempotency. */
import { expect, test } from 'vitest';
import { publishOn } from '../suites/database/publish.ts';
import { databaseFaults } from '../suites/database/suite.ts';

const cases = await databaseFaults(['bluesky', 'tiktok', 'x', 'telegram'].map(publishOn));

test('every publish operation has cases', () => {
  for (const [name, count] of cases) expect(count, name).toBeGreaterThan(20);
});
