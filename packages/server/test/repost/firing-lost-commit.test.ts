import { expect, test } from 'vitest';
import { createDatabase } from '../../src/db/database.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { createFiringLoop } from '../../src/reposts/firing.ts';
import { insertRule } from '../../src/reposts/rule-store.ts';
import { insertUser } from '../../src/users/user-store.ts';
import { createTestDatabase } from '../harness/database.ts';
import { startDatabaseProxy } from '../harness/database-proxy.ts';
import { addAccount } from '../harness/rows.ts';

test('a firing whose COMMIT response was lost is complete', async () => {
  const direct = await createTestDatabase(4);
  const proxy = await startDatabaseProxy(direct.connection);
  const db = createDatabase({ connection: proxy.connection, size: 2 });
  const user = await insertUser(direct, { email: 'a@example.org', name: 'A', plan: 'PRO' });
  const source = await addAccount(direct, user?.id ?? '');
  const rule = { id: uuidv7(), userId: user?.id ?? '', from: source.id, to: [] };
  await insertRule(direct, rule);
  await direct.execute('insert into firing (rule_id, user_id, origin_id, target_id) values ($1, $2, $3, $3)', [
    rule.id,
    user?.id,
    uuidv7(),
  ]);
  const errors: unknown[] = [];
  const loop = createFiringLoop({
    db,
    config: { plans: {} as never },
    connectors: {},
    downloads: false,
    wake() {},
    onFile() {},
    findShown: async () => new Map(),
    onError: (error) => errors.push(error),
  });
  void proxy.inject((sql) => sql === 'commit', { at: 'after', kind: 'cut' });
  expect(await loop.runOnce()).toBe(1);
  expect(errors).toMatchObject([{ code: 'database_unavailable' }]);
  const done = await direct.query('select due_at, lease_until, state from firing');
  expect(done).toEqual([{ due_at: null, lease_until: null, state: 'skipped' }]);
  await db.close();
  await proxy.close();
  await direct.drop();
});
