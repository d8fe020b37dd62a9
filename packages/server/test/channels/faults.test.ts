import { expect, test } from 'vitest';
import { createDatabase } from '../../src/db/database.ts';
import { createTestDatabase } from '../harness/database.ts';
import { startDatabaseProxy } from '../harness/database-proxy.ts';
import { failPost } from '../notifications/world.ts';
import { startReceiver } from './receiver.ts';
import { addUser, createWorld, MINUTE, PATHS, targetsAt } from './world.ts';

/** The statements of the transaction that records a message. */
const RECORDS =
  /^(?:begin|select from notification_channel where id|delete from notification_delivery|update notification_channel c set lease_until|commit)\b/;

test.each(['before', 'after'] as const)('cutting the connection %s any statement loses no message', async (at) => {
  await using receiver = await startReceiver();
  const direct = await createTestDatabase(4);
  const proxy = await startDatabaseProxy(direct.connection);
  const pool = createDatabase({ connection: proxy.connection, size: 3 });
  const world = createWorld(direct, receiver, pool);
  let errors = 0;
  const pass = () =>
    world.run().catch(() => {
      errors++;
    });
  /** Fails a post and lets the loop send it to two channels. @returns how often each got it */
  const sendOne = async (name: string) => {
    const user = await addUser(direct, name);
    const { slack, ntfy } = targetsAt(receiver, user);
    for (const target of [slack, ntfy])
      await world.channels.add(user.id, { name: target.kind, target, replaces: null });
    const post = await failPost(direct, user.id, [user.account]);
    for (let minutes = 0; minutes < 4; minutes++) {
      await pass();
      await direct.clock.advance(MINUTE);
    }
    expect(await direct.query('select from notification_delivery'), name).toEqual([]);
    const got = [PATHS.slack, PATHS.ntfy].map(
      (path) => receiver.take(path).filter(({ body }) => body.includes(post)).length,
    );
    await direct.execute('delete from notification_channel');
    return got;
  };
  await sendOne('warm');
  proxy.clear();
  expect(await sendOne('undisturbed')).toEqual([1, 1]);
  const statements = proxy.statements.length;
  expect(statements).toBeGreaterThan(15);

  /** Statements whose loss repeats a message. Two channels take turns, so a position names another statement each time. */
  const repeated = new Set<string>();
  for (let index = 0; index < statements; index++) {
    let seen = 0;
    const before = errors + world.errors.length;
    const hit = proxy.inject(() => seen++ === index, { at, kind: 'cut' });
    const counts = await sendOne(`cut-${index}`);
    const sql = await hit;
    expect(errors + world.errors.length, sql).toBeGreaterThan(before);
    // At least once, and a failure of one channel does not repeat the other.
    expect(Math.min(...counts), sql).toBe(1);
    expect(Math.max(...counts), sql).toBeLessThanOrEqual(2);
    if (Math.max(...counts) > 1) repeated.add(sql);
  }
  // Only between sending and recording.
  expect([...repeated].filter((sql) => !RECORDS.test(sql))).toEqual([]);
  world.close();
  await pool.close();
  await proxy.close();
  await direct.drop();
});
