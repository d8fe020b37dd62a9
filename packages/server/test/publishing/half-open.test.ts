import { simulator } from '@reelay/sandbox/platforms/mastodon/index.ts';
import { expect, test } from 'vitest';
import { connector } from '../../src/connectors/mastodon/index.ts';
import { createDatabase } from '../../src/db/database.ts';
import { startDatabaseProxy } from '../harness/database-proxy.ts';
import { createWorld } from '../harness/world.ts';

test('a vanished database host does not stop publishing', async () => {
  const world = await createWorld({ connector, module: simulator });
  const proxy = await startDatabaseProxy(world.db.connection);
  const db = createDatabase({ connection: proxy.connection, size: 4, responseMs: 300 });
  const worker = await world.worker({ db });
  await worker.start();
  const isClaim = (sql: string) => sql.includes('update lane') && sql.includes('skip locked');
  const lost = proxy.inject(isClaim, { at: 'before', kind: 'hang', reach: 'all' });
  worker.wake();
  expect(await lost).toContain('update lane');
  const id = await world.post();
  await expect.poll(() => world.simulator.published()).toHaveLength(1);
  expect((await world.target(id)).state).not.toBe('scheduled');
  worker.abort();
  await db.close();
  await proxy.close();
  await world.close();
});
