import { createHash, createHmac, randomBytes } from 'node:crypto';
import http from 'node:http';
import { describe, expect, test } from 'vitest';
import { ALL_TASKS, type User, type Video } from '../../src/platforms/facebook/records.ts';
import { killGrant } from '../../src/platforms/facebook/tokens.ts';
import { closedAfterTest } from '../harness/after-test.ts';
import { COVER } from '../harness/cover.ts';
import { isWholeUpload } from '../harness/simulator.ts';
import { REDIRECT, SCOPES, startFacebook } from './facebook-raw.ts';

const start = closedAfterTest(startFacebook);
const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;
const video = randomBytes(5_000);
const errorOf = ({ json }: { json: { error: { code: number; error_subcode?: number } } }) =>
  [json.error.code, json.error.error_subcode].filter((part) => part !== undefined).join('/');

describe('login', () => {
  test('code, short token, long token, and Page token', async () => {
    const facebook = await start();
    const { back } = await facebook.consent();
    expect(back?.searchParams.get('state')).toBe('the state');
    expect(back?.hash).toBe('#_=_');
    const short = await facebook.redeem(back?.searchParams.get('code') ?? '');
    expect(short.json).toMatchObject({ token_type: 'bearer', expires_in: 5_100 });
    const long = await facebook.lengthen(short.json.access_token);
    expect(long.json.expires_in).toBe(5_183_944);
    const fields = 'id,name,username,access_token,tasks,picture.type(large){url},category';
    const { json } = await facebook.graph('GET', '/me/accounts', { fields, access_token: long.json.access_token });
    expect(json.data).toEqual([
      {
        id: expect.stringMatching(/^104\d{12}$/),
        name: 'nora.cuts',
        username: 'nora.cuts',
        category: 'Video Creator',
        access_token: expect.stringMatching(/^EAA/),
        tasks: [...ALL_TASKS],
        picture: { data: { url: expect.stringContaining('/picture/') } },
      },
    ]);
  });

  test('a denied consent returns access_denied', async () => {
    const { back } = await (await start()).consent({ decision: 'deny' });
    expect(Object.fromEntries(back?.searchParams ?? [])).toMatchObject({
      error: 'access_denied',
      error_code: '200',
      error_reason: 'user_denied',
      state: 'the state',
    });
  });

  test.each([
    ['an unknown application', { client_id: 'x' }],
    ['an address without TLS', { redirect_uri: 'http://reelay.example/callback' }],
    ['an address with a fragment', { redirect_uri: `${REDIRECT}#x` }],
    ['an unknown permission', { scope: 'pages_show_list,everything' }],
    ['another response type', { response_type: 'token' }],
    ['no state', { state: '' }],
  ])('the dialog rejects %s with an error page', async (_name, asked) => {
    const { response, back } = await (await start()).consent({}, asked);
    expect([response.status, back]).toEqual([400, null]);
    expect(response.text).toContain('role="alert"');
  });

  test('the dialog lists the requested permissions', async () => {
    const facebook = await start();
    const query = new URLSearchParams({
      client_id: 'sandbox-client',
      redirect_uri: REDIRECT,
      state: 's',
      scope: SCOPES,
    });
    const shown = await facebook.call('GET', `/v25.0/dialog/oauth?${query}`);
    expect(shown.status).toBe(200);
    for (const scope of SCOPES.split(',')) expect(shown.text).toContain(scope);
  });

  test.each([
    ['a code that nobody gave', { code: 'x' }, '100'],
    ['another address', { redirect_uri: `${REDIRECT}/` }, '100/36008'],
    ['another secret', { client_secret: 'x' }, '1'],
    ['another application', { client_id: 'x' }, '101'],
    ['no code', { code: '' }, '100'],
  ])('the token endpoint rejects %s', async (_name, changes, code) => {
    const facebook = await start();
    const { back } = await facebook.consent();
    expect(errorOf(await facebook.redeem(back?.searchParams.get('code') ?? '', changes))).toBe(code);
  });

  test('a code works once and expires after ten minutes', async () => {
    const facebook = await start();
    const first = (await facebook.consent()).back?.searchParams.get('code') ?? '';
    expect((await facebook.redeem(first)).status).toBe(200);
    expect(errorOf(await facebook.redeem(first))).toBe('100/36009');
    const second = (await facebook.consent()).back?.searchParams.get('code') ?? '';
    facebook.clock.now += 600_000;
    expect(errorOf(await facebook.redeem(second))).toBe('100/36007');
  });

  test('lists declined permissions and omits unselected Pages', async () => {
    const facebook = await start();
    await facebook.consent({ pages: 'one,two' });
    const { back } = await facebook.consent({ pages: 'two', granted: ['pages_show_list', 'pages_manage_posts'] });
    const { json } = await facebook.redeem(back?.searchParams.get('code') ?? '');
    const token = { access_token: json.access_token };
    const permissions = (await facebook.graph('GET', '/me/permissions', token)).json.data;
    expect(permissions).toContainEqual({ permission: 'pages_read_engagement', status: 'declined' });
    expect(permissions).toContainEqual({ permission: 'pages_manage_posts', status: 'granted' });
    const pages = await facebook.graph('GET', '/me/accounts', { ...token, fields: 'name' });
    expect(pages.json.data.map(({ name }) => name)).toEqual(['two']);
  });

  test('lists of Pages are paged', async () => {
    const facebook = await start();
    const { back } = await facebook.consent({ pages: 'a,b,c' });
    const { json } = await facebook.redeem(back?.searchParams.get('code') ?? '');
    const ask = { access_token: json.access_token, fields: 'name', limit: '2' };
    const first = (await facebook.graph('GET', '/me/accounts', ask)).json;
    expect([first.data.length, typeof first.paging.next]).toEqual([2, 'string']);
    const second = (await facebook.graph('GET', '/me/accounts', { ...ask, after: first.paging.cursors.after })).json;
    expect([second.data.length, second.paging.next]).toEqual([1, undefined]);
    expect((await facebook.call('GET', first.paging.next ?? '')).json.data).toEqual(second.data);
  });

  test('login tokens expire, Page tokens of long-lived ones do not', async () => {
    const facebook = await start();
    const page = await facebook.page();
    facebook.clock.now += 5_183_944_000;
    const ask = (access_token: string) => facebook.graph('GET', `/${page.id}`, { access_token });
    expect(errorOf(await ask(page.user))).toBe('190/463');
    expect(errorOf(await facebook.lengthen(page.user))).toBe('190/463');
    expect((await ask(page.token)).status).toBe(200);
    const { back } = await facebook.consent();
    const short = (await facebook.redeem(back?.searchParams.get('code') ?? '')).json.access_token;
    const { json } = await facebook.graph('GET', `/${page.id}`, { fields: 'access_token', access_token: short });
    facebook.clock.now += 5_100_000;
    expect(errorOf(await ask(json.access_token))).toBe('190/463');
  });

  test('revoking ends all tokens; a lost role ends Page tokens', async () => {
    const facebook = await start();
    const [one, two] = [await facebook.page('one'), await facebook.page('two')];
    expect((await facebook.graph('DELETE', '/me/permissions', { access_token: one.user })).json).toEqual({
      success: true,
    });
    for (const token of [one.user, one.token])
      expect(errorOf(await facebook.graph('GET', '/me', { access_token: token }))).toBe('190/458');
    const [user] = await facebook.store.list<User>('user', { limit: 1 });
    await facebook.store.put('user', user?.key ?? '', { ...user?.value, roles: [] });
    expect(errorOf(await facebook.graph('GET', '/me', { access_token: two.token }))).toBe('190/492');
    expect((await facebook.graph('GET', '/me', { access_token: two.user })).status).toBe(200);
  });

  test.each([
    ['no token', {}, '104'],
    ['a token that nobody gave', { access_token: 'EAAx' }, '190'],
  ])('%s is rejected', async (_name, parameters, code) => {
    expect(errorOf(await (await start()).graph('GET', '/me', parameters))).toBe(code);
  });

  test('appsecret_proof is checked whenever present', async () => {
    const facebook = await start();
    const { user } = await facebook.page();
    const proof = createHmac('sha256', 'sandbox-secret').update(user).digest('hex');
    const ask = (appsecret_proof: string) => facebook.graph('GET', '/me', { access_token: user, appsecret_proof });
    expect((await ask(proof)).status).toBe(200);
    for (const wrong of [proof.replace(/^./, (digit) => (digit === '0' ? '1' : '0')), 'x', ''])
      expect(errorOf(await ask(wrong))).toBe('100');
  });

  test('unknown versions, paths and fields are rejected', async () => {
    const facebook = await start();
    const page = await facebook.page();
    expect(errorOf(await facebook.call('GET', `/v1/me?access_token=${page.user}`))).toBe('2500');
    expect(errorOf(await facebook.call('GET', '/v25.0/a/b/c'))).toBe('2500');
    expect(errorOf(await facebook.graph('GET', '/1', { access_token: page.user }))).toBe('100/33');
    expect(errorOf(await facebook.graph('GET', `/${page.id}`, { fields: 'secrets', access_token: page.user }))).toBe(
      '100',
    );
  });
});

describe('reel', () => {
  test('is opened, uploaded, finished and published with every byte', async () => {
    const facebook = await start();
    const page = await facebook.page();
    const opened = (await facebook.begin(page)).json;
    expect(opened.upload_url).toBe(`${facebook.url}/video-upload/${opened.video_id}`);
    expect((await facebook.status(page, opened.video_id)).error).toMatchObject({ code: 100, error_subcode: 33 });
    expect((await facebook.transfer(opened.upload_url, video, page.token)).json).toEqual({ success: true });
    expect(await facebook.published()).toEqual([]);
    expect((await facebook.finish(page, opened.video_id, { title: 'A title' })).json).toEqual({ success: true });
    const [entry, ...more] = await facebook.published();
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ id: opened.video_id, username: 'nora.cuts', text: 'caption #tag' });
    const sha256 = createHash('sha256').update(video).digest('hex');
    expect(entry && (await isWholeUpload(facebook, entry, { bytes: video.length, sha256 }))).toBe(true);
    expect(await facebook.status(page, opened.video_id)).toEqual({
      id: opened.video_id,
      published: true,
      permalink_url: `/reel/${opened.video_id}/`,
      status: {
        video_status: 'ready',
        uploading_phase: { status: 'complete', bytes_transferred: video.length },
        processing_phase: { status: 'complete' },
        publishing_phase: {
          status: 'complete',
          publish_status: 'published',
          publish_time: Math.floor(facebook.clock.now / 1000),
        },
      },
    });
    expect((await facebook.call('GET', `/reel/${opened.video_id}/`)).text).toContain('caption #tag');
  });

  test('accepts thumbnails once published, with valid owner and type', async () => {
    const facebook = await start();
    const page = await facebook.page();
    const id = await facebook.uploaded(page, video);
    const jpeg = (bytes: Buffer = COVER, type = 'image/jpeg') => new Blob([new Uint8Array(bytes)], { type });
    const wanted = { is_preferred: 'true', access_token: page.token };
    expect((await facebook.picture(id, wanted, jpeg())).json.error.code).toBe(100);
    await facebook.finish(page, id);
    const other = await facebook.page('somebody');
    const huge = Buffer.concat([COVER, Buffer.alloc(10_000_000)]);
    const refusals = [
      [id, wanted, null, 100],
      [id, wanted, jpeg(Buffer.from('no picture')), 100],
      [id, wanted, jpeg(COVER, 'text/plain'), 100],
      [id, wanted, jpeg(huge), 100],
      [id, { ...wanted, is_preferred: 'yes' }, jpeg(), 100],
      [id, { ...wanted, access_token: other.token }, jpeg(), 210],
      [id, { ...wanted, access_token: page.user }, jpeg(), 210],
      ['9000', wanted, jpeg(), 100],
    ] as const;
    for (const [videoId, fields, file, code] of refusals)
      expect((await facebook.picture(videoId, fields, file)).json.error.code).toBe(code);
    expect((await facebook.picture(id, wanted, jpeg())).json).toEqual({ success: true });
    const sha256 = createHash('sha256').update(COVER).digest('hex');
    expect(await facebook.store.get('video', id)).toMatchObject({ thumbnails: [{ sha256, preferred: true }] });
  });

  test('accepts parameters from JSON and the query', async () => {
    const facebook = await start();
    const page = await facebook.page();
    const json = { upload_phase: 'start', access_token: page.token };
    const opened = (await facebook.call('POST', `/v25.0/${page.id}/video_reels`, { json })).json;
    await facebook.transfer(`${facebook.url}/video-upload/v25.0/${opened.video_id}`, video, page.token);
    const query = new URLSearchParams({
      upload_phase: 'finish',
      video_id: opened.video_id,
      video_state: 'PUBLISHED',
      access_token: page.token,
    });
    const done = await facebook.call('POST', `/v25.0/${page.id}/video_reels?${query}`);
    expect(done.json).toEqual({ success: true });
  });

  test('resumes an interrupted upload with the stored bytes', async () => {
    const facebook = await start();
    const page = await facebook.page();
    const large = randomBytes(3 * MIB + 5);
    const { json } = await facebook.begin(page);
    const outgoing = http.request(json.upload_url, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `OAuth ${page.token}`,
        offset: '0',
        file_size: large.length,
        'content-length': large.length,
      },
    });
    outgoing.on('error', () => {});
    await new Promise<void>((resolve) => outgoing.write(large.subarray(0, 2 * MIB), () => resolve()));
    const received = async () =>
      (await facebook.status(page, json.video_id)).status?.uploading_phase.bytes_transferred ?? 0;
    while ((await received()) < MIB);
    outgoing.destroy();
    const whole = await facebook.transfer(json.upload_url, large, page.token);
    expect([whole.status, whole.json.debug_info.type]).toEqual([400, 'OffsetInvalidError']);
    // The last bytes are stored once the simulator notices the closed connection.
    for (let done = false; !done; ) {
      const from = await received();
      const headers = { offset: String(from), file_size: String(large.length) };
      const rest = await facebook.transfer(json.upload_url, large.subarray(from), page.token, headers);
      done = rest.json.success === true;
    }
    await facebook.finish(page, json.video_id);
    const [entry] = await facebook.published();
    expect(entry?.sha256).toBe(createHash('sha256').update(large).digest('hex'));
  });

  test('an incomplete body is a partial request, and is kept', async () => {
    const facebook = await start();
    const page = await facebook.page();
    const { json } = await facebook.begin(page);
    const partial = await facebook.transfer(json.upload_url, video.subarray(0, 2_000), page.token, {
      file_size: String(video.length),
    });
    expect(partial.json.debug_info).toMatchObject({ type: 'PartialRequestError', retriable: true });
    expect((await facebook.status(page, json.video_id)).status.uploading_phase).toEqual({
      status: 'in_progress',
      bytes_transferred: 2_000,
    });
  });

  test.each<[string, Record<string, string>, string]>([
    ['another offset', { offset: '7' }, 'OffsetInvalidError'],
    ['no size', { file_size: '' }, 'ProcessingFailedError'],
    ['no offset', { offset: '-1' }, 'ProcessingFailedError'],
    ['a token in another form', { authorization: 'Bearer x' }, 'NotAuthorizedError'],
    ['a foreign token', { authorization: 'OAuth x' }, 'NotAuthorizedError'],
  ])('the upload host rejects %s', async (_name, headers, type) => {
    const facebook = await start();
    const page = await facebook.page();
    const { json } = await facebook.begin(page);
    const response = await facebook.transfer(json.upload_url, video, page.token, headers);
    expect([response.status, response.json.debug_info.type]).toEqual([400, type]);
    expect(await facebook.store.get('video', json.video_id)).toMatchObject({ size: null, parts: [] });
  });

  test('the upload host rejects another size, Page or video', async () => {
    const facebook = await start();
    const [page, other] = [await facebook.page(), await facebook.page('other')];
    const { json } = await facebook.begin(page);
    await facebook.transfer(json.upload_url, video.subarray(0, 10), page.token, { file_size: String(video.length) });
    const rest = { offset: '10', file_size: String(video.length + 1) };
    const unauthorized = 'NotAuthorizedError';
    const type = async (url: string, token: string, headers = {}) =>
      (await facebook.transfer(url, video.subarray(10), token, headers)).json.debug_info.type;
    expect(await type(json.upload_url, page.token, rest)).toBe('ProcessingFailedError');
    expect(await type(json.upload_url, other.token)).toBe(unauthorized);
    expect(await type(json.upload_url, page.user)).toBe(unauthorized);
    expect(await type(`${facebook.url}/video-upload/1`, page.token)).toBe(unauthorized);
  });

  test.each<[string, Record<string, string>, string]>([
    ['no phase', { upload_phase: '' }, '100'],
    ['no video', { video_id: '' }, '100'],
    ['a video that is not', { video_id: '1' }, '100/33'],
    ['no state', { video_state: '' }, '100'],
    ['a description that is too long', { description: 'x'.repeat(63_207) }, '100'],
    ['a title that is too long', { title: 'x'.repeat(256) }, '100'],
    ['a plan without a time', { video_state: 'SCHEDULED' }, '100'],
  ])('finishing rejects %s and publishes nothing', async (_name, changes, code) => {
    const facebook = await start();
    const page = await facebook.page();
    const id = await facebook.uploaded(page, video);
    const response = await facebook.finish(page, id, changes);
    expect(errorOf(response)).toBe(code);
    expect(await facebook.published()).toEqual([]);
  });

  test('finishing before the upload is rejected and can be repeated', async () => {
    const facebook = await start();
    const page = await facebook.page();
    const { json } = await facebook.begin(page);
    expect(errorOf(await facebook.finish(page, json.video_id))).toBe('6000/1363130');
    await facebook.transfer(json.upload_url, video, page.token);
    expect((await facebook.finish(page, json.video_id)).status).toBe(200);
  });

  test('finishing again changes nothing; drafts are not shown', async () => {
    const facebook = await start();
    const page = await facebook.page();
    const id = await facebook.uploaded(page, video);
    await Promise.all([facebook.finish(page, id), facebook.finish(page, id)]);
    expect((await facebook.finish(page, id, { description: 'another' })).json).toEqual({ success: true });
    const draft = await facebook.uploaded(page, video);
    await facebook.finish(page, draft, { video_state: 'DRAFT' });
    expect((await facebook.published()).map(({ text }) => text)).toEqual(['caption #tag']);
    expect((await facebook.status(page, draft)).published).toBe(false);
  });

  test.each([
    ['the token of the login', 'user', '210'],
    ['the token of another Page', 'other', '210'],
  ])('with %s is rejected', async (_name, kind, code) => {
    const facebook = await start();
    const [page, other] = [await facebook.page(), await facebook.page('other')];
    const token = kind === 'user' ? page.user : other.token;
    expect(errorOf(await facebook.begin({ ...page, token }))).toBe(code);
  });

  test('without the permission or task is rejected', async () => {
    const facebook = await start();
    const { back } = await facebook.consent({ granted: ['pages_show_list', 'pages_read_engagement'] });
    const { json } = await facebook.redeem(back?.searchParams.get('code') ?? '');
    const ask = { fields: 'access_token', access_token: json.access_token };
    const [found] = (await facebook.graph('GET', '/me/accounts', ask)).json.data;
    const token = String(found?.access_token);
    expect(errorOf(await facebook.begin({ id: String(found?.id), user: '', token }))).toBe('200');
    const page = await facebook.page('other');
    const users = await facebook.store.list<User>('user', { limit: 5 });
    const other = users.find(({ value }) => value.username === 'other')?.value;
    await facebook.store.put('user', other?.id ?? '', { ...other, roles: [{ pageId: page.id, tasks: ['ANALYZE'] }] });
    expect(errorOf(await facebook.begin(page))).toBe('200');
  });

  test('allows thirty per day and Page with limits enabled', async () => {
    const facebook = await start({ limits: true });
    const page = await facebook.page();
    const posts = Array.from({ length: 30 }, (_, index) => facebook.clock.now - index);
    await facebook.store.change<object>('page', page.id, (known) => known && { ...known, posts });
    expect(errorOf(await facebook.begin(page))).toBe('613');
    facebook.clock.now += DAY_MS;
    expect((await facebook.begin(page)).status).toBe(200);
  });

  test('an unfinished video expires after a day', async () => {
    const facebook = await start();
    const page = await facebook.page();
    const { json } = await facebook.begin(page);
    facebook.clock.now += DAY_MS;
    expect((await facebook.status(page, json.video_id)).status.video_status).toBe('expired');
    expect((await facebook.transfer(json.upload_url, video, page.token)).json.debug_info.type).toBe(
      'ProcessingFailedError',
    );
  });

  test('processing takes time, and a failure states the reason', async () => {
    const facebook = await start({ processingMs: 10_000 });
    const page = await facebook.page();
    const id = await facebook.uploaded(page, video);
    await facebook.finish(page, id);
    expect((await facebook.status(page, id)).status).toMatchObject({
      video_status: 'processing',
      processing_phase: { status: 'in_progress' },
      publishing_phase: { status: 'in_progress' },
    });
    facebook.clock.now += 10_000;
    expect((await facebook.status(page, id)).status.video_status).toBe('ready');
    const bad = await facebook.uploaded(page, video);
    const failure = { code: 1_363_129, message: 'frame rate' };
    await facebook.store.change<Video>('video', bad, (known) => known && { ...known, failure });
    await facebook.finish(page, bad);
    facebook.clock.now += 10_000;
    const { status, published } = await facebook.status(page, bad);
    expect(status).toMatchObject({ video_status: 'error', processing_phase: { status: 'error', error: failure } });
    expect(published).toBe(false);
    expect(await facebook.published()).toHaveLength(1);
  });

  test('a crash before publishing is repaired by the next request', async () => {
    const facebook = await start();
    const page = await facebook.page();
    const id = await facebook.uploaded(page, video);
    const publish = facebook.store.publish;
    facebook.store.publish = () => Promise.reject(new Error('killed'));
    expect((await facebook.finish(page, id)).status).toBe(500);
    expect(facebook.errors.splice(0)).toHaveLength(1);
    facebook.store.publish = publish;
    await facebook.status(page, id);
    await facebook.status(page, id);
    expect(await facebook.published()).toHaveLength(1);
  });

  test('a restart loses nothing', async () => {
    const before = await start();
    const page = await before.page();
    const id = await before.uploaded(page, video);
    const { store, blobs, clock } = before;
    const port = Number(new URL(before.url).port);
    await before.close();
    const after = await start({ store, blobs, port, now: () => clock.now });
    expect((await after.finish(page, id)).json).toEqual({ success: true });
    expect(await after.published()).toHaveLength(1);
  });

  test('lists published reels, newest first, paged and by time', async () => {
    const facebook = await start();
    const page = await facebook.page();
    const ids: string[] = [];
    for (const description of ['one', 'two', 'three']) {
      const id = await facebook.uploaded(page, video);
      await facebook.finish(page, id, { description });
      ids.unshift(id);
      facebook.clock.now += 60_000;
    }
    await facebook.begin(page);
    const list = async (parameters: Record<string, string>) =>
      (await facebook.graph('GET', `/${page.id}/video_reels`, { access_token: page.token, ...parameters })).json;
    expect((await list({})).data.map(({ id }) => id)).toEqual(ids);
    const two = await list({ limit: '2', fields: 'id,description,created_time,permalink_url,length' });
    expect(two.data[0]).toEqual({
      id: ids[0],
      description: 'three',
      created_time: '2026-11-21T10:02:00+0000',
      permalink_url: `/reel/${ids[0]}/`,
    });
    expect((await list({ limit: '2', after: two.paging.cursors.after })).data.map(({ id }) => id)).toEqual([ids[2]]);
    const since = String((facebook.clock.now - 60_000) / 1000);
    expect((await list({ since })).data).toHaveLength(1);
    expect(errorOf(await facebook.graph('GET', `/${page.id}/video_reels`, { access_token: page.user }))).toBe('210');
  });
});

describe('failures requested by tag', () => {
  const finishes = async (tag: string, count: number) => {
    const facebook = await start();
    const page = await facebook.page();
    const id = await facebook.uploaded(page, video);
    const codes: string[] = [];
    for (let round = 0; round < count; round++) {
      const response = await facebook.finish(page, id, { description: `x #sandbox-${tag}` }).catch(() => null);
      codes.push(response === null ? 'cut' : response.json.success ? 'ok' : errorOf(response));
    }
    return { facebook, page, id, codes, published: (await facebook.published()).length };
  };

  test.each([
    ['reconnect', 2, ['190/458', '190/458'], 0],
    ['rate-limit', 3, ['80001', '80001', 'ok'], 1],
    ['down', 4, ['2', '2', '2', 'ok'], 1],
    ['lost-answer', 2, ['cut', 'ok'], 1],
    ['reject', 1, ['ok'], 0],
  ])('%s', async (tag, count, codes, published) => {
    expect(await finishes(tag, count)).toMatchObject({ codes, published });
  });

  test('an upload cannot be finished before it is complete', async () => {
    const facebook = await start();
    await facebook.store.put('switches', 'all', { settleMs: 10_000 });
    const page = await facebook.page();
    const id = await facebook.uploaded(page, video);
    expect((await facebook.status(page, id)).status.uploading_phase).toMatchObject({
      status: 'in_progress',
      bytes_transferred: video.length,
    });
    expect(errorOf(await facebook.finish(page, id))).toBe('6000/1363130');
    expect(await facebook.published()).toEqual([]);
    facebook.clock.now += 10_000;
    expect((await facebook.status(page, id)).status.uploading_phase.status).toBe('complete');
    expect((await facebook.finish(page, id)).json).toEqual({ success: true });
  });

  test.each(['owned_pages', 'client_pages'] as const)(
    '%s of a portfolio are missing from me/accounts',
    async (edge) => {
      const facebook = await start();
      await facebook.store.put('switches', 'all', { portfolio: edge });
      const page = await facebook.page();
      const list = async (path: string, fields = 'id,access_token') =>
        facebook.graph('GET', path, { access_token: page.user, fields });
      expect((await list('/me/accounts')).json.data).toEqual([]);
      const [business] = (await list('/me/businesses', 'id')).json.data;
      const pages = (await list(`/${business?.id}/${edge}`)).json.data;
      expect(pages).toEqual([{ id: page.id, access_token: expect.stringMatching(/^EAA/) }]);
      const other = edge === 'owned_pages' ? 'client_pages' : 'owned_pages';
      expect((await list(`/${business?.id}/${other}`)).json.data).toEqual([]);
      expect(errorOf(await list(`/${business?.id}/${edge}`, 'id,tasks'))).toBe('100');
      const { back } = await facebook.consent();
      const { access_token } = (await facebook.redeem(back?.searchParams.get('code') ?? '')).json;
      expect(errorOf(await facebook.graph('GET', '/me/businesses', { access_token }))).toBe('200');
    },
  );

  test('a declined permission stays declined without a rerequest', async () => {
    const facebook = await start();
    const granted = ['pages_show_list', 'pages_read_engagement'];
    const scopesOf = async (form: Record<string, string | string[]>, asked: Record<string, string> = {}) => {
      const { back } = await facebook.consent(form, asked);
      const { access_token } = (await facebook.redeem(back?.searchParams.get('code') ?? '')).json;
      const { data } = (await facebook.graph('GET', '/me/permissions', { access_token })).json;
      return data.filter(({ status }) => status === 'granted').map(({ permission }) => permission);
    };
    expect(await scopesOf({ granted })).not.toContain('pages_manage_posts');
    expect(await scopesOf({})).not.toContain('pages_manage_posts');
    expect(await scopesOf({}, { auth_type: 'rerequest' })).toContain('pages_manage_posts');
  });

  test('slow takes thirty seconds', async () => {
    const { facebook, page, id } = await finishes('slow', 1);
    expect((await facebook.status(page, id)).status.video_status).toBe('processing');
    facebook.clock.now += 30_000;
    expect((await facebook.status(page, id)).status.video_status).toBe('ready');
  });

  test('a revoked consent fails everywhere, including the upload host', async () => {
    const facebook = await start();
    const page = await facebook.page();
    const { json } = await facebook.begin(page);
    const [grant] = await facebook.store.list('grant', { limit: 1 });
    await killGrant({ store: facebook.store } as Parameters<typeof killGrant>[0], grant?.key ?? '', 460);
    expect(errorOf(await facebook.begin(page))).toBe('190/460');
    const response = await facebook.transfer(json.upload_url, video, page.token);
    expect(response.json.debug_info).toMatchObject({ type: 'NotAuthorizedError', retriable: false });
  });
});
