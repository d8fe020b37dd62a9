import { expect, test } from 'vitest';
import { closedAfterTest } from '../../../sandbox/test/harness/after-test.ts';
import type { Connector } from '../../src/connectors/contract.ts';
import { startTikTok } from './tiktok-driver.ts';
import { walkThrough, walkTo } from './walk.ts';

const start = closedAfterTest(startTikTok);

test('a send after a failed confirmation has the next key', async () => {
  const tiktok = await start({ processingMs: 2_500 });
  const keys: number[] = [];
  const { commit } = tiktok.connector;
  const done: typeof commit.done = (work, checkpoint, response) => {
    keys.push(work.post.sendKey);
    return commit.done(work, checkpoint, response);
  };
  const connector: Connector = { ...tiktok.connector, commit: { ...commit, done } };
  const work = await tiktok.work('once');
  const accepted = await walkTo({ ...tiktok, connector }, work, 'confirming');
  await tiktok.changeTask({ failReason: 'internal' });
  const walk = await walkThrough({ ...tiktok, connector }, work, { from: accepted });
  expect([walk.state, keys]).toEqual(['posted', [1, 2]]);
});
