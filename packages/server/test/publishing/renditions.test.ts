import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '../../src/lib/ids.ts';
import { claimRenditions, wakeWaiting } from '../../src/media/rendition/rendition-store.ts';
import { type Holder, limitsOf, longShareOf } from '../../src/queue/shares.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { addAccount, addMedia, addPost } from '../harness/rows.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

async function user(): Promise<string> {
  const id = uuidv7();
  await db.execute(`insert into auth."user" (id, name, email) values ($1, 'Nora', $2)`, [id, `${id}@example.org`]);
  return id;
}

/** One rendition of each of several videos, due for this many seconds. @returns their ids */
async function order(userId: string, count: number, ago: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const media = await addMedia(db, userId);
    const [row] = await db.query<{ id: string }>(
      `insert into rendition (media_id, spec_key, spec, storage_key, due_at)
       values ($1, 'k', '{}', $2, app_now() - $3 * interval '1 s') returning id`,
      [media.id, `renditions/${uuidv7()}`, ago - n],
    );
    if (row) ids.push(row.id);
  }
  return ids;
}

test('users take turns regardless of queue length', async () => {
  const [hog, other] = [await user(), await user()];
  const many = await order(hog, 6, 600);
  const few = await order(other, 2, 60);
  const claim = async (limit: number) =>
    (await claimRenditions(db, { limit, leaseMs: 30_000 })).map(({ key }) => key).sort();
  const firsts = (...ids: (string | undefined)[]) => ids.map(String).sort();
  expect(await claim(2)).toEqual(firsts(many[0], few[0]));
  // One of each user is in progress, so their turns are equal again.
  expect(await claim(3)).toEqual(firsts(many[1], few[1], many[2]));
  expect(await claim(10)).toHaveLength(3);
  expect(await claim(10)).toEqual([]);
});

test('previews are made after the videos of posts', async () => {
  await db.execute('delete from rendition');
  const [one, other] = [await user(), await user()];
  const [preview] = await order(one, 1, 900);
  await db.execute('update rendition set user_id = $2, spec = null where id = $1', [preview, one]);
  const posts = [...(await order(one, 2, 60)), ...(await order(other, 1, 60))];
  const first = await claimRenditions(db, { limit: 3, leaseMs: 30_000 });
  expect(first.map(({ key }) => key).sort()).toEqual(posts.sort());
  const [last] = await claimRenditions(db, { limit: 3, leaseMs: 30_000 });
  expect(last).toMatchObject({ key: preview, userId: one, row: { spec: null } });
});

test('one of several slots is left to other users', async () => {
  await db.execute('delete from rendition');
  const [hog, other] = [await user(), await user()];
  await order(hog, 8, 600);
  for (const slots of [2, 4]) {
    const claim = (running: readonly Holder[]) =>
      claimRenditions(db, {
        limit: slots - running.length,
        leaseMs: 30_000,
        limits: limitsOf(slots, running, longShareOf(slots)),
      });
    const first = await claim([]);
    expect(first.map(({ userId }) => userId)).toEqual(Array(slots - 1).fill(hog));
    expect(await claim(first)).toEqual([]);
    await order(other, 1, 60);
    expect((await claim(first)).map(({ userId }) => userId)).toEqual([other]);
  }
  expect(longShareOf(1)).toBe(1);
});

test('a target is due once its rendition is stored', async () => {
  const userId = await user();
  const [rendition] = await order(userId, 1, 60);
  const media = await addMedia(db, userId);
  const account = await addAccount(db, userId);
  const { targets } = await addPost(db, { userId, mediaId: media.id, accounts: [account] });
  const read = async () =>
    (
      await db.query(
        `select t.due_at <= app_now() as due, l.next_due_at <= app_now() as "laneDue", t.version from target t
         join lane l using (identity_id) where t.id = $1`,
        targets,
      )
    )[0];
  await db.execute(
    `update target set state = 'waiting', due_at = app_now() + interval '30 s', rendition_id = $2 where id = $1`,
    [targets[0], rendition],
  );
  await db.execute(`update lane set next_due_at = app_now() + interval '30 s' where identity_id = $1`, [
    account.identityId,
  ]);
  expect(await read()).toEqual({ due: false, laneDue: false, version: 0 });
  await wakeWaiting(db, rendition ?? '');
  expect(await read()).toEqual({ due: true, laneDue: true, version: 1 });
});
