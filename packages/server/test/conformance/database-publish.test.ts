/** Database faults during publishing, on one connector for each kind of idempotency, and on several accounts at once. */
import { expect, test } from 'vitest';
import { publishOn, publishTogether } from '../suites/database/publish.ts';
import { databaseFaults } from '../suites/database/suite.ts';

const together = publishTogether('telegram');
const cases = await databaseFaults([...['bluesky', 'tiktok', 'x', 'telegram'].map(publishOn), together]);

test('every publish operation has cases', () => {
  for (const [name, count] of cases) expect(count, name).toBeGreaterThan(name === together.name ? 5 : 20);
});
