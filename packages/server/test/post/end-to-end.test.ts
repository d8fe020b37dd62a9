import { afterAll, beforeAll, expect, test } from 'vitest';
import { setPlan } from '../../src/users/service.ts';
import { startService, type TestService } from '../harness/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import { eventually, sendPost, untilSettled } from './world.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ config: { leastFreeBytes: 0 } });
});
afterAll(() => service.close());

test('a post appears once per platform, with a repost', async () => {
  const user = await service.newUser();
  const connect = async (platform: string) => {
    const request = { userId: user.userId, platform, username: `nora-${platform}`, privacy: 'public', actor: 'test' };
    return (await service.context.accounts.connectSandbox(request))[0]?.id ?? '';
  };
  const [tiktok, mastodon, bluesky] = [await connect('tiktok'), await connect('mastodon'), await connect('bluesky')];
  await user.post('/repost/add', { from: mastodon, to: [bluesky, tiktok] });
  const video = await makeVideo({ width: 360, height: 640, fps: 25 });
  const { status } = await sendPost(user, { to: [tiktok, mastodon], video, fields: [['description', 'Sunset run']] });
  expect(status).toBe(200);
  const results = async () => {
    const { data } = (await user.get('/post/history')).body;
    return data.flatMap(({ result }: { result: { id: string; status: string }[] }) => result);
  };
  await eventually('all are posted', async () => {
    const all = await results();
    return all.length === 3 && all.every((each: { status: string }) => each.status === 'SUCCESS');
  });
  const ids = (await results()).map((each: { id: string }) => each.id);
  expect(ids.sort()).toEqual([tiktok, mastodon, bluesky].sort());
  const { body: feed } = await service.client.get('//sandbox/feed.json');
  expect(feed.map(({ platform, text }: { platform: string; text: string }) => `${platform}: ${text}`).sort()).toEqual([
    'bluesky: Sunset run',
    'mastodon: Sunset run',
    'tiktok: Sunset run',
  ]);
});

test('scheduled posts survive a downgrade, new ones fail', async () => {
  const user = await service.newUser({ plan: 'PRO' });
  const request = { userId: user.userId, platform: 'mastodon', privacy: 'public', actor: 'test' };
  const accounts: string[] = [];
  for (const username of ['ada', 'bea', 'cleo', 'dora'])
    accounts.push((await service.context.accounts.connectSandbox({ ...request, username }))[0]?.id ?? '');
  const [a = '', b = '', c = ''] = accounts;
  expect((await user.post('/repost/add', { from: a, to: [b] })).status).toBe(200);
  const video = await makeVideo({ width: 360, height: 640, fps: 25 });
  const at = String((await service.db.clock.now()).getTime() + 3_600_000);
  const send = (description: string) =>
    sendPost(user, {
      to: [c],
      video,
      fields: [
        ['scheduled', at],
        ['description', description],
      ],
    });
  const sent = await send('Before the downgrade');
  await service.db.execute(`update usage set posts = 30 where user_id = $1`, [user.userId]);
  await setPlan(service.db, user.email, 'FREE');
  expect((await send('After it')).body).toMatchObject({ code: 'plan_limit_reached' });
  expect((await user.post('/repost/add', { from: c, to: [a] })).body.limit).toMatchObject({ name: 'rules', value: 1 });
  await expect(service.context.accounts.connectSandbox({ ...request, username: 'eve' })).rejects.toMatchObject({
    code: 'plan_limit_reached',
  });
  expect((await user.get('/platform/platforms')).body.data).toHaveLength(4);
  expect((await user.get('/reposts')).body.data).toHaveLength(1);
  await service.db.clock.advance(3_600_000);
  await untilSettled(service, sent.body.historyId);
  const { body } = await user.get(`/post/${sent.body.historyId}`);
  expect(body.data.targets).toMatchObject([{ status: 'SUCCESS' }]);
});
