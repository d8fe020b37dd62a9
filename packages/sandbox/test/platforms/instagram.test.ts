import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../harness/after-test.ts';
import { DAY_MS, FILM, type Instagram, sha256, startInstagram } from './instagram-calls.ts';

const start = closedAfterTest(startInstagram);

describe('container', () => {
  test('is fetched, processed, published once and shown', async () => {
    const instagram = await start({ processingMs: 2_000 });
    const token = await instagram.token();
    const { json } = await instagram.container(token);
    expect(Number.isSafeInteger(Number(json.id))).toBe(false);
    expect((await instagram.status(token, json.id)).json.status_code).toBe('IN_PROGRESS');
    expect((await instagram.publish(token, json.id)).name).toBe('9007/2207027');
    instagram.clock.now += 2_000;
    expect((await instagram.status(token, json.id)).json.status_code).toBe('FINISHED');
    expect(await instagram.published()).toEqual([]);
    const { json: medium } = await instagram.publish(token, json.id);
    expect((await instagram.status(token, json.id)).json.status_code).toBe('PUBLISHED');
    const [entry] = await instagram.published();
    expect(entry).toMatchObject({ id: medium.id, text: 'Sunset run #sea', bytes: FILM.length, sha256: sha256(FILM) });
    const read = await instagram.call(
      'GET',
      `/graph-instagram/v25.0/${medium.id}?fields=id,permalink,shortcode,timestamp&access_token=${token}`,
    );
    expect(read.json.permalink).toBe(entry?.url);
    expect((await instagram.call('GET', entry?.url ?? '')).text).toContain('Sunset run');
  });

  test.each([
    ['another media_type', { media_type: 'FILM' }, '100/2207023'],
    ['no video', { video_url: undefined }, '100'],
    ['a video twice', { upload_type: 'resumable' }, '100'],
    ['an upload', { video_url: undefined, upload_type: 'resumable' }, '100'],
    ['an address beyond ASCII', { video_url: 'https://reelay.example/ü.mp4' }, '9004/2207052'],
    ['an address of files', { video_url: 'file:///etc/passwd' }, '9004/2207052'],
    ['an address that leads nowhere', { video_url: 'https://nowhere.example/x.mp4' }, '9004/2207052'],
    ['2,201 characters', { caption: 'x'.repeat(2_201) }, '36004/2207010'],
    ['31 hashtags', { caption: '#a '.repeat(31) }, '100'],
    ['21 tags', { caption: '@nora '.repeat(21) }, '100/2207040'],
    ['an offset that is no number', { thumb_offset: '-1' }, '1/2207057'],
    ['an offset behind the end', { thumb_offset: '900001' }, '1/2207057'],
    ['a word for a boolean', { share_to_feed: 'perhaps' }, '100'],
    ['four collaborators', { collaborators: '["a","b","c","d"]' }, '100'],
    ['collaborators that are no list', { collaborators: 'a,b' }, '100'],
    ['a trial that there is not', { trial_params: '{"graduation_strategy":"SOON"}' }, '100'],
    ['a place', { location_id: '7' }, '100'],
    ['a token that died', { access_token: 'IGAAdead' }, '190'],
  ])('with %s is rejected', async (_name, changes, name) => {
    const instagram = await start();
    const response = await instagram.container(await instagram.token(), changes);
    expect([response.status, response.name]).toEqual([400, name]);
    expect(response.json.error.fbtrace_id).toEqual(expect.any(String));
  });

  test.each([
    ['is not there', 'gone.mp4', '2207052'],
    ['breaks off', 'cut.mp4', '2207003'],
  ])('whose video %s ends in an error', async (_name, file, code) => {
    const instagram = await start();
    const token = await instagram.token();
    const { json } = await instagram.container(token, { video_url: `https://reelay.example/${file}` });
    expect((await instagram.status(token, json.id)).json).toMatchObject({
      status_code: 'ERROR',
      status: expect.stringContaining(code),
    });
    expect((await instagram.publish(token, json.id)).name).toBe('24/2207008');
  });

  test('accepts all parameters as JSON', async () => {
    const instagram = await start();
    const access_token = await instagram.token();
    const json = {
      access_token,
      media_type: 'REELS',
      video_url: 'https://reelay.example/film.mp4',
      share_to_feed: false,
      collaborators: ['wanda'],
      trial_params: { graduation_strategy: 'MANUAL' },
      is_ai_generated: true,
      thumb_offset: 1_200,
    };
    const path = `/graph-instagram/v25.0/${await instagram.igId()}/media`;
    expect((await instagram.call('POST', path, { json })).status).toBe(200);
  });

  test('expires after a day', async () => {
    const instagram = await start();
    const token = await instagram.token();
    const { json } = await instagram.container(token);
    instagram.clock.now += DAY_MS;
    expect((await instagram.status(token, json.id)).json.status_code).toBe('EXPIRED');
    expect((await instagram.publish(token, json.id)).name).toBe('24/2207008');
  });

  test('is accessible only to its account', async () => {
    const instagram = await start();
    const { json } = await instagram.container(await instagram.token());
    const other = await instagram.token('instagram', 'wanda');
    expect((await instagram.status(other, json.id)).name).toBe('100/33');
    const path = `/graph-instagram/v25.0/${await instagram.igId('wanda')}/media_publish`;
    const form = { access_token: other, creation_id: json.id };
    expect((await instagram.call('POST', path, { form })).name).toBe('24/2207006');
    expect((await instagram.publish(other, json.id)).name).toBe('100/33');
  });

  test('published twice posts twice, as nothing documented forbids it', async () => {
    const instagram = await start();
    const token = await instagram.token();
    const { json } = await instagram.container(token);
    const ids = [await instagram.publish(token, json.id), await instagram.publish(token, json.id)];
    expect(new Set(ids.map((response) => response.json.id)).size).toBe(2);
    expect(await instagram.published()).toHaveLength(2);
  });
});

describe('publishing', () => {
  test.each([
    ['no creation_id', {}, '', '100'],
    ['an unknown one', {}, '17900000000000000', '24/2207008'],
    ['a restricted account', { restricted: true }, null, '25/2207050'],
    ['an account taken for spam', { spam: true }, null, '4/2207051'],
  ])('with %s is rejected', async (_name, account, container, name) => {
    const instagram = await start();
    const token = await instagram.token();
    const { json } = await instagram.container(token);
    await instagram.change(account);
    expect((await instagram.publish(token, container ?? json.id)).name).toBe(name);
    expect(await instagram.published()).toEqual([]);
  });

  test('stops at the daily limit, which can be read', async () => {
    const instagram = await start({ limits: true });
    await instagram.set({ quotaTotal: 2 });
    const token = await instagram.token();
    const limit = async () => {
      const path = `/graph-instagram/v25.0/${await instagram.igId()}/content_publishing_limit`;
      return (await instagram.call('GET', `${path}?fields=config,quota_usage&access_token=${token}`)).json.data;
    };
    const config = { quota_total: 2, quota_duration: 86_400 };
    expect(await limit()).toEqual([{ quota_usage: 0, config }]);
    for (let count = 0; count < 2; count++)
      expect((await instagram.publish(token, (await instagram.container(token)).json.id)).status).toBe(200);
    expect(await limit()).toEqual([{ quota_usage: 2, config }]);
    const third = (await instagram.container(token)).json.id;
    expect((await instagram.publish(token, third)).name).toBe('9/2207042');
    instagram.clock.now += DAY_MS - 1;
    expect((await instagram.publish(token, third)).name).toBe('9/2207042');
  });

  test('limits containers and calls per day and states the wait', async () => {
    const instagram = await start({ limits: true });
    await instagram.set({ calls: 3 });
    const token = await instagram.token();
    for (let count = 0; count < 3; count++) await instagram.container(token);
    const response = await instagram.container(token);
    expect(response.name).toBe('80002');
    expect(response.headers.get('x-business-use-case-usage')).toContain('"estimated_time_to_regain_access":12');
    await instagram.set({ calls: null });
    const [{ value } = { value: {} }] = await instagram.store.list<object>('container', { limit: 1 });
    for (let count = 3; count < 400; count++)
      await instagram.store.put('container', `x${count}`, value, await instagram.igId());
    expect((await instagram.container(token)).name).toBe('80002');
  });

  test('requires the permission and, with Facebook, a Page role', async () => {
    const instagram = await start();
    const token = await instagram.token('facebook');
    await instagram.change({ page: { id: '1', name: 'Page', tasks: ['ANALYZE'] } });
    expect((await instagram.container(token)).name).toBe('200');
    for (const { key } of await instagram.store.list('grant', { limit: 10 }))
      await instagram.store.change<object>('grant', key, (grant) => grant && { ...grant, scopes: ['instagram_basic'] });
    expect((await instagram.container(token)).name).toBe('10');
  });
});

describe('list', () => {
  test('is newest first, paged, and can lag', async () => {
    const instagram = await start();
    const token = await instagram.token();
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) {
      instagram.clock.now += 1_000;
      ids.unshift((await instagram.publish(token, (await instagram.container(token)).json.id)).json.id);
    }
    const path = `/graph-instagram/v25.0/${await instagram.igId()}/media`;
    const list = (query: string) => instagram.call('GET', `${path}?${query}&access_token=${token}`);
    const first = await list('fields=id,caption,timestamp,permalink,media_product_type&limit=2');
    expect(first.json.data.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.json.data[0]?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/);
    const second = await list(`limit=2&after=${first.json.paging.cursors.after}`);
    expect(second.json.data).toEqual([{ id: ids[2] }]);
    expect((await list('fields=shoe_size')).name).toBe('100');
    expect((await list('limit=0')).name).toBe('100');
    await instagram.set({ listLagMs: 60_000 });
    expect((await list('limit=2')).json.data).toEqual([]);
  });
});

describe('upload', () => {
  async function opened(instagram: Instagram) {
    const token = await instagram.token('facebook');
    const { json } = await instagram.container(token, { video_url: undefined, upload_type: 'resumable' });
    const put = (headers: Record<string, string>, body: Buffer) =>
      instagram.call('POST', json.uri, {
        headers: { authorization: `OAuth ${token}`, 'content-type': 'application/octet-stream', ...headers },
        body,
      });
    return { token, id: json.id, uri: json.uri, put };
  }

  test('accepts the whole file in one request, then processes it', async () => {
    const instagram = await start({ processingMs: 2_000 });
    const { token, id, put } = await opened(instagram);
    const before = await instagram.status(token, id, 'facebook');
    expect(before.json.video_status.uploading_phase).toEqual({ status: 'not_started', bytes_transferred: 0 });
    expect((await put({ offset: '0', file_size: '5000' }, FILM)).json).toEqual({
      success: true,
      message: 'Upload successful.',
    });
    instagram.clock.now += 2_000;
    expect((await instagram.status(token, id, 'facebook')).json.status_code).toBe('FINISHED');
    await instagram.publish(token, id, 'facebook');
    expect((await instagram.published())[0]?.sha256).toBe(sha256(FILM));
  });

  test('resumes where it was interrupted', async () => {
    const instagram = await start();
    const { token, id, uri, put } = await opened(instagram);
    await new Promise<void>((resolve) => {
      const headers = { authorization: `OAuth ${token}`, offset: '0', file_size: '5000', 'content-length': '5000' };
      const outgoing = httpRequest(uri, { method: 'POST', headers, agent: false });
      outgoing.once('error', () => resolve());
      outgoing.write(FILM.subarray(0, 2_000), () => outgoing.destroy(new Error('cut')));
    });
    const transferred = async () =>
      (await instagram.status(token, id, 'facebook')).json.video_status.uploading_phase.bytes_transferred;
    await expect.poll(transferred).toBe(2_000);
    expect((await put({ offset: '0', file_size: '5000' }, FILM)).json.debug_info.type).toBe('OffsetInvalidError');
    expect((await put({ offset: '2000', file_size: '5000' }, FILM.subarray(2_000))).status).toBe(200);
    await instagram.publish(token, id, 'facebook');
    expect((await instagram.published())[0]?.sha256).toBe(sha256(FILM));
  });

  test.each([
    ['no token', { authorization: '', offset: '0', file_size: '5000' }, 'ProcessingFailedError', false],
    [
      'another kind of header',
      { authorization: 'Bearer x', offset: '0', file_size: '5000' },
      'ProcessingFailedError',
      false,
    ],
    ['no size', { offset: '0' }, 'ProcessingFailedError', false],
    ['more than 300 MB', { offset: '0', file_size: '314572801' }, 'ProcessingFailedError', false],
    ['no offset', { file_size: '5000' }, 'OffsetInvalidError', true],
    ['another offset', { offset: '1', file_size: '5001' }, 'OffsetInvalidError', true],
    ['fewer bytes than announced', { offset: '0', file_size: '5001' }, 'PartialRequestError', true],
  ])('with %s is rejected', async (_name, headers, type, retriable) => {
    const instagram = await start();
    const { put } = await opened(instagram);
    const response = await put(headers as Record<string, string>, FILM);
    expect(response.status).toBe(400);
    expect(response.json.debug_info).toMatchObject({ type, retriable });
  });

  test('enforces its size, account and expiry', async () => {
    const instagram = await start();
    const { id, uri, put } = await opened(instagram);
    const other = await instagram.token('facebook', 'wanda');
    const headers = { authorization: `OAuth ${other}`, offset: '0', file_size: '5000' };
    expect((await instagram.call('POST', uri, { headers, body: FILM })).status).toBe(400);
    expect((await put({ offset: '0', file_size: '5000' }, FILM)).status).toBe(200);
    const again = await put({ offset: '5000', file_size: '6000' }, randomBytes(1_000));
    expect(again.json.debug_info.type).toBe('PartialRequestError');
    instagram.clock.now += DAY_MS;
    expect((await put({ offset: '5000', file_size: '5000' }, Buffer.alloc(0))).status).toBe(400);
    expect(await instagram.store.get('container', id)).toMatchObject({ size: 5_000 });
  });
});

describe('failures requested by caption', () => {
  const published = async (instagram: Instagram, token: string, caption: string) => {
    const { json } = await instagram.container(token, { caption });
    return instagram.publish(token, json.id);
  };

  test('rate-limit and down fail at first for each post', async () => {
    const instagram = await start();
    const token = await instagram.token();
    for (let round = 0; round < 2; round++) {
      const responses: string[] = [];
      for (let count = 0; count < 3; count++)
        responses.push((await instagram.container(token, { caption: 'a #sandbox-rate-limit' })).name);
      expect(responses).toEqual(['80002', '80002', '']);
      const down: number[] = [];
      for (let count = 0; count < 4; count++)
        down.push((await instagram.container(token, { caption: 'a #sandbox-down' })).status);
      expect(down).toEqual([503, 503, 503, 200]);
    }
  });

  test('reject, slow, lost-answer and reconnect', async () => {
    const instagram = await start();
    const token = await instagram.token();
    const rejected = await instagram.container(token, { caption: '#sandbox-reject' });
    expect((await instagram.status(token, rejected.json.id)).json.status).toContain('2207026');
    const slow = await instagram.container(token, { caption: '#sandbox-slow' });
    expect((await instagram.status(token, slow.json.id)).json.status_code).toBe('IN_PROGRESS');
    await expect(published(instagram, token, '#sandbox-lost-answer')).rejects.toThrow();
    expect(await instagram.published()).toHaveLength(1);
    expect((await instagram.container(token, { caption: '#sandbox-reconnect' })).name).toBe('190/458');
    expect((await instagram.container(token)).name).toBe('190/458');
  });

  test('another process continues from the store', async () => {
    const instagram = await start();
    const token = await instagram.token();
    const { json } = await instagram.container(token);
    const { store, blobs, clock } = instagram;
    const other = await start({ store, blobs, now: () => clock.now });
    expect((await other.publish(token, json.id)).status).toBe(200);
    expect((await instagram.status(token, json.id)).json.status_code).toBe('PUBLISHED');
  });
});
