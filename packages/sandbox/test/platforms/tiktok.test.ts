import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chunkLength, chunkPlanFault } from '../../src/platforms/tiktok/chunk-plan.ts';
import type { Account, AppSettings } from '../../src/platforms/tiktok/records.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { single, startTikTok, type TikTok } from './tiktok-calls.ts';

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;

const start = closedAfterTest(startTikTok);

function changeAccount(tiktok: TikTok, openId: string, change: Partial<Account>) {
  return tiktok.store.change<Account>('account', openId, (account) => account && { ...account, ...change });
}

async function openIdOf(tiktok: TikTok, username = 'nora.cuts') {
  return (await tiktok.simulator.enrol(username)).remoteId;
}

const creatorInfo = (tiktok: TikTok, token: string) =>
  tiktok.call('POST', '/v2/post/publish/creator_info/query/', {
    token,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
  });

describe('identity', () => {
  test('user info returns exactly the requested fields', async () => {
    const tiktok = await start();
    const token = await tiktok.token();
    const fields = 'open_id,union_id,avatar_url,avatar_url_100,avatar_large_url,display_name,username,video_count';
    const { json } = await tiktok.call('GET', `/v2/user/info/?fields=${fields}`, { token });
    expect(Object.keys(json.data.user)).toEqual(fields.split(','));
    expect(json.data.user).toMatchObject({ open_id: await openIdOf(tiktok), username: 'nora.cuts', video_count: 0 });
    expect(json.error).toEqual({ code: 'ok', message: '', log_id: expect.stringMatching(/^\d{14}[0-9A-F]+$/) });
    const picture = await tiktok.call('GET', json.data.user.avatar_url ?? '');
    expect(picture.headers.get('content-type')).toBe('image/png');
  });

  test.for<[string, string, number, string]>([
    ['', 'user.info.basic', 400, 'invalid_params'],
    ['?fields=', 'user.info.basic', 400, 'invalid_params'],
    ['?fields=shoe_size', 'user.info.basic', 400, 'invalid_params'],
    ['?fields=username', 'user.info.basic', 401, 'scope_permission_missed'],
    ['?fields=open_id', 'video.list', 401, 'scope_not_authorized'],
  ])('user info%s with %s is refused', async ([query, scope, status, code]) => {
    const tiktok = await start();
    const token = await tiktok.token('nora', [scope]);
    const response = await tiktok.call('GET', `/v2/user/info/${query}`, { token });
    expect(response).toMatchObject({ status, json: { data: {}, error: { code } } });
  });

  test.for<Record<string, string>>([{}, { authorization: 'Bearer act.unknown' }, { authorization: 'Basic abc' }])(
    'rejects every call with %j',
    async (headers) => {
      const tiktok = await start();
      for (const [method, path] of [
        ['GET', '/v2/user/info/?fields=open_id'],
        ['POST', '/v2/post/publish/creator_info/query/'],
        ['POST', '/v2/post/publish/video/init/'],
        ['POST', '/v2/post/publish/status/fetch/'],
        ['POST', '/v2/post/publish/cancel/'],
        ['POST', '/v2/video/list/?fields=id'],
        ['POST', '/v2/video/query/?fields=id'],
      ] as const) {
        const response = await tiktok.call(method, path, { headers });
        expect(response).toMatchObject({ status: 401, json: { error: { code: 'access_token_invalid' } } });
      }
    },
  );

  test('every call requires its scope', async () => {
    const tiktok = await start();
    const token = await tiktok.token('nora', ['user.info.basic']);
    for (const path of ['creator_info/query/', 'video/init/', 'status/fetch/', 'cancel/'])
      expect(await tiktok.call('POST', `/v2/post/publish/${path}`, { token, json: {} })).toMatchObject({
        status: 401,
        json: { error: { code: 'scope_not_authorized' } },
      });
    for (const path of ['list', 'query'])
      expect((await tiktok.call('POST', `/v2/video/${path}/?fields=id`, { token, json: {} })).status).toBe(401);
    const drafts = await tiktok.token('nora', ['video.upload']);
    expect((await tiktok.status(drafts, 'x')).json.error.code).toBe('invalid_publish_id');
  });

  test('creator info reflects the account', async () => {
    const tiktok = await start();
    const token = await tiktok.token();
    expect((await creatorInfo(tiktok, token)).json.data).toMatchObject({
      creator_username: 'nora.cuts',
      privacy_level_options: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
      comment_disabled: false,
      max_video_post_duration_sec: 600,
    });
    await changeAccount(tiktok, await openIdOf(tiktok), { private: true, commentDisabled: true, maxSeconds: 180 });
    expect((await creatorInfo(tiktok, token)).json.data).toMatchObject({
      privacy_level_options: ['FOLLOWER_OF_CREATOR', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
      comment_disabled: true,
      max_video_post_duration_sec: 180,
    });
    const untyped = await tiktok.call('POST', '/v2/post/publish/creator_info/query/', { token });
    expect(untyped.json.error.code).toBe('invalid_params');
  });

  test('unknown paths and methods are 404 in the envelope', async () => {
    const tiktok = await start();
    for (const [method, path] of [
      ['GET', '/v2/nothing/'],
      ['POST', '/v2/user/info/'],
      ['GET', '/v2/user/info'],
    ] as const)
      expect(await tiktok.call(method, path)).toMatchObject({
        status: 404,
        json: { error: { code: 'unsupported_path' } },
      });
  });
});

describe('init', () => {
  test('returns a publish id and an upload URL within limits', async () => {
    const tiktok = await start();
    const { json } = await tiktok.init(await tiktok.token());
    expect(json.data.publish_id).toMatch(/^v_pub_file~v2-1\.\d{19}$/);
    expect(json.data.upload_url.length).toBeLessThanOrEqual(256);
    expect(json.data.upload_url).toMatch(/\?upload_id=\d+&upload_token=\w+$/);
  });

  test.for<[string, object]>([
    ['no privacy', { privacy_level: undefined }],
    ['a title that is no text', { title: 7 }],
    ['2201 UTF-16 units', { title: `${'😀'.repeat(1100)}x` }],
    ['no brand_content_toggle', { brand_content_toggle: undefined }],
    ['no brand_organic_toggle', { brand_organic_toggle: undefined }],
    ['disable_duet as text', { disable_duet: 'no' }],
    ['is_aigc as a number', { is_aigc: 1 }],
    ['branded content for oneself', { brand_content_toggle: true, privacy_level: 'SELF_ONLY' }],
  ])('%s is invalid_params', async ([, post]) => {
    const tiktok = await start();
    expect(await tiktok.init(await tiktok.token(), post)).toMatchObject({
      status: 400,
      json: { data: {}, error: { code: 'invalid_params' } },
    });
  });

  test('accepts 2200 UTF-16 units, no title, invalid cover times', async () => {
    const tiktok = await start();
    const token = await tiktok.token();
    for (const post of [{ title: '😀'.repeat(1100) }, { title: undefined }, { video_cover_timestamp_ms: 'first' }])
      expect((await tiktok.init(token, post)).status).toBe(200);
  });

  test('a body that is not a JSON object is invalid_params', async () => {
    const tiktok = await start();
    const token = await tiktok.token();
    const path = '/v2/post/publish/video/init/';
    for (const options of [{ json: [] }, { json: {}, headers: { 'content-type': 'text/plain' } }, {}, { json: {} }])
      expect((await tiktok.call('POST', path, { token, ...options })).json.error.code).toBe('invalid_params');
  });

  test.for<[string, object, string]>([
    ['no source', { source: undefined }, 'invalid_params'],
    [
      'a foreign address',
      { source: 'PULL_FROM_URL', video_url: 'https://a.example/v.mp4' },
      'url_ownership_unverified',
    ],
    [
      'more than 4 GB',
      { video_size: 4 * 1024 ** 3 + 1, chunk_size: 64_000_000, total_chunk_count: 67 },
      'invalid_file_upload',
    ],
    ['sizes as text', { video_size: '1000', chunk_size: '1000' }, 'invalid_params'],
    ['an empty video', single(0), 'invalid_params'],
    ['a small video in two chunks', { video_size: 1000, chunk_size: 500, total_chunk_count: 2 }, 'invalid_params'],
    [
      'a small video with a large chunk',
      { video_size: 1000, chunk_size: 5 * MIB, total_chunk_count: 1 },
      'invalid_params',
    ],
    ['chunks below 5 MB', { video_size: 20_000_000, chunk_size: 4_000_000, total_chunk_count: 5 }, 'invalid_params'],
    ['chunks above 64 MB', { video_size: 140_000_000, chunk_size: 70_000_000, total_chunk_count: 2 }, 'invalid_params'],
    ['a count rounded up', { video_size: 50_000_123, chunk_size: 10_000_000, total_chunk_count: 6 }, 'invalid_params'],
    [
      'more than 64 MB at once',
      { video_size: 70_000_000, chunk_size: 64_000_000, total_chunk_count: 1 },
      'invalid_params',
    ],
    ['a fraction', { video_size: 1000.5, chunk_size: 1000.5, total_chunk_count: 1 }, 'invalid_params'],
  ])('%s is refused', async ([, source, code]) => {
    const tiktok = await start();
    const response = await tiktok.init(await tiktok.token(), {}, source);
    expect(response.json.error.code).toBe(code);
    expect(response.status).toBe(code === 'url_ownership_unverified' ? 403 : 400);
  });

  test.for<object>([
    { video_size: 50_000_123, chunk_size: 10_000_000, total_chunk_count: 5 },
    single(1),
    single(5 * MIB),
    single(64_000_000),
    { video_size: 64_000_001, chunk_size: 32_000_000, total_chunk_count: 2 },
  ])('accepts the plan %j', async (source) => {
    const tiktok = await start();
    expect((await tiktok.init(await tiktok.token(), {}, source)).status).toBe(200);
  });

  test('every accepted plan splits the video without gaps', () => {
    const sizes = fc.integer({ min: 1, max: 1_000_000_000 });
    const counts = fc.integer({ min: 1, max: 250 });
    const exact = fc
      .tuple(fc.integer({ min: 5 * MIB, max: 64_000_000 }), fc.integer({ min: 2, max: 1000 }), fc.nat())
      .map(([chunk, count, rest]) => [chunk * count + (rest % chunk), chunk, count] as const);
    fc.assert(
      fc.property(fc.oneof(exact, fc.tuple(sizes, sizes, counts)), ([size, chunk, count]) => {
        if (chunkPlanFault(size, chunk, count) !== null) return;
        let first = 0;
        for (let index = 0; index < count; index += 1) {
          const length = chunkLength(size, chunk, count, first) ?? 0;
          const last = index === count - 1;
          expect(length).toBeLessThanOrEqual(last ? 128_000_000 : 64_000_000);
          expect(length >= 5_000_000 || count === 1).toBe(true);
          first += length;
        }
        expect(first).toBe(size);
        expect(chunkLength(size, chunk, count, first)).toBeNull();
      }),
    );
    fc.assert(fc.property(exact, ([size, chunk, count]) => chunkPlanFault(size, chunk, count) === null));
    fc.assert(fc.property(exact, ([size, chunk, count]) => chunkPlanFault(size, chunk, count + 1) !== null));
  });

  test('a privacy that the creator cannot choose is a mismatch', async () => {
    const tiktok = await start();
    const token = await tiktok.token();
    const code = 'privacy_level_option_mismatch';
    expect(await tiktok.init(token, { privacy_level: 'FOLLOWER_OF_CREATOR' })).toMatchObject({
      status: 403,
      json: { error: { code } },
    });
    await changeAccount(tiktok, await openIdOf(tiktok), { private: true });
    expect((await tiktok.init(token, { privacy_level: 'PUBLIC_TO_EVERYONE' })).json.error.code).toBe(code);
    expect((await tiktok.init(token, { privacy_level: 'FOLLOWER_OF_CREATOR' })).status).toBe(200);
  });

  test('a banned user gets 403 from init, 200 from creator_info', async () => {
    const tiktok = await start();
    const token = await tiktok.token();
    await changeAccount(tiktok, await openIdOf(tiktok), { banned: true });
    const error = { code: 'spam_risk_user_banned_from_posting' };
    expect(await tiktok.init(token)).toMatchObject({ status: 403, json: { error } });
    expect(await creatorInfo(tiktok, token)).toMatchObject({ status: 200, json: { data: {}, error } });
  });

  test('an unaudited app posts privately for five users per day', async () => {
    const tiktok = await start();
    const settings: AppSettings = { audited: false, activeUserCap: null };
    await tiktok.store.put('app', 'settings', settings);
    const mine = { privacy_level: 'SELF_ONLY' };
    const token = await tiktok.token('user0');
    const unaudited = { status: 403, json: { error: { code: 'unaudited_client_can_only_post_to_private_accounts' } } };
    expect(await tiktok.init(token)).toMatchObject(unaudited);
    expect(await tiktok.init(token, mine)).toMatchObject(unaudited);
    for (let user = 0; user < 6; user += 1) {
      await changeAccount(tiktok, await openIdOf(tiktok, `user${user}`), { private: true });
      const response = await tiktok.init(await tiktok.token(`user${user}`), mine);
      expect(response.json.error.code).toBe(user < 5 ? 'ok' : 'reached_active_user_cap');
    }
    expect((await tiktok.init(token, mine)).status).toBe(200);
    tiktok.clock.now += 24 * HOUR_MS;
    expect((await tiktok.init(await tiktok.token('user5'), mine)).status).toBe(200);
  });

  test('the creator cap returns 403 from init, 200 from creator_info', async () => {
    const tiktok = await start();
    const settings: AppSettings = { audited: true, activeUserCap: 1 };
    await tiktok.store.put('app', 'settings', settings);
    await tiktok.init(await tiktok.token('nora'));
    const other = await tiktok.token('ida');
    const error = { code: 'reached_active_user_cap' };
    expect(await tiktok.init(other)).toMatchObject({ status: 403, json: { error } });
    expect(await creatorInfo(tiktok, other)).toMatchObject({ status: 200, json: { error } });
  });
});
