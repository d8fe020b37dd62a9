import { expect, test } from 'vitest';
import { createDatabase } from '../../src/db/database.ts';
import { uuidv7 } from '../../src/ids.ts';
import { createFiringLoop } from '../../src/reposts/firing.ts';
import { insertUser } from '../../src/users/store.ts';
import { createTestDatabase } from '../harness/database.ts';
import { startDatabaseProxy } from '../harness/database-proxy.ts';

test('a firing whose COMMIT response was lost is complete', async () => {
  const direct = await createTestDatabase(4);
  const proxy = await startDatabaseProxy(direct.connection);
  const db = createDatabase({ connection: proxy.connection, size: 2 });
  const user = await insertUser(direct, { email: 'a@example.org', name: 'A', plan: 'PRO' });
  const payload = JSON.stringify({ ruleId: uuidv7(), targetId: uuidv7() });
  await direct.execute(`insert into event (kind, once, user_id, payload) values ('rule', 'x', $1, $2)`, [
    user?.id,
    payload,
  ]);
  const errors: unknown[] = [];
  const loop = createFiringLoop({
    db,
    config: { plans: {} as never },
    wake() {},
    onError: (error) => errors.push(error),
  });
  void proxy.inject((sql) => sql === 'commit', { at: 'after', kind: 'cut' });
  expect(await loop.runOnce()).toBe(1);
  expect(errors).toMatchObject([{ code: 'database_unavailable' }]);
  const done = await direct.query('select due_at, lease_until, done_at is not null as done from event');
  expect(done).toEqual([{ due_at: null, lease_until: null, done: true }]);
  await db.close();
  await proxy.close();
  await direct.drop();
});
