/** Database faults in token refreshes and video conversions. */
import { expect, test } from 'vitest';
import { refreshAhead, refreshForPost } from '../suites/database/refresh.ts';
import { convertFor } from '../suites/database/rendition.ts';
import { databaseFaults } from '../suites/database/suite.ts';

const cases = await databaseFaults([refreshForPost('tiktok'), refreshAhead('tiktok'), convertFor('telegram', 'mov')]);

test('every loop operation has cases', () => {
  for (const [name, count] of cases) expect(count, name).toBeGreaterThan(20);
});
