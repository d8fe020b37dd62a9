import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidv7 } from '../../src/lib/ids.ts';
import { addAccount } from '../harness/rows.ts';
import { startService, type TestService, type TestUser } from '../harness/service.ts';

let former: TestService;
let service: TestService;
let user: TestUser;

/** An account whose tokens are encrypted with the key of the first service. */
async function connected(username: string, status = 'CONNECTED'): Promise<string> {
  const { db, context } = former;
  const { id } = await addAccount(db, user.userId, { username, status });
  const grant = uuidv7();
  await db.execute(
    `insert into access_grant (id, user_id, platform, service, kind, sandbox, sealed, scopes)
     values ($1, $2, 'tiktok', '', 'oauth', true, $3, '{}')`,
    [grant, user.userId, context.sealer.seal({ accessToken: 't' }, `grant ${grant}`)],
  );
  await db.execute('update account set grant_id = $2 where id = $1', [id, grant]);
  return id;
}

beforeAll(async () => {
  former = await startService();
  user = await former.newUser();
  await connected('one');
  await connected('two');
  await connected('gone', 'DISCONNECTED');
  service = await startService({ config: { databaseUrl: former.db.url } });
});
afterAll(async () => {
  await service.close();
  await former.close();
});

const reported = (of: TestService) => of.logged.filter(({ event }) => event === 'secret_key_lost');

test('startup reports once how many accounts need the old key', async () => {
  await expect.poll(() => reported(service), { interval: 5 }).toHaveLength(1);
  expect(reported(service)[0]).toMatchObject({
    accounts: 2,
    msg: expect.stringContaining('SECRET_KEY cannot decrypt the access of 2 of 2 connected accounts'),
  });
  expect(reported(former)).toEqual([]);
});

test('the list shows which accounts need the old key', async () => {
  const client = service.clientWith({ authorization: `Bearer ${user.key}` });
  const listed = (await client.get('/platform/platforms')).body.data as { username: string; detail?: string }[];
  expect(listed.map(({ username, detail }) => [username, detail])).toEqual([
    ['one', expect.stringContaining('another SECRET_KEY')],
    ['two', expect.stringContaining('another SECRET_KEY')],
  ]);
  const before = (await user.get('/platform/platforms')).body.data as { detail?: string }[];
  expect(before.every((each) => each.detail === undefined)).toBe(true);
});
