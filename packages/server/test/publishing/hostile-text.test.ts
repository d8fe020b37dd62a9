import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { simulator } from '@reelay/sandbox/platforms/mastodon/index.ts';
import { afterEach, expect, test } from 'vitest';
import { connector } from '../../src/connectors/mastodon/index.ts';
import { storedPublished } from '../../src/publishing/stored-texts.ts';
import { appendTimeline } from '../../src/publishing/timeline-store.ts';
import { messageOf } from '../harness/message.ts';
import { createWorld, type World } from '../harness/world.ts';

let world: World | null = null;
afterEach(async () => {
  await world?.close();
  world = null;
});

const HOSTILE = `Slow down\u0000\ud800\u001b[31m ${'9'.repeat(3_000)}`;

test('a post succeeds although the server responds with U+0000', async () => {
  world = await createWorld({ connector, module: simulator });
  world.simulator.faults.add({
    when: ({ method, path }) => method === 'POST' && path === '/api/v1/statuses',
    times: 1,
    fault: { kind: 'status', answer: { status: 429, headers: { 'retry-after': '1' }, body: { error: HOSTILE } } },
  });
  const id = await world.post();
  await world.settle(await world.worker({ evidenceFileAfterMs: 0 }), id);
  expect(await world.target(id)).toMatchObject({ state: 'posted' });
  expect(world.troubles).toEqual([]);
  expect(await readdir(join(world.folder, 'evidence')).catch(() => [])).toEqual([]);
});

test('timeline entries have no control characters', async () => {
  world = await createWorld({ connector, module: simulator });
  const id = await world.post();
  await appendTimeline(world.db, [id], [{ event: 'retry', message: messageOf(HOSTILE), platformCode: HOSTILE }]);
  const [line] = await world.timeline(id);
  expect(line).toMatch(/^retry: Slow down\[31m 9{900}/);
  expect(line?.length).toBeLessThanOrEqual(1_010);
});

test.each([
  ['https://social.example/@nora/1', true],
  ['http://127.0.0.1:8080/1', true],
  ['javascript:alert(document.domain)', false],
  ['JavaScript:alert(1)', false],
  [' javascript:alert(1)', false],
  ['data:text/html,<script>alert(1)</script>', false],
  ['file:///etc/passwd', false],
  ['//social.example/1', false],
  ['not an address', false],
  [`https://social.example/${'x'.repeat(2_000)}`, false],
])('the address %s of a post is kept: %s', (url, isKept) => {
  expect(storedPublished({ remoteId: '1', url, publishedAt: null }).url).toBe(isKept ? url : null);
});
