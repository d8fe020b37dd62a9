import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import { eventually, sendPost } from './world.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ config: { leastFreeBytes: 0 } });
});
afterAll(() => service.close());

test('a post appears once on each platform, and a rule carries it on to a third', async () => {
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
