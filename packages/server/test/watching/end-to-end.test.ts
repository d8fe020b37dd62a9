import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR } from '../../src/lib/time.ts';
import { syncStreams } from '../../src/watching/push/stream-store.ts';
import { startService, type TestService, type TestUser } from '../harness/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import { eventually } from '../post/world.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ config: { leastFreeBytes: 0, rateLimit: 'off' } });
});
afterAll(() => service.close());

async function connect(user: TestUser, platform: string, username = `nora-${platform}`): Promise<string> {
  const request = { userId: user.userId, platform, username, privacy: 'public', actor: 'test' };
  return (await service.context.accounts.connectSandbox(request))[0]?.id ?? '';
}

/** Posts with the simulated phone. @param hoursAgo when it was published */
async function phone(platform: string, username: string, text: string, hoursAgo = 0): Promise<{ id: string }> {
  const form = new FormData();
  if (hoursAgo > 0) form.set('publishedAt', new Date(Date.now() - hoursAgo * HOUR).toISOString());
  form.set('platform', platform);
  form.set('username', username);
  form.set('caption', text);
  // X's lists lag, so that a check would be too early. It is repeated after ten seconds.
  if (platform === 'x') form.set('hiddenMs', '0');
  const path = await makeVideo({ width: 360, height: 640, fps: 25 });
  form.set('video', new Blob([await readFile(path)], { type: 'video/mp4' }), 'video.mp4');
  const response = await fetch(`${service.url}/sandbox/phone`, {
    method: 'POST',
    body: form,
    headers: { accept: 'application/json' },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { id: string };
}

async function feed(text: string): Promise<string[]> {
  const { body } = await service.client.get('//sandbox/feed.json');
  const entries = body as { platform: string; text: string }[];
  return entries.filter((each) => each.text === text).map(({ platform }) => platform);
}

/** Advances the clock until every account was checked again. */
async function nextCheck(): Promise<void> {
  await service.db.clock.advance(10_000);
}

// Before the others: Bluesky's stream selects accounts when it opens, and then only from time to time.
test.each(['mastodon', 'bluesky', 'x'])('an announced post on %s is checked without waiting', async (platform) => {
  const user = await service.newUser();
  const from = await connect(user, platform, 'kim');
  const to = await connect(user, 'tiktok', `kim-${platform}`);
  await user.post('/repost/add', { from, to: [to] });
  // The service itself polls every ten seconds.
  await syncStreams(service.db, { account: ['mastodon'], shared: ['bluesky', 'x'] });
  await eventually('the stream is open', async () => {
    const { length } = await service.db.query('select from push_stream');
    const { body } = await service.client.get('//health/ready');
    return body.parts.loops.streams === `${length} of ${length} streams open`;
  });
  if (platform === 'x')
    await eventually('the account is subscribed', async () => {
      const rows = await service.db.query(`select from sandbox.item where platform = 'x' and kind = 'subscription'`);
      return rows.length === 1;
    });
  // Nothing is due by itself any more.
  await eventually('the account is not due', async () => {
    await service.db.execute(
      `update watch set due_at = app_now() + interval '1 day' where platform = $1 and lease_until is null`,
      [platform],
    );
    const rows = await service.db.query(
      `select from watch where platform = $1 and (lease_until is not null or due_at < app_now() + interval '1 hour')`,
      [platform],
    );
    return rows.length === 0;
  });
  await phone(platform, 'kim', `Pushed on ${platform}`);
  await eventually('it is reposted', async () => (await feed(`Pushed on ${platform}`)).length === 2);
});

test('a chain reposts a post from the phone once', async () => {
  const user = await service.newUser();
  const mastodon = await connect(user, 'mastodon');
  const bluesky = await connect(user, 'bluesky');
  const tiktok = await connect(user, 'tiktok');
  await user.post('/repost/add', { from: mastodon, to: [bluesky] });
  await user.post('/repost/add', { from: bluesky, to: [tiktok] });
  await phone('mastodon', 'nora-mastodon', 'From my phone');
  await eventually('all platforms have it', async () => {
    await nextCheck();
    return (await feed('From my phone')).length >= 3;
  });
  await nextCheck();
  expect((await feed('From my phone')).sort()).toEqual(['bluesky', 'mastodon', 'tiktok']);
  const { data } = (await user.get('/post/history')).body;
  expect(data.map(({ description }: { description: string }) => description)).toEqual([
    'From my phone',
    'From my phone',
  ]);
  expect(data[0].repostOf ?? data[1].repostOf).toBeDefined();
});

test('older posts are listed, selected and reposted', async () => {
  const user = await service.newUser();
  const mastodon = await connect(user, 'mastodon', 'ada');
  const bluesky = await connect(user, 'bluesky', 'ada');
  // Not in the second in which the rule is added: such a post may count as later than the rule.
  await phone('mastodon', 'ada', 'First of the catalog', 2);
  await phone('mastodon', 'ada', 'Second of the catalog', 1);
  const { id } = (await user.post('/repost/add', { from: mastodon, to: [bluesky] })).body;
  // The simulated platform shows posts after a moment.
  let items: { id: string; caption: string; status: string }[] = [];
  await eventually('both posts are listed', async () => {
    items = (await user.get(`/repost/${id}/catalog`)).body.data;
    // A worker may be comparing one with our own posts.
    return items.length === 2 && items.every(({ status }) => status === 'available');
  });
  expect(items).toMatchObject([{ caption: 'Second of the catalog' }, { caption: 'First of the catalog' }]);
  const select = (ids: string[]) =>
    user.call('PATCH', `/repost/${id}`, { json: { options: { backCatalog: { items: ids, perDay: 50 } } } });
  const [second, first] = items.map((item) => item.id);
  const { body } = await select([first ?? '']);
  expect(body.data.options.backCatalog).toEqual({ order: 'oldest', perDay: 50, items: [first] });
  await eventually('the first is reposted', async () => (await feed('First of the catalog')).length === 2);
  expect(await feed('Second of the catalog')).toEqual(['mastodon']);
  const { data } = (await user.get(`/repost/${id}/catalog`)).body;
  expect(data.map(({ status }: { status: string }) => status)).toEqual(['available', 'reposted']);
  expect((await select([second ?? '', 'x'])).body).toMatchObject({ code: 'invalid_request' });
  const other = await service.newUser();
  expect((await other.get(`/repost/${id}/catalog`)).body.code).toBe('unknown_rule');
  expect((await user.get(`/repost/${id}/catalog`, { cursor: 'x' })).body.code).toBe('invalid_request');
});

test('the back catalog of an account without access is refused', async () => {
  const user = await service.newUser();
  const mastodon = await connect(user, 'mastodon', 'bea');
  const { id } = (await user.post('/repost/add', { from: mastodon, to: [await connect(user, 'bluesky', 'bea')] })).body;
  await service.db.execute(`update account set status = 'EXPIRED' where id = $1`, [mastodon]);
  expect((await user.get(`/repost/${id}/catalog`)).body.code).toBe('platform_not_connected');
});
