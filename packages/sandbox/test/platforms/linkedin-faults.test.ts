import { describe, expect, test } from 'vitest';
import { closedAfterTest } from '../harness/after-test.ts';
import { type LinkedIn, startLinkedIn } from './linkedin-calls.ts';

const start = closedAfterTest(startLinkedIn);
const DAY_MS = 86_400_000;

const whoAmI = (linkedin: LinkedIn, token: string) => linkedin.call('GET', '/v2/userinfo', { token });

describe('simulated LinkedIn limits', () => {
  const limited = (whose: string) => ({
    status: 429,
    json: {
      status: 429,
      serviceErrorCode: 101,
      code: 'TOO_MANY_REQUESTS',
      message: `Resource level throttle ${whose} DAY limit for calls to this resource is reached.`,
    },
  });

  test('allow 150 calls per member and endpoint per UTC day', async () => {
    const linkedin = await start({ limits: true });
    const { token } = await linkedin.account('in/nora');
    for (let call = 0; call < 150; call++) expect((await whoAmI(linkedin, token)).status).toBe(200);
    const refused = await whoAmI(linkedin, (await linkedin.account('in/nora')).token);
    expect(refused).toMatchObject(limited('MEMBER'));
    expect(refused.headers.has('retry-after')).toBe(false);
    expect((await linkedin.open(token, (await linkedin.account('in/nora')).urn, 1_000)).video).toBeTruthy();
    expect((await whoAmI(linkedin, (await linkedin.account('in/ida')).token)).status).toBe(200);
    linkedin.clock.now += DAY_MS - (linkedin.clock.now % DAY_MS) - 1;
    expect((await whoAmI(linkedin, token)).status).toBe(429);
    linkedin.clock.now += 1;
    expect((await whoAmI(linkedin, token)).status).toBe(200);
  });

  test('allow 100,000 calls per application', async () => {
    const linkedin = await start({ limits: true });
    const { token } = await linkedin.account('in/nora');
    await linkedin.store.put('calls', ` userinfo ${Math.floor(linkedin.clock.now / DAY_MS)}`, 99_999);
    expect((await whoAmI(linkedin, token)).status).toBe(200);
    expect(await whoAmI(linkedin, (await linkedin.account('in/ida')).token)).toMatchObject(limited('APPLICATION'));
  });

  test('count nothing when off', async () => {
    const linkedin = await start();
    const { token } = await linkedin.account('in/nora');
    for (let call = 0; call < 160; call++) expect((await whoAmI(linkedin, token)).status).toBe(200);
  });
});

describe('simulated LinkedIn fault by tag', () => {
  const ready = async () => {
    const linkedin = await start();
    const { token, urn } = await linkedin.account('nora');
    const video = await linkedin.upload(token, urn);
    const post = async (tag: string) => {
      const commentary = `x \\#sandbox-${tag}`;
      const { status, json } = await linkedin.post(token, urn, video, { commentary });
      return [status, json?.code];
    };
    const count = async () => (await linkedin.published()).length;
    return { linkedin, token, urn, video, post, count };
  };

  test('reconnect revokes the grant', async () => {
    const { linkedin, token, post, count } = await ready();
    expect(await post('reconnect')).toEqual([401, 'REVOKED_ACCESS_TOKEN']);
    expect((await linkedin.rest('GET', '/rest/organizationAcls?q=roleAssignee', { token })).status).toBe(401);
    expect(await count()).toBe(0);
  });

  test('reject rejects the video', async () => {
    const { post, count } = await ready();
    expect(await post('reject')).toEqual([400, 'MEDIA_ASSET_PROCESSING_FAILED']);
    expect(await count()).toBe(0);
  });

  test('rate-limit fails twice per video without a day', async () => {
    const { linkedin, token, urn, video, post, count } = await ready();
    const { json } = await linkedin.post(token, urn, video, { commentary: '\\#sandbox-rate-limit' });
    expect(json.message).toBe('Resource level throttle limit for calls to this resource is reached.');
    expect(await post('rate-limit')).toEqual([429, 'TOO_MANY_REQUESTS']);
    expect(await post('rate-limit')).toEqual([201, undefined]);
    expect(await count()).toBe(1);
  });

  test('slow adds thirty seconds of processing', async () => {
    const { linkedin, post } = await ready();
    expect(await post('slow')).toEqual([400, 'MEDIA_ASSET_WAITING_UPLOAD']);
    linkedin.clock.now += 29_999;
    expect(await post('slow')).toEqual([400, 'MEDIA_ASSET_WAITING_UPLOAD']);
    linkedin.clock.now += 1;
    expect(await post('slow')).toEqual([201, undefined]);
  });

  test('lost-answer posts and closes the connection', async () => {
    const { post, count } = await ready();
    await expect(post('lost-answer')).rejects.toThrow();
    expect(await count()).toBe(1);
  });

  test('down fails three calls of the member', async () => {
    const { linkedin, token, post, count } = await ready();
    const roles = async () => (await linkedin.rest('GET', '/rest/organizationAcls?q=roleAssignee', { token })).status;
    expect([await post('down'), await roles(), await post('down')]).toEqual([[503, undefined], 503, [503, undefined]]);
    expect(await roles()).toBe(200);
    expect(await post('down')).toEqual([201, undefined]);
    expect(await count()).toBe(1);
  });
});

describe('simulated LinkedIn errors of the fault switch', () => {
  test.for([
    ['rate-limited', 429, { code: 'TOO_MANY_REQUESTS' }],
    ['rate-limited-with-wait', 429, { message: expect.stringContaining('MEMBER DAY') }],
    ['server-error', 500, { message: 'Unable to obtain activity' }],
    ['token-expired', 401, { code: 'EXPIRED_ACCESS_TOKEN' }],
    ['token-revoked', 401, { code: 'REVOKED_ACCESS_TOKEN' }],
  ] as const)('returns %s', async ([refusal, status, json]) => {
    const linkedin = await start();
    const { token } = await linkedin.account('in/nora');
    linkedin.faults.add({ when: () => true, times: 1, fault: { kind: 'refusal', refusal } });
    expect(await whoAmI(linkedin, token)).toMatchObject({ status, json: { status, ...json } });
    expect((await whoAmI(linkedin, token)).status).toBe(200);
  });
});

test('simulated LinkedIn store completes half-made posts after a restart', async () => {
  const linkedin = await start();
  const { token, urn } = await linkedin.account('nora');
  const video = await linkedin.upload(token, urn);
  const { store, blobs } = linkedin;
  const broken = {
    ...store,
    publish: () => Promise.reject(new Error('The process died.')),
  };
  const dying = await startLinkedIn({ store: broken, blobs });
  expect((await dying.post(token, urn, video)).status).toBe(500);
  await dying.close();
  expect(await linkedin.published()).toEqual([]);
  const path = `/rest/posts?q=author&author=${encodeURIComponent(urn)}`;
  await linkedin.rest('GET', path, { token, headers: { 'x-restli-method': 'FINDER' } });
  await linkedin.rest('GET', path, { token, headers: { 'x-restli-method': 'FINDER' } });
  expect(await linkedin.published()).toHaveLength(1);
});
