import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uuidv7 } from '../../src/lib/ids.ts';
import {
  type ClaimLimits,
  claimLanes,
  type Lane,
  LEASE_MS,
  nextInHand,
  releaseLanes,
  renewLanes,
  repairLanes,
} from '../../src/publishing/lanes.ts';
import { createLeases, type HeldLane } from '../../src/publishing/leases.ts';
import { longestStandstill, orphanedHolds } from '../../src/publishing/worker/watchdog.ts';
import { freeDeadLeases, registerWorker, thisWorker } from '../../src/publishing/worker/worker-identity.ts';
import { lockLanes, lowerLanes } from '../../src/queue/lane-locks.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';

let db: TestDatabase;
let userId: string;
let mediaId: string;
const worker = uuidv7();

beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(async () => {
  await db.execute('truncate auth."user", identity, post, media, worker cascade');
  userId = await user();
  mediaId = uuidv7();
  await db.execute(
    `insert into media (id, user_id, storage_key, thumbnail, bytes, sha256, facts, state) values ($1, $2, 'k', 't.jpg', 1, '', '{}', 'stored')`,
    [mediaId, userId],
  );
});

async function user(): Promise<string> {
  const id = uuidv7();
  await db.execute(`insert into auth."user" (id, name, email) values ($1, 'Nora', $2)`, [id, `${id}@example.org`]);
  return id;
}

async function lane(owner = userId): Promise<{ identityId: string; accountId: string }> {
  const identityId = uuidv7();
  const accountId = uuidv7();
  await db.execute(`insert into identity (id, platform, service, remote_id) values ($1, 'p', '', $2)`, [
    identityId,
    identityId,
  ]);
  await db.execute('insert into lane (identity_id, user_id) values ($1, $2)', [identityId, owner]);
  await db.execute(
    `insert into account (id, user_id, identity_id, platform, username, display_name, status, sandbox, capabilities)
     values ($1, $2, $3, 'p', 'n', '', 'CONNECTED', false, '{}')`,
    [accountId, owner, identityId],
  );
  return { identityId, accountId };
}

/** Inserts a target in the standard lock order: lanes, then the target, then the lane's due time. */
async function insert(
  on: { identityId: string; accountId: string },
  dueIn = 0,
  via = db as Pick<TestDatabase, 'transaction'>,
): Promise<string> {
  const postId = uuidv7();
  const id = uuidv7();
  await via.transaction(async (tx) => {
    await lockLanes(tx, [on.identityId]);
    await tx.execute(
      `insert into post (id, user_id, origin_id, media_id, description, preview_time_ms, scheduled, date) values ($1, $2, $1, $3, '', 0, false, app_now())`,
      [postId, userId, mediaId],
    );
    await tx.execute(
      `insert into target (id, post_id, user_id, account_id, identity_id, origin_id, position, state, due_at, counts_from)
       values ($1, $2, $3, $4, $5, $2, 0, 'scheduled', app_now() + $6 * interval '1 ms', app_now())`,
      [id, postId, userId, on.accountId, on.identityId, dueIn],
    );
    await lowerLanes(tx, [on.identityId], userId);
  });
  return id;
}

const settle = (id: string) => db.execute(`update target set state = 'posted', due_at = null where id = $1`, [id]);
const claimAs = async (workerId: string, limit = 10, limits?: ClaimLimits) =>
  (await claimLanes(db, workerId, limit, limits)).lanes;
const claim = (limit?: number, limits?: ClaimLimits) => claimAs(worker, limit, limits);

describe('a lane', () => {
  test('is held by one worker at a time', async () => {
    await insert(await lane());
    const claims = await Promise.all(Array.from({ length: 12 }, () => claimAs(uuidv7(), 5)));
    expect(claims.flat()).toHaveLength(1);
  });

  test('is claimed after its lease with a higher fence', async () => {
    const target = await insert(await lane());
    const [first] = await claim();
    expect(await claim()).toEqual([]);
    await db.clock.advance(LEASE_MS);
    const [second] = await claimAs(uuidv7());
    expect(second).toMatchObject({ inHand: target, crashedWith: target, fence: (first?.fence ?? 0) + 1 });
  });

  test('is not reported as crashed after a release', async () => {
    await insert(await lane());
    await releaseLanes(db, await claim());
    expect((await claim())[0]?.crashedWith).toBeNull();
  });

  test('is neither renewed nor released by a previous holder', async () => {
    await insert(await lane());
    const [lost] = await claim();
    if (!lost) throw new Error('Nothing was claimed.');
    await db.clock.advance(LEASE_MS);
    const [kept] = await claim();
    expect(await renewLanes(db, [lost], null)).toEqual(new Map([[lost.identityId, 'lost']]));
    await releaseLanes(db, [lost]);
    expect(await nextInHand(db, lost)).toBeNull();
    expect(await claim()).toEqual([]);
    expect(await renewLanes(db, kept ? [kept] : [], null)).toEqual(new Map([[lost.identityId, 'kept']]));
  });

  test('without open targets is not due', async () => {
    const id = await insert(await lane());
    const held = await claim();
    await settle(id);
    await releaseLanes(db, held);
    await db.clock.advance(86_400_000);
    expect(await claim()).toEqual([]);
  });

  test('with more due work is queued behind other lanes', async () => {
    const busy = await lane();
    const other = await lane();
    await insert(busy);
    await insert(busy);
    await insert(other);
    const [first] = await claim(1);
    await releaseLanes(db, first ? [first] : []);
    expect((await claim(1))[0]?.identityId).not.toBe(first?.identityId);
  });

  test('is due with its earliest target', async () => {
    const on = await lane();
    await insert(on, 60_000);
    expect(await claim()).toEqual([]);
    await insert(on, 30_000);
    await db.clock.advance(30_000);
    expect(await claim()).toHaveLength(1);
  });

  test('of a user at the share limit is skipped', async () => {
    const stranger = await user();
    await insert(await lane());
    const theirs = await lane(stranger);
    await insert(theirs);
    await db.execute('update lane set user_id = $2 where identity_id = $1', [theirs.identityId, stranger]);
    const limits = { held: new Map([[userId, 4]]), share: 4, ownServers: 8, running: [] };
    expect((await claim(10, limits)).map((each) => each.identityId)).toEqual([theirs.identityId]);
  });
});

describe('shares', () => {
  /** @param ago seconds since it became due */
  async function dueLane(owner: string, ago: number): Promise<string> {
    const { identityId } = await lane(owner);
    await db.execute(`update lane set next_due_at = app_now() - $2 * interval '1 s' where identity_id = $1`, [
      identityId,
      ago,
    ]);
    return identityId;
  }
  const countOf = (lanes: readonly Lane[], owner: string) => lanes.filter((each) => each.userId === owner).length;

  test('one claim takes no more than a user’s share', async () => {
    const stranger = await user();
    for (let n = 0; n < 12; n++) await dueLane(userId, 60);
    for (let n = 0; n < 3; n++) await dueLane(stranger, 5);
    const { lanes, more } = await claimLanes(db, worker, 10, {
      held: new Map([[userId, 3]]),
      share: 5,
      ownServers: 8,
      running: [],
    });
    expect([countOf(lanes, userId), countOf(lanes, stranger)]).toEqual([2, 3]);
    expect(more).toBe(true);
  });

  test('one user’s long queue does not hide other users', async () => {
    const stranger = await user();
    await db.execute(
      `with made as (insert into identity (platform, service, remote_id)
         select 'p', '', 'bulk' || n from generate_series(1, 300) n returning id)
       insert into lane (identity_id, user_id, next_due_at) select id, $1, app_now() - interval '1 hour' from made`,
      [userId],
    );
    await dueLane(stranger, 1);
    const first = await claimLanes(db, worker, 32, { held: new Map(), share: 4, ownServers: 8, running: [] });
    expect([first.lanes.length, first.more]).toEqual([4, true]);
    const second = await claim(32, { held: new Map([[userId, 4]]), share: 4, ownServers: 8, running: [] });
    expect(second.map((each) => each.userId)).toEqual([stranger]);
  });

  test('a lane still running in this process is not claimed', async () => {
    const identityId = await dueLane(userId, 1);
    expect(await claim(10, { held: new Map(), share: 4, ownServers: 8, running: [identityId] })).toEqual([]);
    expect(await claim(10)).toHaveLength(1);
  });

  test('a claim uses the index of due lanes', async () => {
    await db.execute(
      `with made as (insert into identity (platform, service, remote_id)
         select 'p', '', 'plan' || n from generate_series(1, 20000) n returning id)
       insert into lane (identity_id, user_id, next_due_at)
         select id, uuid_v7(), app_now() + (row_number() over () - 500) * interval '1 minute' from made`,
    );
    await db.execute('analyze lane');
    const { client, release } = await db.connect();
    const explain = async (text: string, values: readonly unknown[] = []) => {
      const literals = values.map((value) => `'${Array.isArray(value) ? `{${value}}` : value}'`);
      await client.query(`prepare claim as ${text}`);
      await client.query('set plan_cache_mode = force_generic_plan');
      const plan = await client.query<{ 'QUERY PLAN': string }>(`explain execute claim (${literals})`);
      throw new Error(plan.rows.map((row) => row['QUERY PLAN']).join('\n'));
    };
    const plan = await claimLanes({ query: explain, execute: explain }, worker, 32).catch(String);
    release(true);
    expect(plan).toContain('Index Scan using lane_due');
    expect(plan).not.toMatch(/Seq Scan on lane\b/);
  });
});

describe('an expired lease', () => {
  test('without a crash does not count as a crash', async () => {
    await insert(await lane());
    const self = thisWorker(worker);
    await registerWorker(db, self);
    const [first] = await claim();
    await db.clock.advance(LEASE_MS);
    expect((await claim())[0]?.crashedWith).toBeNull();
    // Another worker sees that the holder kept renewing its other leases.
    await db.clock.advance(LEASE_MS);
    await renewLanes(db, [], worker);
    expect((await claimAs(uuidv7()))[0]).toMatchObject({ identityId: first?.identityId, crashedWith: null });
  });

  test('is renewed unless another worker claimed the lane', async () => {
    await insert(await lane());
    const [held] = await claim();
    if (!held) throw new Error('Nothing was claimed.');
    await db.clock.advance(2 * LEASE_MS);
    expect(await renewLanes(db, [held], null)).toEqual(new Map([[held.identityId, 'kept']]));
    expect(await claim()).toEqual([]);
  });
});

describe('a locked lane', () => {
  test('does not delay the renewal of others', async () => {
    for (let n = 0; n < 3; n++) await insert(await lane());
    const held = await claim();
    const ids = held.map((each) => each.identityId).sort();
    const renewed = await db.transaction(async (tx) => {
      await lockLanes(tx, [ids[1] ?? '']);
      return renewLanes(db, held, null);
    });
    expect(ids.map((id) => renewed.get(id))).toEqual(['kept', 'locked', 'kept']);
    const again = await renewLanes(db, held, null);
    expect([...again.values()]).toEqual(['kept', 'kept', 'kept']);
  });

  test('is renewed as soon as its lock is released', async () => {
    await insert(await lane());
    const [lost] = await claim();
    if (!lost) throw new Error('Nothing was claimed.');
    let shift = 0;
    const leases = createLeases({ monotonic: () => shift, wall: () => shift });
    const held = leases.hold(lost, leases.mark());
    shift += 8_000;
    await db.transaction(async (tx) => {
      await lockLanes(tx, [lost.identityId]);
      expect(await leases.renew(db, null)).toEqual([held]);
    });
    expect([leases.leftMs(held), held.lost.signal.aborted]).toEqual([2_000, false]);
    expect(await leases.renew(db, null)).toEqual([]);
    expect(leases.leftMs(held)).toBe(LEASE_MS);
    await releaseLanes(db, [lost]);
    await claimAs(uuidv7());
    await leases.renew(db, null);
    expect([leases.leftMs(held), held.lost.signal.aborted]).toEqual([0, true]);
  });
});

describe('held lanes', () => {
  const lease: Lane = { identityId: 'i', userId: 'u', ownServer: false, fence: 1, inHand: null, crashedWith: null };

  test('an older hold does not drop a newer one', () => {
    const leases = createLeases({ monotonic: () => 0, wall: () => 0 });
    const older = leases.hold(lease, leases.mark());
    const newer = leases.hold({ ...lease, fence: 2 }, leases.mark());
    leases.drop(older);
    expect(leases.entries()).toEqual([newer]);
  });

  test('a hold without a running lane is detected', () => {
    let now = 0;
    const leases = createLeases({ monotonic: () => now, wall: () => now });
    const orphan = leases.hold(lease, leases.mark());
    const worked = leases.hold({ ...lease, identityId: 'j' }, leases.mark());
    const isRunning = (held: HeldLane) => held === worked;
    expect(orphanedHolds(leases.entries(), isRunning, now)).toEqual([]);
    now = 61_000;
    expect(orphanedHolds(leases.entries(), isRunning, now)).toEqual([orphan]);
    expect(longestStandstill(leases.entries(), now)).toBe(61);
  });
});

describe('concurrently', () => {
  test('an insert during a release is not lost', async () => {
    const on = await lane();
    for (let round = 0; round < 40; round++) {
      const id = await insert(on);
      const held = await claim();
      await settle(id);
      const [, inserted] = await Promise.all([releaseLanes(db, held), insert(on, 0, db.another(1))]);
      const found = await claim();
      expect(found.map((each) => each.inHand)).toEqual([inserted]);
      await settle(inserted);
      await releaseLanes(db, found);
    }
    expect(await repairLanes(db)).toBe(0);
  });

  test('many writers on shared lanes do not deadlock', async () => {
    const lanes = await Promise.all(Array.from({ length: 6 }, () => lane()));
    const busy = Array.from({ length: 8 }, async (_, index) => {
      for (let round = 0; round < 10; round++) {
        const chosen = index % 2 === 0 ? lanes : [...lanes].reverse();
        await db.transaction(async (tx) => {
          await lockLanes(
            tx,
            chosen.map((each) => each.identityId),
          );
          await lowerLanes(
            tx,
            chosen.map((each) => each.identityId),
            userId,
          );
        });
      }
    });
    await expect(Promise.all(busy)).resolves.toBeDefined();
  });

  test('an unrecorded send is claimed first, before it is due', async () => {
    const on = await lane();
    const [sent, other] = [await insert(on), await insert(on)];
    await db.execute(`update target set state = 'committing', due_at = app_now() + interval '1 minute' where id = $1`, [
      sent,
    ]);
    const [held] = await claim();
    expect(held?.inHand).toBe(sent);
    if (held) expect(await nextInHand(db, held)).toBe(sent);
    await db.execute(`update target set state = 'unknown' where id = $1`, [sent]);
    if (held) expect(await nextInHand(db, held)).toBe(other);
  });

  test('the database rejects two sends of one identity', async () => {
    const on = await lane();
    const ids = [await insert(on), await insert(on)];
    await db.execute(`update target set state = 'committing' where id = $1`, [ids[0]]);
    await expect(db.execute(`update target set state = 'committing' where id = $1`, [ids[1]])).rejects.toThrow(
      /target_one_commit/,
    );
  });
});

describe('repair', () => {
  test('fixes and counts lanes later than their earliest target', async () => {
    const on = await lane();
    await insert(on);
    await db.execute('update lane set next_due_at = null');
    expect(await claim()).toEqual([]);
    expect(await repairLanes(db)).toBe(1);
    expect(await claim()).toHaveLength(1);
  });

  test('ignores held lanes', async () => {
    await insert(await lane());
    await claim();
    expect(await repairLanes(db)).toBe(0);
  });
});

describe('a starting worker', () => {
  const self = thisWorker(uuidv7());

  test('frees leases of dead local processes and counts the crash', async () => {
    const target = await insert(await lane());
    const dead = { ...self, id: uuidv7(), pid: 2 ** 22 - 1, processStart: '1' };
    await registerWorker(db, dead);
    await claimAs(dead.id, 1);
    expect(await freeDeadLeases(db, self)).toBe(1);
    expect((await claim())[0]).toMatchObject({ crashedWith: target });
  });

  test.each([
    ['lives (it may only be frozen)', {}],
    ['ran in another name space', { pidNamespace: 'pid:[1]', pid: 2 ** 22 - 1, processStart: '1' }],
    ['ran on another machine', { bootId: 'other', pid: 2 ** 22 - 1, processStart: '1' }],
  ])('keeps the leases of a worker that %s', async (_, differs) => {
    await insert(await lane());
    const other = { ...self, id: uuidv7(), ...differs };
    await registerWorker(db, other);
    await claimAs(other.id, 1);
    expect(await freeDeadLeases(db, self)).toBe(0);
  });
});
