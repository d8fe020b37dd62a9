import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { applyEvidence, type Evidence } from '../../src/publishing/evidence-store.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { addAccount, addMedia, addPost } from '../harness/rows.ts';

let db: TestDatabase;
const userId = uuidv7();
const sealer = createSealer([randomBytes(32)]);
beforeAll(async () => {
  db = await createTestDatabase();
  await db.execute(`insert into auth."user" (id, name, email) values ($1, 'Nora', 'nora@example.org')`, [userId]);
});
afterAll(() => db.drop());

/** A target in the given state whose latest send has this number. */
async function target(state: string, commitNumber: number): Promise<string> {
  const account = await addAccount(db, userId);
  const media = await addMedia(db, userId);
  const { targets } = await addPost(db, { userId, mediaId: media.id, accounts: [account] });
  const id = targets[0] ?? '';
  await db.execute(
    `update target set state = $2::text, commit_number = $3, accept_duplicate = true,
       code = case when $2 = 'failed' then 'outcome_unknown' end, due_at = case when $2 in ('failed', 'posted') then null else due_at end,
       settled_at = case when $2 = 'failed' then app_now() end where id = $1`,
    [id, state, commitNumber],
  );
  return id;
}
const accepted = (targetId: string): Evidence => ({
  targetId,
  commitNumber: 1,
  proves: 'accepted',
  checkpoint: { handle: 'h' },
  sha256: 'x',
});
const read = async (id: string) =>
  (
    await db.query(
      `select state, code, settled_at as "settledAt", commit_number as "commitNumber", accept_duplicate as "acceptDuplicate"
       from target where id = $1`,
      [id],
    )
  )[0];

test.each([
  ['scheduled', 0],
  ['working', 1],
  ['waiting', 1],
  ['committing', 1],
  ['unknown', 1],
  ['failed', 1],
])('an accepted send applies to %s at send %i', async (state, number) => {
  const id = await target(state, number);
  await applyEvidence(db, sealer, accepted(id));
  expect(await read(id)).toEqual({
    state: 'confirming',
    code: null,
    settledAt: null,
    commitNumber: 1,
    acceptDuplicate: false,
  });
});

test.each([
  ['committing', 2],
  ['unknown', 2],
  ['failed', 2],
  ['confirming', 1],
  ['posted', 1],
])('an accepted send is ignored in %s at send %i', async (state, number) => {
  const id = await target(state, number);
  const before = await read(id);
  await applyEvidence(db, sealer, accepted(id));
  expect(await read(id)).toEqual(before);
});

test('proof of no effect ends permission to risk a duplicate', async () => {
  const id = await target('unknown', 1);
  await applyEvidence(db, sealer, { targetId: id, commitNumber: 1, proves: 'void', why: 'Never sent.' });
  expect(await read(id)).toMatchObject({ state: 'waiting', acceptDuplicate: false });
});
