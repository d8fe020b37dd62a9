import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { uuidv7 } from '../../src/ids.ts';
import {
  claimLanes,
  LEASE_MS,
  lockLanes,
  lowerLanes,
  nextInHand,
  releaseLanes,
  renewLanes,
  repairLanes,
} from '../../src/publishing/lanes.ts';
import { freeDeadLeases, registerWorker, thisWorker } from '../../src/publishing/worker-identity.ts';
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

/** Inserts a target as everyone does: lanes first, then the target, then the lane's time. */
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
const claim = (limit = 10, busy: string[] = []) => claimLanes(db, worker, limit, busy);

describe('a lane', () => {
  test('is held by one worker at a time', async () => {
    await insert(await lane());
    const claims = await Promise.all(Array.from({ length: 12 }, () => claimLanes(db, uuidv7(), 5, [])));
    expect(claims.flat()).toHaveLength(1);
  });

  test('is claimed again after its lease, with a higher fence and word of who vanished', async () => {
    const target = await insert(await lane());
    const [first] = await claim();
    expect(await claim()).toEqual([]);
    await db.clock.advance(LEASE_MS);
    const [second] = await claim();
    expect(second).toMatchObject({ inHand: target, crashedWith: target, fence: (first?.fence ?? 0) + 1 });
  });

  test('that was released is nobody’s crash', async () => {
    await insert(await lane());
    await releaseLanes(db, await claim());
    expect((await claim())[0]?.crashedWith).toBeNull();
  });

  test('is not renewed nor released by one who lost it', async () => {
    await insert(await lane());
    const [lost] = await claim();
    if (!lost) throw new Error('Nothing was claimed.');
    await db.clock.advance(LEASE_MS);
    const [kept] = await claim();
    expect(await renewLanes(db, [lost])).toEqual(new Set());
    await releaseLanes(db, [lost]);
    expect(await nextInHand(db, lost)).toBeNull();
    expect(await claim()).toEqual([]);
    expect(await renewLanes(db, kept ? [kept] : [])).toEqual(new Set([lost.identityId]));
  });

  test('without open targets is not due', async () => {
    const id = await insert(await lane());
    const held = await claim();
    await settle(id);
    await releaseLanes(db, held);
    await db.clock.advance(86_400_000);
    expect(await claim()).toEqual([]);
  });

  test('with more to do goes to the end of the queue', async () => {
    const busy = await lane();
    const other = await lane();
    await insert(busy);
    await insert(busy);
    await insert(other);
    const [first] = await claim(1);
    await releaseLanes(db, first ? [first] : []);
    expect((await claim(1))[0]?.identityId).not.toBe(first?.identityId);
  });

  test('is due when its earliest target is, not before', async () => {
    const on = await lane();
    await insert(on, 60_000);
    expect(await claim()).toEqual([]);
    await insert(on, 30_000);
    await db.clock.advance(30_000);
    expect(await claim()).toHaveLength(1);
  });

  test('of a user who has a share already waits for others', async () => {
    const stranger = await user();
    await insert(await lane());
    const theirs = await lane(stranger);
    await insert(theirs);
    await db.execute('update lane set user_id = $2 where identity_id = $1', [theirs.identityId, stranger]);
    expect((await claim(10, [userId])).map((each) => each.identityId)).toEqual([theirs.identityId]);
  });
});

describe('at one instant', () => {
  test('an insert during a release is never lost', async () => {
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

  test('is held for the send whose end nobody noted before anything else, even before that is due', async () => {
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

  test('two sends of one identity are refused by the database itself', async () => {
    const on = await lane();
    const ids = [await insert(on), await insert(on)];
    await db.execute(`update target set state = 'committing' where id = $1`, [ids[0]]);
    await expect(db.execute(`update target set state = 'committing' where id = $1`, [ids[1]])).rejects.toThrow(
      /target_one_commit/,
    );
  });
});

describe('repair', () => {
  test('brings back a lane that stands later than its target, and says that it did', async () => {
    const on = await lane();
    await insert(on);
    await db.execute('update lane set next_due_at = null');
    expect(await claim()).toEqual([]);
    expect(await repairLanes(db)).toBe(1);
    expect(await claim()).toHaveLength(1);
  });

  test('finds nothing in a lane that is held', async () => {
    await insert(await lane());
    await claim();
    expect(await repairLanes(db)).toBe(0);
  });
});

describe('a worker that starts', () => {
  const self = thisWorker(uuidv7());

  test('frees at once what a dead process of this machine held, and it counts as a crash', async () => {
    const target = await insert(await lane());
    const dead = { ...self, id: uuidv7(), pid: 2 ** 22 - 1, processStart: '1' };
    await registerWorker(db, dead);
    await claimLanes(db, dead.id, 1, []);
    expect(await freeDeadLeases(db, self)).toBe(1);
    expect((await claim())[0]).toMatchObject({ crashedWith: target });
  });

  test.each([
    ['lives (it may only be frozen)', {}],
    ['ran in another name space', { pidNamespace: 'pid:[1]', pid: 2 ** 22 - 1, processStart: '1' }],
    ['ran on another machine', { bootId: 'other', pid: 2 ** 22 - 1, processStart: '1' }],
  ])('leaves the leases of one that %s', async (_, differs) => {
    await insert(await lane());
    const other = { ...self, id: uuidv7(), ...differs };
    await registerWorker(db, other);
    await claimLanes(db, other.id, 1, []);
    expect(await freeDeadLeases(db, self)).toBe(0);
  });
});
