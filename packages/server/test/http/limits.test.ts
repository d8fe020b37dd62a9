import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { network } from '../../src/http/request-limits.ts';
import { uuidv7 } from '../../src/lib/ids.ts';
import { isUsedUp, sweep, take } from '../../src/queue/rate-counter.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
let addresses = 100;
beforeAll(async () => {
  service = await startService({ config: { rateLimit: 'per-minute' } });
});
afterAll(() => service.close());

test('the 61st request in a minute is rejected, uncounted', async () => {
  const user = await service.newUser();
  for (let count = 1; count <= 60; count++) {
    // Rejected requests count too.
    const { status, headers } = count % 2 ? await user.get('/reposts') : await user.post('/repost/delete', {});
    expect(status).toBe(count % 2 ? 200 : 400);
    expect(headers.get('ratelimit-limit')).toBe('60');
    expect(headers.get('ratelimit-remaining')).toBe(String(60 - count));
  }
  for (let count = 0; count < 3; count++) {
    const { status, body, headers } = await user.get('/reposts');
    expect(status).toBe(429);
    expect(body.code).toBe('rate_limited');
    expect(body.retryAfter).toBeGreaterThan(0);
    expect(body.retryAfter).toBeLessThanOrEqual(60);
    expect(headers.get('retry-after')).toBe(String(body.retryAfter));
    expect(headers.get('ratelimit-remaining')).toBe('0');
    expect(headers.get('ratelimit-reset')).toBe(String(body.retryAfter));
  }
  await service.db.clock.advance(60_001);
  expect((await user.get('/reposts')).headers.get('ratelimit-remaining')).toBe('59');
});

test('a request succeeds after Retry-After, not earlier', async () => {
  const user = await service.newUser();
  await user.get('/reposts');
  await service.db.clock.advance(30_000);
  for (let count = 0; count < 59; count++) await user.get('/reposts');
  const { body } = await user.get('/reposts');
  await service.db.clock.advance((body.retryAfter - 5) * 1000);
  expect((await user.get('/reposts')).status).toBe(429);
  await service.db.clock.advance(5_000);
  // The first of the sixty has left the window, the other fifty-nine have not.
  expect((await user.get('/reposts')).status).toBe(200);
  expect((await user.get('/reposts')).status).toBe(429);
});

test('exactly 60 of 100 concurrent requests on two nodes pass', async () => {
  const other = await startService({ config: { databaseUrl: service.db.url, rateLimit: 'per-minute' } });
  try {
    const user = await service.newUser();
    const elsewhere = other.clientWith({ authorization: `Bearer ${user.key}` });
    const responses = await Promise.all(
      Array.from({ length: 100 }, (_, at) => (at % 2 ? user : elsewhere).get('/reposts')),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(40);
  } finally {
    await other.close();
  }
});

test('users and sessions have separate limits', async () => {
  const user = await service.newSession();
  const key = (await user.post('/user/api-key/generate')).body.data;
  const client = service.clientWith({ authorization: `Bearer ${key}` });
  for (let count = 0; count < 61; count++) await client.get('/reposts');
  expect((await client.get('/reposts')).status).toBe(429);
  expect((await (await service.newUser()).get('/reposts')).status).toBe(200);
  const { status, headers } = await user.get('/reposts');
  expect(status).toBe(200);
  expect(headers.get('ratelimit-limit')).toBe('600');
  expect(headers.get('ratelimit-remaining')).toBe('598');
});

test('the 601st request of a session is rejected', async () => {
  const user = await service.newSession();
  await service.db.execute(
    `insert into rate (key, moments, allowed, expires_at)
     values ($1, array_fill(app_now(), array[599]), true, app_now() + interval '1 minute')`,
    [`session ${user.userId}`],
  );
  expect((await user.get('/reposts')).status).toBe(200);
  expect((await user.get('/reposts')).status).toBe(429);
});

test.each([
  ['GET', '/oauth/mastodon/start?ticket=x'],
  ['POST', '/oauth/mastodon/start'],
  ['GET', '/oauth/mastodon/callback?state=x'],
  ['GET', '/oauth/mastodon/choose?token=x'],
  ['GET', '/oauth/client-metadata.json'],
])('limits %s %s per address', async (method, path) => {
  const from = `198.51.100.${++addresses}`;
  const open = (address: string, headers = {}) =>
    fetch(new URL(path, service.url), {
      method,
      headers: { 'x-forwarded-for': address, ...headers },
      redirect: 'manual',
    });
  // A consent has four requests.
  for (let count = 0; count < 8; count++) expect((await open(from)).status).not.toBe(429);
  await service.db.execute('update rate set moments = array_fill(app_now(), array[120]) where key = $1', [
    `consent ${from}`,
  ]);
  const refused = await open(from);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  const page = await open(from, { accept: 'text/html,*/*;q=0.8', 'accept-language': 'de' });
  expect(page.status).toBe(429);
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await page.text()).toMatch(/<html lang="de">.*Zu viele Anfragen.*Vorgang: [\w-]+</s);
  expect((await open('192.0.2.99')).status).not.toBe(429);
});

test('unauthenticated responses have no limit headers', async () => {
  const { headers } = await service.client.get('/reposts');
  expect(headers.get('ratelimit-limit')).toBeNull();
});

test('limits failures per address and IPv6 network', async () => {
  const guess = (from: string) => service.clientWith({ 'x-forwarded-for': from }).get('/reposts');
  for (let count = 0; count < 60; count++) expect((await guess(`2001:db8:1:2::${count}`)).status).toBe(401);
  const { status, body } = await guess('2001:db8:1:2:ffff::1');
  expect(status).toBe(429);
  expect(body.retryAfter).toBeGreaterThan(0);
  expect((await guess('2001:db8:1:3::1')).status).toBe(401);
  expect((await guess('198.51.100.7')).status).toBe(401);
  // A valid key still works from there.
  const { key } = await service.newUser();
  const known = service.clientWith({ 'x-forwarded-for': '2001:db8:1:2::9', authorization: `Bearer ${key}` });
  expect((await known.get('/reposts')).status).toBe(200);
});

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0DB8:0:0:1:2:3:4', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2:3::', '2001:db8:1:2::/64'],
])('the address %s counts as %s', (address, counted) => {
  expect(network(address)).toBe(counted);
});

test('the sliding window matches a model exactly', async () => {
  const moves = fc.array(fc.oneof(fc.constant('take' as const), fc.integer({ min: 1, max: 700 })), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(moves, async (sequence) => {
      const limit = { key: uuidv7(), most: 3, windowMs: 1_000_000 };
      // The database's clock also advances on its own. The moves are a thousand times longer, so that this does not
      // matter.
      let clock = 0;
      let kept: number[] = [];
      for (const move of sequence) {
        if (move === 'take') {
          kept = kept.filter((moment) => moment > clock - 1_000);
          const room = kept.length < 3;
          if (room) kept.push(clock);
          const taken = await take(service.db, limit);
          expect(taken).toMatchObject({ allowed: room, remaining: 3 - kept.length });
          expect((await isUsedUp(service.db, limit)).remaining).toBe(3 - kept.length);
        } else {
          clock += move;
          await service.db.clock.advance(move * 1_000);
        }
      }
    }),
    { numRuns: 25 },
  );
});

test('limits are deleted after an unused window', async () => {
  const old = { key: uuidv7(), most: 5, windowMs: 1_000 };
  await take(service.db, old);
  await service.db.clock.advance(2_000);
  const young = { key: uuidv7(), most: 5, windowMs: 60_000 };
  await take(service.db, young);
  await sweep(service.db);
  const rows = await service.db.query<{ key: string }>('select key from rate where key = any($1)', [
    [old.key, young.key],
  ]);
  expect(rows).toEqual([{ key: young.key }]);
});
