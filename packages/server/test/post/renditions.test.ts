import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sweepRenditions } from '../../src/media/rendition/rendition-store.ts';
import { startService, type TestService, type TestUser } from '../harness/service.ts';
import { editFile, makeVideo } from '../media/fixtures.ts';
import { eventually, filesOf, sendPost, untilSettled } from './world.ts';

let service: TestService;
let user: TestUser;
beforeAll(async () => {
  service = await startService({ config: { leastFreeBytes: 0 } });
  user = await service.newUser();
});
afterAll(() => service.close());

const connect = async (platform: string, username = `nora-${platform}`) => {
  const request = { userId: user.userId, platform, username, privacy: 'public', actor: 'test' };
  return (await service.context.accounts.connectSandbox(request))[0]?.id ?? '';
};
/** Accepted by TikTok; Telegram accepts only MP4. */
const webm = () => makeVideo({ seconds: 4, width: 360, height: 640, fps: 25, extension: 'webm' });
/** Accepted by Telegram after remuxing, which takes no time. */
const mov = () => makeVideo({ extension: 'mov' });
const detailed = async (id: string) => (await user.get(`/post/${id}`)).body.data;
const renditions = () =>
  service.db.query<{ id: string; state: string; storage_key: string }>(
    'select id, state, storage_key from rendition order by id',
  );
const settled = async (id: string) => {
  await untilSettled(service, id);
  return (await detailed(id)).targets;
};
const eventsOf = ({ timeline }: { timeline: { event: string }[] }) => timeline.map(({ event }) => event);

test('a rendition is made once and shared', async () => {
  const [tiktok, one, other] = [
    await connect('tiktok'),
    await connect('telegram'),
    await connect('telegram', 'nora-more'),
  ];
  const { body } = await sendPost(user, {
    to: [tiktok, one, other],
    video: await webm(),
    fields: [['description', 'From a browser']],
  });
  const [direct, ...converted] = await settled(body.historyId);
  expect([direct, ...converted].map(({ status }) => status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
  expect(eventsOf(direct)).not.toContain('rendition');
  for (const target of converted) {
    expect(target.timeline[1].text).toMatch(/^The video is converted first\. The file format is webm\. Allowed: mp4\./);
    expect(target.timeline).toContainEqual(
      expect.objectContaining({
        event: 'rendition',
        text: expect.stringMatching(/^Converted to 360×640, \d+ kB\.$/),
      }),
    );
  }
  const made = await service.db.query<{ bytes: string; sha256: string }>(
    `select bytes, encode(sha256, 'hex') as sha256 from rendition`,
  );
  expect(made).toHaveLength(1);
  const { body: feed } = await service.client.get('//sandbox/feed.json');
  const original = await readFile(await webm());
  const sizes = feed
    .filter(({ text }: { text: string }) => text === 'From a browser')
    .map(({ platform, sha256, bytes }: Record<string, string>) => `${platform} ${sha256 === made[0]?.sha256} ${bytes}`);
  expect(sizes.sort()).toEqual([
    `telegram true ${made[0]?.bytes}`,
    `telegram true ${made[0]?.bytes}`,
    `tiktok false ${original.length}`,
  ]);
});

test('a rendition is deleted when no target needs it', async () => {
  const telegram = await connect('telegram');
  const { body } = await sendPost(user, {
    to: [telegram],
    video: await mov(),
    fields: [['description', 'Gone later']],
  });
  await settled(body.historyId);
  const [row] = (await renditions()).slice(-1);
  expect(await service.context.storage.size(row?.storage_key ?? '')).toBeGreaterThan(0);
  await service.db.execute(`update rendition set created_at = created_at - interval '1 hour'`);
  await sweepRenditions(service.db);
  expect(await renditions()).toEqual([]);
  await eventually(
    'the file is gone',
    async () => (await service.context.storage.size(row?.storage_key ?? '')) === null,
  );
});

test('a video that conversion cannot fix is rejected before sending', async () => {
  const pinterest = await connect('pinterest');
  const { body } = await sendPost(user, {
    to: [pinterest],
    video: await makeVideo({ seconds: 3, width: 360, height: 640 }),
  });
  const [target] = await settled(body.historyId);
  expect(target).toMatchObject({
    message: 'video_rejected',
    detail: 'The video is 3.0 s long. The minimum is 4 s.',
  });
});

test('a scheduled post is converted ahead and canceled without leftovers', async () => {
  const telegram = await connect('telegram');
  const before = (await renditions()).map(({ id }) => id);
  const { body } = await sendPost(user, {
    to: [telegram],
    video: await mov(),
    fields: [['scheduled', String(Date.now() + 3_600_000)]],
  });
  const own = async () => (await renditions()).filter(({ id }) => !before.includes(id));
  await eventually('it is made', async () => (await own())[0]?.state === 'stored');
  const [target] = (await detailed(body.historyId)).targets;
  expect(target).toMatchObject({ status: 'PENDING' });
  expect(eventsOf(target)).toContain('rendition');
  const key = (await own())[0]?.storage_key ?? '';
  expect(await service.context.storage.size(key)).toBeGreaterThan(0);
  expect((await user.get(`/post/cancelSchedule?id=${body.historyId}`)).status).toBe(200);
  expect(await own()).toEqual([]);
  await eventually('its file is gone', async () => (await service.context.storage.size(key)) === null);
});

test('canceling during a conversion leaves nothing', async () => {
  const telegram = await connect('telegram');
  const before = await filesOf(service);
  const { body } = await sendPost(user, {
    to: [telegram],
    video: await makeVideo({ seconds: 10, width: 540, height: 960, fps: 25, extension: 'avi' }),
    fields: [['scheduled', String(Date.now() + 3_600_000)]],
  });
  const { scratch } = service.context.storage;
  await eventually('it is being converted', async () =>
    (await readdir(scratch)).some((name) => name.endsWith('.part')),
  );
  expect((await user.get('/post/cancelSchedule', { id: body.historyId })).status).toBe(200);
  await eventually('all its files are gone', async () =>
    (await filesOf(service)).every((path) => path.includes('/sandbox/') || before.includes(path)),
  );
});

/** Hashes of the published posts with this text. */
const appeared = async (text: string) => {
  const { body } = await service.client.get('//sandbox/feed.json');
  return body.filter((each: { text: string }) => each.text === text).map(({ sha256 }: { sha256: string }) => sha256);
};
const madeSince = async (before: readonly string[]) =>
  (
    await service.db.query<{ id: string; state: string; fence: number; sha256: string }>(
      `select id, state, fence, encode(sha256, 'hex') as sha256 from rendition order by id`,
    )
  ).filter(({ id }) => !before.includes(id));

describe('a repost by a rule', () => {
  const repost = async (from: string, to: string, text: string, video: string) => {
    const before = (await renditions()).map(({ id }) => id);
    expect((await user.post('/repost/add', { from, to: [to] })).status).toBe(200);
    await sendPost(user, { to: [from], video, fields: [['description', text]] });
    await eventually('both are posted', async () => (await appeared(text)).length === 2);
    return madeSince(before);
  };

  test('shares the rendition of its source post', async () => {
    const accounts = [await connect('telegram', 'nora-one'), await connect('telegram', 'nora-two')] as const;
    const made = await repost(...accounts, 'Shared', await mov());
    expect(made).toMatchObject([{ state: 'stored', fence: 1 }]);
    expect(await appeared('Shared')).toEqual([made[0]?.sha256, made[0]?.sha256]);
  });

  test('makes a rendition that its source did not need', async () => {
    const accounts = [await connect('mastodon', 'nora'), await connect('telegram', 'nora-three')] as const;
    const made = await repost(...accounts, 'Made for it', await mov());
    expect(made).toMatchObject([{ state: 'stored' }]);
    expect(await appeared('Made for it')).toContain(made[0]?.sha256);
  });
});

test('a partly undecodable video is rejected; a retry converts again', async () => {
  const tiktok = await connect('tiktok', 'nora-mended');
  const whole = await makeVideo({ seed: 3 });
  const broken = await editFile(whole, (bytes) => {
    const start = bytes.indexOf('mdat') + 4;
    return bytes.fill(7, start + Math.floor((bytes.length - start) / 2));
  });
  const before = (await renditions()).map(({ id }) => id);
  const fields = [['description', 'Mended']] as const;
  const { body } = await sendPost(user, { to: [tiktok], video: broken, fields });
  const [failed] = await settled(body.historyId);
  expect(failed).toMatchObject({ status: 'FAILED', message: 'video_rejected' });
  expect(failed.detail).toMatch(/The minimum is 23\..* The conversion failed: .*decoded to its end\.$/);
  expect(await madeSince(before)).toMatchObject([{ state: 'failed', fence: 1 }]);
  const [media] = await service.db.query<{ key: string }>(
    'select m.storage_key as key from media m join post p on p.media_id = m.id where p.id = $1',
    [body.historyId],
  );
  await writeFile(join(service.context.config.storageFolder, media?.key ?? ''), await readFile(whole));
  expect((await user.post(`/post/${body.historyId}/retry`, {})).status).toBe(200);
  expect(await settled(body.historyId)).toMatchObject([{ status: 'SUCCESS' }]);
  const made = await madeSince(before);
  expect(made).toMatchObject([{ state: 'stored', fence: 2 }]);
  expect(await appeared('Mended')).toEqual([made[0]?.sha256]);
});
