import { describe, expect, test } from 'vitest';
import type { Container, Profile } from '../../src/platforms/threads/records.ts';
import { SWITCHES } from '../../src/platforms/threads/records.ts';
import { killGrant } from '../../src/platforms/threads/tokens.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { parseJson } from '../harness/parse-json.ts';
import { isWholeUpload } from '../harness/simulator.ts';
import { REDIRECT, SCOPES, startThreads } from './threads-raw.ts';

const start = closedAfterTest(startThreads);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const errorOf = ({ json }: { json: { error: { code: number; error_subcode?: number } } }) =>
  [json.error.code, json.error.error_subcode].filter((part) => part !== undefined).join('/');

describe('login', () => {
  test('code, token for an hour, token for sixty days', async () => {
    const threads = await start();
    const { back } = await threads.consent();
    expect([back?.searchParams.get('state'), back?.hash]).toEqual(['the state', '#_']);
    const short = await threads.redeem(back?.searchParams.get('code') ?? '');
    const { remoteId } = await threads.simulator.enrol('nora.cuts');
    expect(Number.isSafeInteger(Number(remoteId))).toBe(false);
    expect(parseJson(short.text)).toEqual({ access_token: expect.stringMatching(/^TH/), user_id: remoteId });
    expect(short.text).toContain(`:${remoteId}}`);
    const long = await threads.lengthen(short.json.access_token);
    expect(long.json).toEqual({
      access_token: expect.stringMatching(/^TH/),
      token_type: 'bearer',
      expires_in: 5_184_000,
    });
    const fields = 'id,username,name,threads_profile_picture_url,threads_biography,is_verified';
    const me = await threads.call('GET', '/v1.0/me', { fields, access_token: long.json.access_token });
    expect(me.json).toEqual({
      id: remoteId,
      username: 'nora.cuts',
      name: 'nora.cuts',
      threads_profile_picture_url: expect.stringContaining('/picture/'),
      threads_biography: '',
      is_verified: false,
    });
  });

  test('a denied consent returns access_denied', async () => {
    const { back } = await (await start()).consent({ decision: 'deny' });
    expect(Object.fromEntries(back?.searchParams ?? [])).toMatchObject({ error: 'access_denied', state: 'the state' });
  });

  test.each([
    ['an unknown application', { client_id: 'x' }],
    ['an address without TLS', { redirect_uri: 'http://reelay.example/callback' }],
    ['an unknown scope', { scope: 'threads_basic,everything' }],
    ['no basic scope', { scope: 'threads_content_publish' }],
    ['another response type', { response_type: 'token' }],
    ['no state', { state: '' }],
    ['no user name', {}],
  ])('the page rejects %s with an error', async (name, asked) => {
    const { response, back } = await (await start()).consent(name === 'no user name' ? { username: ' ' } : {}, asked);
    expect([response.status, back]).toEqual([400, null]);
    expect(response.text).toContain('role="alert"');
  });

  test('the page lists the requested scopes', async () => {
    const threads = await start();
    const asked = {
      client_id: 'sandbox-client',
      redirect_uri: REDIRECT,
      scope: SCOPES,
      response_type: 'code',
      state: 's',
    };
    const shown = await threads.call('GET', '/oauth/authorize', asked);
    expect(shown.status).toBe(200);
    for (const scope of SCOPES.split(',')) expect(shown.text).toContain(scope);
  });

  test.each([
    ['a code that nobody gave', { code: 'x' }],
    ['another address', { redirect_uri: `${REDIRECT}/` }],
    ['another secret', { client_secret: 'x' }],
    ['another application', { client_id: 'x' }],
    ['another grant', { grant_type: 'x' }],
  ])('the code exchange rejects %s in its own format', async (_name, changes) => {
    const threads = await start();
    const { back } = await threads.consent();
    const response = await threads.redeem(back?.searchParams.get('code') ?? '', changes);
    expect(response.status).toBe(400);
    expect(response.json).toMatchObject({ error_type: 'OAuthException', code: 400, error_message: expect.any(String) });
  });

  test('a code works once and expires after an hour', async () => {
    const threads = await start();
    const code = (await threads.consent()).back?.searchParams.get('code') ?? '';
    const responses = [await threads.redeem(code), await threads.redeem(code)];
    expect(responses.map(({ status }) => status)).toEqual([200, 400]);
    const late = (await threads.consent()).back?.searchParams.get('code') ?? '';
    threads.clock.now += HOUR_MS;
    expect((await threads.redeem(late)).status).toBe(400);
  });

  test('a short-lived token lasts an hour and is exchanged once', async () => {
    const threads = await start();
    const short = (await threads.redeem((await threads.consent()).back?.searchParams.get('code') ?? '')).json
      .access_token;
    expect(errorOf(await threads.lengthen(short, { client_secret: 'x' }))).toBe('1');
    expect(errorOf(await threads.lengthen(short, { grant_type: 'x' }))).toBe('100');
    const long = (await threads.lengthen(short)).json.access_token;
    expect(errorOf(await threads.lengthen(long))).toBe('190');
    threads.clock.now += HOUR_MS;
    expect(errorOf(await threads.lengthen(short))).toBe('190/463');
    expect(errorOf(await threads.call('GET', '/v1.0/me', { access_token: short }))).toBe('190/463');
  });

  test('a long-lived token is refreshed after a day, until expiry', async () => {
    const threads = await start();
    const token = await threads.token();
    expect(errorOf(await threads.prolong(token))).toBe('100');
    expect(errorOf(await threads.prolong(token, { grant_type: 'x' }))).toBe('100');
    threads.clock.now += DAY_MS;
    const next = (await threads.prolong(token)).json;
    expect(next.expires_in).toBe(5_184_000);
    threads.clock.now += 59 * DAY_MS;
    expect(errorOf(await threads.prolong(token))).toBe('190/463');
    expect((await threads.prolong(next.access_token)).status).toBe(200);
  });

  test.each([
    ['no token', {}, '190'],
    ['a token that nobody gave', { access_token: 'THx' }, '190'],
  ])('%s is rejected', async (_name, parameters, code) => {
    expect(errorOf(await (await start()).call('GET', '/v1.0/me', parameters))).toBe(code);
  });

  test('every call requires its scope', async () => {
    const threads = await start();
    const { back } = await threads.consent({ granted: [] });
    const access_token = (await threads.redeem(back?.searchParams.get('code') ?? '')).json.access_token;
    expect((await threads.call('GET', '/v1.0/me', { access_token })).status).toBe(200);
    const refused = await threads.create(access_token);
    expect([refused.status, errorOf(refused)]).toEqual([403, '10']);
    expect(errorOf(await threads.call('GET', '/v1.0/me/threads_publishing_limit', { access_token }))).toBe('10');
    expect(errorOf(await threads.publish(access_token, '1'))).toBe('10');
  });

  test('a revoked consent fails everywhere', async () => {
    const threads = await start();
    const token = await threads.token();
    const [grant] = await threads.store.list('grant', { limit: 1 });
    await killGrant(threads, grant?.key ?? '', 460);
    expect(errorOf(await threads.create(token))).toBe('190/460');
    expect(errorOf(await threads.prolong(token))).toBe('190/460');
  });

  test('unknown paths, fields and profiles are rejected', async () => {
    const threads = await start();
    const access_token = await threads.token();
    const other = await threads.simulator.enrol('other');
    const get = (path: string, parameters: Record<string, string> = {}) =>
      threads.call('GET', path, { access_token, ...parameters });
    expect(errorOf(await get('/v2/x'))).toBe('2500');
    expect(errorOf(await get('/v1.0/1'))).toBe('100/33');
    expect(errorOf(await get('/v1.0/me', { fields: 'id,status_code' }))).toBe('100');
    expect(errorOf(await get(`/v1.0/${other.remoteId}/threads`))).toBe('100/33');
    expect(errorOf(await get('/v1.0/me/threads_publishing_limit', { fields: 'secrets' }))).toBe('100');
  });
});

describe('post', () => {
  test('is published from a fetched container with every byte', async () => {
    const threads = await start({ processingMs: 20_000 });
    const token = await threads.token();
    const { id } = (await threads.create(token)).json;
    expect(await threads.status(token, id)).toEqual({ id, status: 'IN_PROGRESS' });
    const early = await threads.publish(token, id);
    expect([early.status, errorOf(early)]).toEqual([400, '24/4279009']);
    threads.clock.now += 20_000;
    expect(await threads.status(token, id)).toEqual({ id, status: 'FINISHED' });
    expect(await threads.published()).toEqual([]);
    const media = (await threads.publish(token, id)).json.id;
    const [entry, ...more] = await threads.published();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ id: media, username: 'nora.cuts', text: 'caption #tag', mime: 'video/mp4' });
    expect(entry && (await isWholeUpload(threads, entry, threads.film))).toBe(true);
    expect((await threads.status(token, id)).status).toBe('PUBLISHED');
    const fields = 'id,permalink,shortcode,timestamp,media_type,text';
    const read = (await threads.call('GET', `/v1.0/${media}`, { fields, access_token: token })).json;
    expect(read).toEqual({
      id: media,
      permalink: entry?.url,
      shortcode: expect.any(String),
      timestamp: '2026-11-21T10:00:20+0000',
      media_type: 'VIDEO',
      text: 'caption #tag',
    });
    expect(
      (await threads.call('GET', new URL(entry?.url ?? '').pathname.slice('/sandbox/threads'.length))).text,
    ).toContain('caption #tag');
  });

  test.each<[string, Record<string, string>]>([
    ['another kind of media', { media_type: 'REELS' }],
    ['no address', { video_url: '' }],
    ['an address that is none', { video_url: 'file:///etc/passwd' }],
    ['a text that is too long', { text: 'x'.repeat(501) }],
    ['emoji that make it too long', { text: `${'x'.repeat(497)}🌅` }],
    ['joined emoji that make it too long', { text: `${'x'.repeat(483)}👩‍👩‍👧` }],
    ['too many links', { text: [1, 2, 3, 4, 5, 6].map((link) => `https://a.example/${link}`).join(' ') }],
    ['an unknown control of replies', { reply_control: 'nobody' }],
    ['a topic that is none', { topic_tag: 'a.b' }],
    ['a spoiler that is neither', { is_spoiler_media: 'perhaps' }],
  ])('rejects a container of %s', async (_name, changes) => {
    const threads = await start();
    const refused = await threads.create(await threads.token(), changes);
    expect([refused.status, errorOf(refused)]).toEqual([400, '100']);
    expect(await threads.store.list('container', { limit: 5 })).toEqual([]);
  });

  test.each<[string, (threads: Awaited<ReturnType<typeof start>>) => string]>([
    ['leads nowhere', () => 'http://127.0.0.1:1/video.mp4'],
    ['is not there', ({ links }) => `${links.url}/nothing.mp4`],
    ['is not for the world', () => 'http://192.0.2.1/video.mp4'],
  ])("a URL that %s appears in the container's status", async (_name, urlOf) => {
    const threads = await start();
    const token = await threads.token();
    const { id } = (await threads.create(token, { video_url: urlOf(threads) })).json;
    expect(await threads.status(token, id)).toEqual({ id, status: 'ERROR', error_message: 'FAILED_DOWNLOADING_VIDEO' });
    expect(errorOf(await threads.publish(token, id))).toBe('24/2207006');
  });

  test('is published once, even for concurrent requests', async () => {
    const threads = await start();
    const token = await threads.token();
    const { id } = (await threads.create(token)).json;
    const responses = await Promise.all([threads.publish(token, id), threads.publish(token, id)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(errorOf(await threads.publish(token, id))).toBe('24/4279009');
    expect(await threads.published()).toHaveLength(1);
  });

  test.each([
    ['no container', '', '100'],
    ['a container that is not', '1', '24/2207008'],
  ])('publishing %s is rejected', async (_name, id, code) => {
    const threads = await start();
    expect(errorOf(await threads.publish(await threads.token(), id))).toBe(code);
  });

  test('a container is private and expires after a day', async () => {
    const threads = await start();
    const [token, other] = [await threads.token(), await threads.token('other')];
    const { id } = (await threads.create(token)).json;
    expect(errorOf(await threads.publish(other, id))).toBe('24/2207008');
    expect(errorOf(await threads.call('GET', `/v1.0/${id}`, { access_token: other }))).toBe('100/33');
    threads.clock.now += DAY_MS;
    expect((await threads.status(token, id)).status).toBe('EXPIRED');
    expect(errorOf(await threads.publish(token, id))).toBe('24/2207008');
  });

  test('allows 250 per day with limits enabled, readable', async () => {
    const threads = await start({ limits: true });
    const access_token = await threads.token();
    const { remoteId } = await threads.simulator.enrol('nora.cuts');
    const posts = Array.from({ length: 250 }, (_, index) => threads.clock.now - index);
    await threads.store.change<Profile>('profile', remoteId, (known) => known && { ...known, posts });
    const fields = 'quota_usage,config';
    const limit = async () =>
      (await threads.call('GET', `/v1.0/${remoteId}/threads_publishing_limit`, { fields, access_token })).json.data;
    const config = { quota_total: 250, quota_duration: 86_400 };
    expect(await limit()).toEqual([{ quota_usage: 250, config }]);
    const { id } = (await threads.create(access_token)).json;
    expect(errorOf(await threads.publish(access_token, id))).toBe('9/2207042');
    threads.clock.now += DAY_MS - 1;
    expect(await limit()).toEqual([{ quota_usage: 1, config }]);
  });

  test('lists are newest first, paged, and filtered by time', async () => {
    const threads = await start();
    const access_token = await threads.token();
    const ids: string[] = [];
    for (const text of ['one', 'two', 'three']) {
      const { id } = (await threads.create(access_token, { text })).json;
      ids.unshift((await threads.publish(access_token, id)).json.id);
      threads.clock.now += 60_000;
    }
    const list = async (parameters: Record<string, string>) =>
      (await threads.call('GET', '/v1.0/me/threads', { access_token, ...parameters })).json;
    const two = await list({ limit: '2', fields: 'id,text,media_type' });
    expect(two.data).toEqual([
      { id: ids[0], text: 'three', media_type: 'VIDEO' },
      { id: ids[1], text: 'two', media_type: 'VIDEO' },
    ]);
    expect((await list({ after: two.paging.cursors.after })).data).toEqual([{ id: ids[2] }]);
    expect((await list({ since: String(threads.clock.now / 1000 - 60) })).data).toEqual([{ id: ids[0] }]);
    await threads.store.put(...SWITCHES, { listLagMs: 90_000 });
    expect((await list({})).data).toHaveLength(2);
  });

  test('a crash before publishing is repaired after a restart', async () => {
    const threads = await start();
    const token = await threads.token();
    const { id } = (await threads.create(token)).json;
    const publish = threads.store.publish;
    threads.store.publish = () => Promise.reject(new Error('killed'));
    expect((await threads.publish(token, id)).status).toBe(500);
    expect(threads.errors.splice(0)).toHaveLength(1);
    threads.store.publish = publish;
    const { store, blobs, clock } = threads;
    const port = Number(new URL(threads.url).port);
    await threads.close();
    const after = await start({ store, blobs, port, now: () => clock.now });
    expect((await after.status(token, id)).status).toBe('PUBLISHED');
    await after.call('GET', '/v1.0/me/threads', { access_token: token });
    expect(await after.published()).toHaveLength(1);
  });

  test('switches delay the status and allow publishing twice', async () => {
    const threads = await start();
    await threads.store.put(...SWITCHES, { publishTwice: true, statusLagMs: 10_000 });
    const token = await threads.token();
    const { id } = (await threads.create(token)).json;
    await threads.publish(token, id);
    expect((await threads.status(token, id)).status).toBe('FINISHED');
    await threads.publish(token, id);
    expect(await threads.published()).toHaveLength(2);
    threads.clock.now += 10_000;
    expect((await threads.status(token, id)).status).toBe('PUBLISHED');
  });
});

describe('failures requested by tag', () => {
  const attempts = async (tag: string, count: number) => {
    const threads = await start();
    const token = await threads.token();
    const codes: string[] = [];
    let id = '';
    for (let round = 0; round < count; round++) {
      const response = await threads.create(token, { text: `x #sandbox-${tag}` });
      codes.push(response.status === 200 ? 'ok' : errorOf(response));
      id = response.json.id ?? id;
    }
    return { threads, token, id, codes };
  };

  test.each([
    ['reconnect', 2, ['190/458', '190/458']],
    ['rate-limit', 3, ['4', '4', 'ok']],
    ['down', 4, ['2', '2', '2', 'ok']],
  ])('%s', async (tag, count, codes) => {
    expect((await attempts(tag, count)).codes).toEqual(codes);
  });

  test('reject fails, slow delays, lost-answer publishes', async () => {
    const rejected = await attempts('reject', 1);
    expect(await rejected.threads.status(rejected.token, rejected.id)).toMatchObject({
      status: 'ERROR',
      error_message: 'INVALID_FRAME_RATE',
    });
    const slow = await attempts('slow', 1);
    expect((await slow.threads.status(slow.token, slow.id)).status).toBe('IN_PROGRESS');
    slow.threads.clock.now += 30_000;
    expect((await slow.threads.status(slow.token, slow.id)).status).toBe('FINISHED');
    const lost = await attempts('lost-answer', 1);
    await expect(lost.threads.publish(lost.token, lost.id)).rejects.toThrow();
    expect(await lost.threads.published()).toHaveLength(1);
    const [container] = await lost.threads.store.list<Container>('container', { limit: 1 });
    expect(container?.value.media).toHaveLength(1);
  });
});
