/** Database faults in loops other than publishing: rules, token refreshes, video conversions. */
import { expect, test } from 'vitest';
import { repostBetween } from '../suites/database/firing.ts';
import { refreshAhead, refreshForPost } from '../suites/database/refresh.ts';
import { convertFor } from '../suites/database/rendition.ts';
import { databaseFaults } from '../suites/database/suite.ts';

const cases = await databaseFaults([
  repostBetween('x', 'bluesky'),
  refreshForPost('tiktok'),
  refreshAhead('tiktok'),
  convertFor('telegram', 'mov'),
]);

test('every loop operation has cases', () => {
  for (const [name, count] of cases) expect(count, name).toBeGreaterThan(20);
});
