/** Own posts that a check found before their send was proven, and that were taken for posts made elsewhere. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import { HOUR, SECOND } from '../../src/lib/time.ts';
import { applyEvidence } from '../../src/publishing/evidence-store.ts';
import type { AccountRow, AccountRows } from '../harness/rows.ts';
import { createWatchWorld, type WatchWorld } from './watch-world.ts';

let world: WatchWorld;
beforeAll(async () => {
  world = await createWatchWorld();
});
afterAll(() => world.close());

let userId: string;
let [from, to, third]: AccountRows<3> = [] as never;
let rule: string;
let target: string;

/** The platform's clock is hours behind, so the post seems to be older than its send. */
beforeEach(async () => {
  await world.db.execute('truncate watch, identity, rule, placement, post cascade');
  userId = await world.newUser();
  [from, to, third] = await world.accounts(userId, 3);
  world.shown.clear();
  rule = await world.rule(userId, from, [to, third]);
  await world.db.clock.advance(3 * HOUR);
  target = await world.send(userId, from);
  await world.db.execute(
    `update target set state = 'confirming', committed_at = app_now(), begun_at = app_now(), commit_number = 1,
       is_public = true where id = $1`,
    [target],
  );
  await world.db.clock.advance(SECOND);
  const publishedAt = (await world.now()) - 2 * HOUR;
  await world.show(from, { remoteId: '1', text: 'Sunset run', durationMs: 5_000, publishedAt });
  await world.check();
  expect((await world.found())['1']?.state).toBe('foreign');
  expect(await world.firings(rule)).toEqual(['1: skipped no_file']);
});

const prove = async () => {
  await applyEvidence(world.db, createSealer([randomBytes(32)]), {
    ...{ targetId: target, commitNumber: 1, proves: 'posted' },
    published: { remoteId: '1', url: null, publishedAt: null },
  });
  await world.later();
};
const originsOn = async (account: AccountRow) =>
  world.db.query(
    `select o.origin_id = t.origin_id as same from target o, target t where t.id = $1 and o.identity_id = $2`,
    [target, account.identityId],
  );

test('an own post taken for another is given back', async () => {
  await prove();
  expect((await world.found())['1']?.state).toBe('own');
  const [row] = await world.db.query('select state, remote_id from target where id = $1', [target]);
  expect(row).toEqual({ state: 'posted', remote_id: '1' });
  expect(await world.firings(rule)).toEqual(['1: reposted']);
  for (const account of [to, third]) expect(await originsOn(account)).toEqual([{ same: true }]);
});

test('a target that is posted already claims no other post', async () => {
  await world.posted(target, '2');
  await prove();
  expect((await world.found())['1']?.state).toBe('foreign');
  const ledger = await world.db.query('select remote_id from placement where identity_id = $1 order by remote_id', [
    from.identityId,
  ]);
  expect(ledger).toEqual([{ remote_id: '1' }, { remote_id: '2' }]);
});

test.each([
  ['that became its own', false],
  ['on an account that has both', true],
])('a post given back keeps its repost %s', async (_, hasBoth) => {
  const reposts = [await world.send(userId, to), await world.send(userId, third)];
  await world.db.execute(
    `update target t set origin_id = w.origin_id from watched_post w
     where t.id = any($1::uuid[]) and w.identity_id = $2`,
    [reposts, from.identityId],
  );
  await world.db.execute(
    `update firing set state = 'reposted', reason = null, post_id = (select post_id from target where id = $2)
     where rule_id = $1`,
    [rule, reposts[0]],
  );
  if (hasBoth) {
    const second = await world.send(userId, to);
    await world.db.execute('update target set origin_id = (select origin_id from target where id = $2) where id = $1', [
      second,
      target,
    ]);
  }
  await prove();
  expect((await world.found())['1']?.state).toBe('own');
  expect(await world.firings(rule)).toEqual(['1: reposted']);
  const same = { same: !hasBoth };
  expect(await originsOn(third)).toEqual([same]);
  expect(await originsOn(to)).toEqual(hasBoth ? expect.arrayContaining([same, { same: true }]) : [same]);
});
