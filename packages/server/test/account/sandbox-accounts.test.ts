import { afterAll, beforeAll, expect, test } from 'vitest';
import { nameSandboxAccounts } from '../../src/accounts/connect/sandbox-names.ts';
import { addAccount } from '../harness/rows.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ config: { sandbox: true } });
});
afterAll(() => service.close());

const platformsOf = (rows: { platform: string }[]) => rows.map(({ platform }) => platform).sort();

test('one simulated account is connected on every platform, once', async () => {
  const user = await service.newSession();
  const known = Object.keys(service.context.connectors).sort();
  const first = await user.post('/accounts/connect-sandbox');
  expect([first.status, platformsOf(first.body.data)]).toEqual([200, known]);
  const again = await user.post('/accounts/connect-sandbox');
  expect(again.body.data).toEqual([]);
  const { body } = await user.get('/platform/platforms');
  expect(platformsOf(body.data)).toEqual(known);
  expect(body.data.every((each: { sandbox: boolean }) => each.sandbox)).toBe(true);
});

test('each simulated account has a picture, except on Telegram', async () => {
  const user = await service.newSession();
  await user.post('/accounts/connect-sandbox');
  const accounts: { platform: string; usernameImage: string }[] = (await user.get('/platform/platforms')).body.data;
  const [bare, pictured] = [false, true].map((has) => accounts.filter((each) => (each.usernameImage !== '') === has));
  expect(platformsOf(bare ?? [])).toEqual(['telegram']);
  const pictures = await Promise.all(
    (pictured ?? []).map(({ usernameImage }) => user.get(new URL(usernameImage).pathname.replace('/api/v1', ''))),
  );
  for (const { status, headers } of pictures) expect([status, headers.get('content-type')]).toEqual([200, 'image/png']);
  expect(new Set(pictures.map(({ bytes }) => bytes.toString('base64'))).size).toBe(accounts.length - 1);
});

test('each user has simulated accounts of their own', async () => {
  const [one, two] = [await service.newSession(), await service.newSession()];
  for (const user of [one, two]) await user.post('/accounts/connect-sandbox');
  const rows = await service.db.query<{ users: number }>(
    `select count(distinct user_id)::integer as users from account where user_id = any($1) group by identity_id`,
    [[one.userId, two.userId]],
  );
  expect(new Set(rows.map(({ users }) => users))).toEqual(new Set([1]));
});

test('simulated accounts have a readable name of their own', async () => {
  const user = await service.newSession();
  const name = await nameSandboxAccounts(service.db, user.userId);
  // It has a number if a user of another test has the same name: there are 256 names.
  const [, words = '', number = ''] = /^([a-z]{6,9})(\d*)$/.exec(name) ?? [];
  expect(`${words}${number}`).toBe(name);
  const [second, third] = [1, 2].map((more) => `${words}${Number(number || 1) + more}`);
  // Other users who have taken it, as platforms write it.
  for (const username of [`@${name}@mastodon.example`, `${second}.bsky.example`])
    await addAccount(service.db, (await service.newSession()).userId, { username });
  expect(await nameSandboxAccounts(service.db, user.userId)).toBe(third);
  const { body } = await user.post('/accounts/connect-sandbox');
  for (const { username, displayName } of body.data) expect(username || displayName).toContain(third);
  expect(await nameSandboxAccounts(service.db, user.userId)).toBe(third);
});

test('another account is connected on one platform', async () => {
  const user = await service.newSession();
  const [first] = (await user.post('/accounts/connect-sandbox', { platform: 'tiktok' })).body.data;
  for (const place of [2, 3]) {
    const { status, body } = await user.post('/accounts/connect-sandbox', { platform: 'tiktok' });
    expect([status, platformsOf(body.data)]).toEqual([200, ['tiktok']]);
    expect(body.data[0].id).not.toBe(first.id);
    const accounts = (await user.get('/platform/platforms')).body.data;
    expect(new Set(accounts.map(({ username }: { username: string }) => username)).size).toBe(place);
  }
});

test('an unknown platform connects nothing', async () => {
  const user = await service.newSession();
  const { status, body } = await user.post('/accounts/connect-sandbox', { platform: 'myspace' });
  expect([status, body.code]).toEqual([400, 'invalid_request']);
  expect((await user.get('/platform/platforms')).body.data).toEqual([]);
});

test('a disconnected sandbox account is connected again', async () => {
  const user = await service.newSession();
  const { body } = await user.post('/accounts/connect-sandbox');
  await user.call('DELETE', `/accounts/${body.data[0].id}`);
  const again = await user.post('/accounts/connect-sandbox');
  expect(platformsOf(again.body.data)).toEqual([body.data[0].platform]);
});

test('the plan limits simulated accounts too', async () => {
  const user = await service.newSession({ plan: 'FREE' });
  const response = await user.post('/accounts/connect-sandbox');
  expect([response.status, response.body.code]).toEqual([403, 'plan_limit_reached']);
  expect((await user.get('/platform/platforms')).body.data).toHaveLength(3);
});

test('an API key cannot connect accounts', async () => {
  const user = await service.newUser();
  expect((await user.post('/accounts/connect-sandbox')).body.code).toBe('session_required');
});

test('a user connects simulated accounts 30 times an hour', async () => {
  const user = await service.newSession();
  expect((await user.post('/accounts/connect-sandbox')).status).toBe(200);
  await service.db.execute('update rate set moments = array_fill(app_now(), array[29]) where key = $1', [
    `connect-sandbox ${user.userId}`,
  ]);
  expect((await user.post('/accounts/connect-sandbox')).status).toBe(200);
  const refused = await user.post('/accounts/connect-sandbox');
  expect(refused).toMatchObject({ status: 429, body: { code: 'rate_limited', retryAfter: expect.any(Number) } });
  const other = await service.newSession();
  expect((await other.post('/accounts/connect-sandbox')).status).toBe(200);
});
