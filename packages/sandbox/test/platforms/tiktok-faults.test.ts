import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../harness/after-test.ts';
import { sha256, single, startTikTok, type TikTok } from './tiktok-calls.ts';

const HOUR_MS = 3_600_000;

const start = closedAfterTest(startTikTok);

const creatorInfo = (tiktok: TikTok, token: string) =>
  tiktok.call('POST', '/v2/post/publish/creator_info/query/', {
    token,
    headers: { 'content-type': 'application/json; charset=UTF-8' },
  });

describe('limits', () => {
  const rateLimited = { status: 429, json: { data: {}, error: { code: 'rate_limit_exceeded' } } };

  test.for<[string, number, (tiktok: TikTok, token: string) => Promise<unknown>]>([
    ['init', 6, (tiktok, token) => tiktok.init(token)],
    ['creator info', 20, creatorInfo],
    ['status', 30, (tiktok, token) => tiktok.status(token, 'none')],
    ['user info', 600, (tiktok, token) => tiktok.call('GET', '/v2/user/info/?fields=open_id', { token })],
  ])('%s allows %i calls per minute and token', async ([, limit, call]) => {
    const tiktok = await start({ limits: true });
    const token = await tiktok.token();
    for (let i = 0; i < limit; i += 1) expect(await call(tiktok, token)).not.toMatchObject(rateLimited);
    const refused = (await call(tiktok, token)) as { headers: Headers };
    expect(refused).toMatchObject(rateLimited);
    expect(refused.headers.has('retry-after')).toBe(false);
    expect(await call(tiktok, await tiktok.token())).not.toMatchObject(rateLimited);
    tiktok.clock.now += 59_999;
    expect(await call(tiktok, token)).toMatchObject(rateLimited);
    tiktok.clock.now += 1;
    expect(await call(tiktok, token)).not.toMatchObject(rateLimited);
  });

  test('fifteen posts per day and creator in a moving window', async () => {
    const tiktok = await start({ limits: true });
    for (let i = 0; i < 15; i += 1) {
      await tiktok.post(await tiktok.token(), `post ${i}`);
      tiktok.clock.now += 60_000;
    }
    const token = await tiktok.token();
    const error = { code: 'spam_risk_too_many_posts' };
    expect(await tiktok.init(token)).toMatchObject({ status: 403, json: { error } });
    expect(await creatorInfo(tiktok, token)).toMatchObject({ status: 200, json: { error } });
    expect((await tiktok.init(await tiktok.token('ida'))).status).toBe(200);
    tiktok.clock.now += 24 * HOUR_MS - 15 * 60_000;
    expect((await tiktok.init(await tiktok.token())).status).toBe(200);
  });

  test('disabled limits allow everything', async () => {
    const tiktok = await start();
    const token = await tiktok.token();
    for (let i = 0; i < 20; i += 1) await tiktok.post(token, `post ${i}`);
    expect(await tiktok.published()).toHaveLength(20);
  });
});

describe('failures requested by caption', () => {
  test('reconnect: init revokes the grant', async () => {
    const tiktok = await start();
    const { tokenAnswer } = await tiktok.simulator.enrol('nora');
    const { access_token: token, refresh_token } = tokenAnswer as { access_token: string; refresh_token: string };
    expect(await tiktok.init(token, { title: 'x #sandbox-reconnect' })).toMatchObject({
      status: 401,
      json: { error: { code: 'access_token_invalid' } },
    });
    expect((await creatorInfo(tiktok, token)).status).toBe(401);
    const form = {
      client_key: 'sandbox-client',
      client_secret: 'sandbox-secret',
      grant_type: 'refresh_token',
      refresh_token,
    };
    expect((await tiktok.call('POST', '/v2/oauth/token/', { form })).json.error).toBe('invalid_grant');
    expect((await tiktok.init(await tiktok.token('nora'))).status).toBe(200);
  });

  test('reject: the upload is accepted and the post fails', async () => {
    const tiktok = await start();
    const token = await tiktok.token();
    const publishId = await tiktok.post(token, 'x #sandbox-reject');
    expect((await tiktok.status(token, publishId)).json.data).toMatchObject({
      status: 'FAILED',
      fail_reason: 'file_format_check_failed',
    });
    expect(await tiktok.published()).toEqual([]);
  });

  test('rate-limit: rejects the first two inits of a caption', async () => {
    const tiktok = await start();
    const token = await tiktok.token();
    const statuses = async (title: string) => (await tiktok.init(token, { title })).status;
    for (const title of ['a #sandbox-rate-limit', 'b #sandbox-rate-limit', 'a #sandbox-rate-limit'])
      expect([await statuses(title), await statuses('other'), await statuses(title), await statuses(title)]).toEqual([
        429, 200, 429, 200,
      ]);
  });

  test('slow: processing takes thirty seconds', async () => {
    const tiktok = await start({ processingMs: 5_000 });
    const token = await tiktok.token();
    const publishId = await tiktok.post(token, 'x #sandbox-slow');
    const ids = async () => (await tiktok.status(token, publishId)).json.data.publicaly_available_post_id.length;
    tiktok.clock.now += 29_999;
    expect(await ids()).toBe(0);
    tiktok.clock.now += 1;
    expect(await ids()).toBe(1);
  });

  test('lost-answer: publishes, then closes the connection', async () => {
    const tiktok = await start();
    const token = await tiktok.token();
    const bytes = randomBytes(1000);
    const { json } = await tiktok.init(token, { title: 'x #sandbox-lost-answer' }, single(1000));
    await expect(tiktok.put(json.data.upload_url, bytes, 0, 1000)).rejects.toThrow();
    expect((await tiktok.published()).map((entry) => entry.sha256)).toEqual([sha256(bytes)]);
    expect((await tiktok.status(token, json.data.publish_id)).json.data.status).toBe('PUBLISH_COMPLETE');
    expect((await tiktok.put(json.data.upload_url, bytes, 0, 1000)).status).toBe(416);
  });

  test('down: three calls fail, then all succeed', async () => {
    const tiktok = await start();
    const token = await tiktok.token();
    const title = 'x #sandbox-down';
    for (let time = 0; time < 2; time += 1) {
      expect(await tiktok.init(token, { title })).toMatchObject({
        status: 503,
        json: { error: { code: 'internal_error' } },
      });
      expect((await tiktok.init(await tiktok.token('ida'))).status).toBe(200);
      expect((await creatorInfo(tiktok, token)).status).toBe(503);
      expect((await tiktok.init(token, { title })).status).toBe(503);
      expect((await creatorInfo(tiktok, token)).status).toBe(200);
      expect((await tiktok.init(token, { title })).status).toBe(200);
    }
  });
});

describe('errors for fault injection', () => {
  test.for([
    ['rate-limited', 429, 'rate_limit_exceeded'],
    ['rate-limited-with-wait', 429, 'rate_limit_exceeded'],
    ['server-error', 500, 'internal_error'],
    ['token-expired', 401, 'access_token_invalid'],
    ['token-revoked', 401, 'access_token_invalid'],
  ] as const)('%s', async ([refusal, status, code]) => {
    const tiktok = await start();
    const token = await tiktok.token();
    tiktok.faults.add({ when: () => true, times: 1, fault: { kind: 'refusal', refusal } });
    expect(await tiktok.init(token)).toMatchObject({ status, json: { error: { code, log_id: expect.any(String) } } });
    expect((await tiktok.init(token)).status).toBe(200);
  });
});
