/** Database faults during client requests: an upload that is posted, a cancellation, a move to the drafts, a disconnect. */
import { expect, test } from 'vitest';
import { cancelOn } from '../suites/database/cancel.ts';
import { disconnectFrom } from '../suites/database/disconnect.ts';
import { moveOn } from '../suites/database/move.ts';
import { databaseFaults } from '../suites/database/suite.ts';
import { uploadAndPost } from '../suites/database/upload.ts';

const cases = await databaseFaults([
  uploadAndPost('bluesky'),
  cancelOn('bluesky'),
  moveOn('bluesky'),
  disconnectFrom('tiktok'),
]);

test('every request operation has cases', () => {
  for (const [name, count] of cases) expect(count, name).toBeGreaterThan(20);
});
