import { randomBytes } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import { type AccountWorld, createAccountWorld } from './world.ts';

let world: AccountWorld;
let userId: string;
let files: string;
let count = 0;

beforeAll(async () => {
  world = await createAccountWorld();
  userId = await world.newUser();
  files = join(world.folder, 'renewed-tokens');
  await world.db.execute('create table trouble (code text, left_over int)');
  await world.db.execute(`create function fail() returns trigger language plpgsql as $$
    declare asked record; begin
      select * into asked from trouble;
      if new.sealed is distinct from old.sealed and asked.left_over > nextval('failed') then
        raise exception 'on purpose' using errcode = asked.code;
      end if; return new; end $$`);
  await world.db.execute('create sequence failed minvalue 0');
  await world.db.execute('create trigger fail before update on access_grant for each row execute function fail()');
});
afterAll(() => world.close());
beforeEach(() => failing('00000', 0));

/** Makes the next `times` writes of renewed tokens fail. */
async function failing(code: string, times: number): Promise<void> {
  await world.db.execute('truncate trouble');
  await world.db.execute(`insert into trouble values ($1, $2)`, [code, times]);
  await world.db.execute('alter sequence failed restart with 0');
}

async function expired() {
  const accountId = await world.connect(userId, `user-${++count}`);
  const grantId = await world.grantOf(accountId);
  await world.db.clock.advance(2 * 3_600_000);
  return { accountId, grantId };
}

const fresh = (grantId: string, accounts = world.accounts) =>
  accounts.grants.freshSecret(grantId, { minLifeMs: 60_000 });
const left = () => readdir(files).catch(() => []);

test.each(['53100', '25006', '57014', '58030', '22021'])('renewed tokens survive database error %s', async (code) => {
  const { accountId, grantId } = await expired();
  const before = world.toy.refreshes();
  await failing(code, 1);
  expect(await fresh(grantId)).toMatchObject({ ok: true, fresh: { version: 2 } });
  expect(await world.account(accountId)).toMatchObject({ status: 'CONNECTED' });
  expect(world.toy.refreshes()).toBe(before + 1);
  expect(await left()).toEqual([]);
});

test("a refresh that names no scopes keeps the grant's", async () => {
  const { grantId } = await expired();
  const scopes = () => world.db.execute('select scopes from access_grant where id = $1', [grantId]);
  const before = await scopes();
  const granted = world.toy.settings.scopes;
  world.toy.settings.scopes = '';
  expect(await fresh(grantId)).toMatchObject({ ok: true, fresh: { version: 2 } });
  world.toy.settings.scopes = granted;
  expect(await scopes()).toEqual(before);
});

/** Refreshes on a node whose database rejects the tokens, and which then stops. */
async function interrupted() {
  const found = await expired();
  const stopped = Promise.withResolvers<never>();
  const db = world.db.another();
  let refused = false;
  const node = world.node({
    db: {
      ...db,
      transaction: async () => {
        if (refused) return stopped.promise;
        refused = true;
        throw Object.assign(new Error('disk full'), { code: '53100' });
      },
    },
  });
  void fresh(found.grantId, node).catch(() => {});
  await expect.poll(left, { interval: 5 }).toEqual([expect.stringMatching(/\.tokens$/)]);
  await world.db.clock.advance(60_000);
  return found;
}

test('the next start writes kept tokens', async () => {
  const { grantId } = await interrupted();
  const before = world.toy.refreshes();
  expect(await world.accounts.readLeftOver()).toBe(1);
  expect(await fresh(grantId)).toMatchObject({ ok: true, fresh: { version: 2 } });
  expect(world.toy.refreshes()).toBe(before);
  expect(await left()).toEqual([]);
});

test('the next attempt writes kept tokens instead of refreshing', async () => {
  const { grantId } = await interrupted();
  const before = world.toy.refreshes();
  expect(await fresh(grantId)).toMatchObject({ ok: true, fresh: { version: 2 } });
  expect(world.toy.refreshes()).toBe(before);
  expect(await left()).toEqual([]);
});

test('kept tokens of an old version change nothing', async () => {
  const { accountId, grantId } = await interrupted();
  const { username } = await world.account(accountId);
  await world.connect(userId, String(username));
  const { sealed } = await world.grant(grantId);
  expect(await world.accounts.readLeftOver()).toBe(0);
  expect((await world.grant(grantId)).sealed).toEqual(sealed);
  expect(await left()).toEqual([]);
});

test('files that no key decrypts are set aside', async () => {
  await mkdir(files, { recursive: true });
  const name = 'one-1.tokens';
  await writeFile(join(files, name), createSealer([randomBytes(32)]).seal({}, 'renewed tokens'));
  expect(await world.accounts.readLeftOver()).toBe(0);
  expect(await left()).toEqual([`${name}.unreadable`]);
  expect(world.lines.some((line) => line.includes('grant_file_unreadable'))).toBe(true);
});
