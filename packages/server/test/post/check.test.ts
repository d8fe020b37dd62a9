import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectors } from '../../src/connectors/registry.ts';
import { ENGLISH } from '../../src/messages/formats.ts';
import { budgetKey } from '../../src/publishing/budgets.ts';
import type { TestService, TestUser } from '../harness/service.ts';
import { makeVideo } from '../media/fixtures.ts';
import { grantAccess, sendCheck } from './source-world.ts';
import { addReadyAccount, queuePost, type SendOptions, squareVideo, startPostService } from './world.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
let service: TestService;
let user: TestUser;
beforeAll(async () => {
  service = await startPostService();
});
beforeEach(async () => {
  user = await service.newUser();
});
afterAll(() => service.close());

const add = (platform: string, given: Parameters<typeof addReadyAccount>[2] = {}) =>
  addReadyAccount(service.db, user.userId, { platform, ...given });
/** Accepted by every platform without conversion. */
const good = () => makeVideo({ seconds: 6, width: 540, height: 960, fps: 25, extra: ['-g', '50'] });
const webm = () => makeVideo({ seconds: 4, width: 360, height: 640, fps: 25, extension: 'webm' });

const withSound = () => makeVideo({ seconds: 4, width: 90, height: 160, fps: 5, picture: 'plain' });

async function verdicts(options: SendOptions) {
  const { status, body } = await sendCheck(user, { video: await withSound(), ...options });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.result;
}
const verdict = async (options: SendOptions) => (await verdicts(options))[0];
const codeOf = async (options: SendOptions, caller = user) => {
  const { status, body } = await sendCheck(caller, options);
  return `${status} ${body.code}`;
};

describe('a video', () => {
  test('that every platform accepts fits everywhere and is described', async () => {
    const platforms = Object.keys(connectors).sort();
    const accounts = await Promise.all(platforms.map((platform) => add(platform, { username: `n-${platform}` })));
    const video = await good();
    const { body } = await sendCheck(user, { to: accounts.map(({ id }) => id), video });
    expect(body).toMatchObject({
      success: true,
      scheduled: false,
      reasons: [],
      video: { container: 'mp4', width: 540, height: 960, fps: 25, videoCodec: 'h264', audioCodec: 'aac', hdr: false },
    });
    expect(body.video.bytes).toBe((await readFile(video)).length);
    expect(body.result).toEqual(
      accounts.map(({ id }, index) => ({
        platformId: id,
        platform: platforms[index],
        username: `n-${platforms[index]}`,
        outcome: 'fits',
        caption: { length: 0, limit: expect.any(Number), unit: expect.stringMatching(/^(characters|bytes)$/) },
        reasons: [],
      })),
    );
  });

  test('that one platform rejects is converted for it alone', async () => {
    const [mastodon, telegram] = [await add('mastodon'), await add('telegram')];
    const [first, second] = await verdicts({ to: [mastodon.id, telegram.id], video: await webm() });
    expect(first).toMatchObject({ outcome: 'fits', reasons: [] });
    expect(second).toMatchObject({
      outcome: 'converted',
      reasons: [
        { effect: 'converted', code: 'converted', message: expect.stringContaining('The file format is webm') },
      ],
      rendition: { container: 'mp4', video: { width: 360, height: 640, fps: 25 }, audio: 'aac' },
    });
  });

  test('with only an unsupported container is remuxed', async () => {
    const telegram = await add('telegram');
    const mov = await makeVideo({ seconds: 4, width: 360, height: 640, fps: 25, extension: 'mov' });
    expect(await verdict({ to: [telegram.id], video: mov })).toMatchObject({
      outcome: 'converted',
      rendition: { container: 'mp4', video: 'copy', audio: 'copy' },
    });
  });

  test('in H.264 that phones cannot play is converted', async () => {
    const accounts = await Promise.all(['telegram', 'pinterest', 'tiktok'].map((platform) => add(platform)));
    const video = await makeVideo({ width: 360, height: 640, fps: 25, extra: ['-pix_fmt', 'yuv444p'] });
    for (const each of await verdicts({ to: accounts.map(({ id }) => id), video }))
      expect(each).toMatchObject({
        outcome: 'converted',
        reasons: [{ message: expect.stringContaining('Many phones cannot play this H.264 video') }],
        rendition: { video: { width: 360, height: 640, fps: 25 } },
      });
  });

  test('too short for one account fails only there', async () => {
    const [pinterest, mastodon] = [await add('pinterest'), await add('mastodon')];
    const video = await makeVideo({ seconds: 3, width: 360, height: 640, fps: 25 });
    const [first, second] = await verdicts({ to: [pinterest.id, mastodon.id], video });
    expect(first).toMatchObject({
      outcome: 'fails',
      reasons: [{ effect: 'fails', code: 'video_rejected', message: 'The video is 3.0 s long. The minimum is 4 s.' }],
    });
    expect(first.rendition).toBeUndefined();
    expect(second.outcome).toBe('fits');
  });

  test('of another shape is checked as it will be fitted', async () => {
    const { id } = await add('mastodon');
    const square = await squareVideo();
    expect(await codeOf({ to: [id], video: square })).toBe('400 video_not_vertical');
    const { body } = await sendCheck(user, { to: [id], video: square, fields: [['fit', 'pad']] });
    expect(body.video.width / body.video.height).toBeCloseTo(9 / 16, 2);
    expect(body.result[0].outcome).toBe('fits');
  });
});

describe('a caption', () => {
  test('that is too long somewhere reports the excess there', async () => {
    const [mastodon, bluesky] = [await add('mastodon'), await add('bluesky')];
    const [first, second] = await verdicts({
      to: [mastodon.id, bluesky.id],
      fields: [['description', 'x'.repeat(312)]],
    });
    expect(first).toMatchObject({ outcome: 'fits', reasons: [] });
    expect(second).toMatchObject({ outcome: 'refused' });
    expect(second.reasons).toEqual([
      {
        effect: 'refused',
        code: 'caption_too_long',
        message: expect.stringContaining('The maximum is 300'),
        excess: 12,
      },
    ]);
  });

  test('of one account counts with what its options add', async () => {
    const { id } = await add('mastodon');
    const asking = (own: object) =>
      verdict({
        to: [id],
        fields: [
          ['description', 'x'.repeat(600)],
          ['options', JSON.stringify({ mastodon: { caption: 'short', ...own } })],
        ],
      });
    expect(await asking({})).toMatchObject({ outcome: 'fits', reasons: [] });
    const spoiler = await asking({ caption: 'x'.repeat(450), spoilerText: 'y'.repeat(53) });
    expect(spoiler.reasons).toMatchObject([{ code: 'caption_too_long', excess: 3 }]);
  });

  test('that a platform rejects regardless of length is refused', async () => {
    const { id } = await add('instagram');
    const tagged = async (tags: number) =>
      verdict({ to: [id], video: await good(), fields: [['description', '#a '.repeat(tags)]] });
    expect(await tagged(30)).toMatchObject({ outcome: 'fits', reasons: [] });
    expect(await tagged(31)).toMatchObject({
      outcome: 'refused',
      reasons: [
        {
          effect: 'refused',
          code: 'invalid_request',
          message: expect.stringMatching(/^instagram @.*: Instagram allows at most 30 hashtags in a text\.$/),
        },
      ],
    });
  });

  test('too long only in bytes reports the excess bytes', async () => {
    const { id } = await add('youtube');
    const { reasons } = await verdict({ to: [id], fields: [['description', 'ä'.repeat(2_504)]] });
    expect(reasons).toMatchObject([{ code: 'caption_too_long', excess: 8 }]);
  });
});

describe('a platform limit', () => {
  const keyOf = async (platform: string, name: string, identityId: string) => {
    const connector = connectors[platform];
    const budget = connector?.budgets.find((each) => each.name === name);
    if (!connector || !budget) throw new Error('There is no such budget.');
    const key = budgetKey(connector, budget, { accountId: 'unused', identityId, service: '' });
    await service.db.execute('insert into budget (key) values ($1) on conflict do nothing', [key]);
    return key;
  };
  const use = async (platform: string, name: string, identityId: string, times: number, hoursAgo = 0) => {
    const key = await keyOf(platform, name, identityId);
    await service.db.execute(
      `insert into budget_use (key, at) select $1, app_now() - $2 * interval '1 hour' from generate_series(1, $3)`,
      [key, hoursAgo, times],
    );
  };
  const now = async () => (await service.db.clock.now()).getTime();

  test('with an exhausted sliding window waits for its first use', async () => {
    const account = await add('facebook');
    await use('facebook', 'reels', account.identityId, 30, 20);
    const { outcome, reasons } = await verdict({ to: [account.id], video: await good() });
    expect(outcome).toBe('waits');
    expect(reasons).toMatchObject([{ effect: 'waits', code: 'platform_limit_reached' }]);
    expect(Math.abs(Date.parse(reasons[0].until) - (await now()) - 4 * HOUR)).toBeLessThan(60_000);
  });

  test('with capacity at the time of the post is ignored', async () => {
    const account = await add('facebook');
    await use('facebook', 'reels', account.identityId, 29);
    expect(await verdict({ to: [account.id], video: await good() })).toMatchObject({ outcome: 'fits' });
    await use('facebook', 'reels', account.identityId, 1);
    const at = async (ms: number) => ({
      to: [account.id],
      video: await good(),
      fields: [['scheduled', String((await now()) + ms)]] as const,
    });
    expect(await verdict(await at(23 * HOUR))).toMatchObject({ outcome: 'waits' });
    expect(await verdict(await at(25 * HOUR))).toMatchObject({ outcome: 'fits' });
  });

  test('that resets at the platform’s midnight waits for it', async () => {
    const [day] = await service.db.query<{ midnight: Date }>(
      `select (date_trunc('day', app_now() at time zone 'America/Los_Angeles') + interval '2 days')
         at time zone 'America/Los_Angeles' as midnight`,
    );
    const midnight = day?.midnight ?? new Date(Number.NaN);
    await service.db.clock.advance(midnight.getTime() - HOUR - (await now()));
    const account = await add('youtube');
    await use('youtube', 'uploads', 'app', 100, 30);
    expect(await verdict({ to: [account.id] })).toMatchObject({ outcome: 'fits' });
    await use('youtube', 'uploads', 'app', 100, 20);
    expect(await verdict({ to: [account.id] })).toMatchObject({
      outcome: 'waits',
      reasons: [{ effect: 'waits', code: 'platform_limit_reached', until: midnight.toISOString() }],
    });
    const fields = [['scheduled', String(midnight.getTime())]] as const;
    expect(await verdict({ to: [account.id], fields })).toMatchObject({ outcome: 'fits' });
    await service.db.execute('delete from budget_use');
  });

  test('closed by the platform waits until it reopens', async () => {
    const account = await add('mastodon');
    const until = new Date((await now()) + 7 * 60_000).toISOString();
    const key = await keyOf('mastodon', 'uploads', account.identityId);
    await service.db.execute('update budget set closed_until = $2 where key = $1', [key, until]);
    expect(await verdict({ to: [account.id] })).toMatchObject({ outcome: 'waits', reasons: [{ until }] });
  });

  test('does not apply to sandbox accounts', async () => {
    const { config } = service.context;
    const account = await add('facebook', { sandbox: true });
    await use('facebook', 'reels', account.identityId, 30);
    try {
      service.context.config = { ...config, sandbox: true };
      expect(await verdict({ to: [account.id], video: await good() })).toMatchObject({ outcome: 'fits', reasons: [] });
    } finally {
      service.context.config = config;
    }
    expect(await verdict({ to: [account.id] })).toMatchObject({
      outcome: 'refused',
      reasons: [{ code: 'platform_not_connected' }, expect.anything()],
    });
  });
});

describe('access', () => {
  const withAccess = async (platform: string, access: Parameters<typeof grantAccess>[2]) => {
    const account = await add(platform);
    await grantAccess(service.db, { ...account, userId: user.userId, platform }, access);
    return account.id;
  };

  test('that expires before a scheduled post fails it', async () => {
    const id = await withAccess('linkedin', { days: 20 });
    const at = async (days: number) => {
      const when = (await service.db.clock.now()).getTime() + days * DAY;
      return verdict({ to: [id], video: await good(), fields: [['scheduled', String(when)]] });
    };
    expect(await at(19)).toMatchObject({ outcome: 'fits', reasons: [] });
    const late = await at(21);
    expect(late).toMatchObject({ outcome: 'fails', reasons: [{ effect: 'fails', code: 'reconnect_required' }] });
    expect(late.reasons[0].message).toContain(ENGLISH.time(Date.parse(late.reasons[0].until)));
  });

  test('that can be renewed indefinitely fails nothing', async () => {
    const id = await withAccess('x', { days: 1 });
    const when = String((await service.db.clock.now()).getTime() + 30 * DAY);
    expect(await verdict({ to: [id], fields: [['scheduled', when]] })).toMatchObject({ outcome: 'fits', reasons: [] });
  });

  test('without required permissions is a warning that names them', async () => {
    const id = await withAccess('tiktok', { scopes: ['user.info.basic'] });
    expect(await verdict({ to: [id], video: await good() })).toMatchObject({
      outcome: 'fits',
      reasons: [{ effect: 'warning', code: 'permission_missing', message: expect.stringContaining('video.publish') }],
    });
  });
});

describe('an account', () => {
  test('with a missing choice is reported unless the post chooses', async () => {
    const { id } = await add('tiktok');
    await service.db.execute(`update account set choices = '{}' where id = $1`, [id]);
    expect(await verdict({ to: [id], video: await good() })).toMatchObject({
      outcome: 'refused',
      reasons: [{ effect: 'refused', code: 'setup_needed' }],
    });
    const fields = [['options', '{"tiktok":{"privacy":"SELF_ONLY"}}']] as const;
    expect(await verdict({ to: [id], video: await good(), fields })).toMatchObject({ outcome: 'fits', reasons: [] });
  });

  test('with an invalid option is reported by path, others unaffected', async () => {
    const [tiktok, mastodon] = [await add('tiktok'), await add('mastodon')];
    const fields = [['options', '{"tiktok":{"privacy":"NOBODY"}}']] as const;
    const [first, second] = await verdicts({ to: [tiktok.id, mastodon.id], video: await good(), fields });
    expect(first).toMatchObject({
      outcome: 'refused',
      reasons: [{ code: 'invalid_request', message: expect.stringContaining('options.tiktok.privacy') }],
    });
    expect(second.outcome).toBe('fits');
  });

  test('that is disconnected is rejected with all other reasons', async () => {
    const { id } = await add('telegram', { status: 'EXPIRED' });
    const { outcome, reasons } = await verdict({ to: [id], video: await webm() });
    expect(outcome).toBe('refused');
    expect(reasons.map(({ code }: { code: string }) => code)).toEqual(['platform_not_connected', 'converted']);
  });

  test('unknown is 404, options for no account are 400', async () => {
    const { id } = await add('mastodon');
    const stranger = await service.newUser();
    expect(await codeOf({ to: ['019a0b1c-2d3e-7f40-8a5b-6c7d8e9f0a1b'] })).toBe('404 unknown_platform');
    expect(await codeOf({ to: [id] }, stranger)).toBe('404 unknown_platform');
    const fields = [['options', '{"youtube":{"title":"x"}}']] as const;
    expect(await codeOf({ to: [id], fields })).toBe('400 invalid_request');
  });
});

describe('a plan', () => {
  test('without posts left rejects the whole post', async () => {
    user = await service.newUser({ plan: 'FREE' });
    const { id } = await add('mastodon');
    await service.db.execute(
      `insert into usage (user_id, month, posts) values ($1, date_trunc('month', app_now() at time zone 'UTC'), 30)`,
      [user.userId],
    );
    const { body } = await sendCheck(user, { to: [id], video: await withSound() });
    expect(body.reasons).toMatchObject([{ effect: 'refused', code: 'plan_limit_reached' }]);
    expect(body.result).toMatchObject([{ outcome: 'fits', reasons: [] }]);
  });

  test('without scheduled posts left affects scheduled posts only', async () => {
    user = await service.newUser({ plan: 'FREE' });
    const account = await add('mastodon');
    const { id } = account;
    const at = (await service.db.clock.now()).getTime() + HOUR;
    for (let left = 10; left > 0; left--) await queuePost(service, user.userId, [account], { at });
    const fields = [['scheduled', String(at)]] as const;
    const { body } = await sendCheck(user, { to: [id], fields });
    expect(body).toMatchObject({
      scheduled: true,
      reasons: [{ effect: 'refused', code: 'plan_limit_reached', message: expect.stringContaining('ahead') }],
    });
    expect((await sendCheck(user, { to: [id] })).body.reasons).toEqual([]);
  });
});
