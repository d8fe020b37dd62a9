import { afterEach, expect, test } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
afterEach(() => service.close());

test('hourly limits differ by plan', async () => {
  service = await startService({ config: { rateLimit: 'per-plan-hourly' } });
  const numbers = { FREE: '20', STARTER: '50', INFLUENCER: '200', PRO: '1000' };
  for (const [plan, most] of Object.entries(numbers)) {
    const user = await service.newUser({ plan: plan as keyof typeof numbers });
    expect((await user.get('/reposts')).headers.get('ratelimit-limit')).toBe(most);
  }
  const free = await service.newUser({ plan: 'FREE' });
  for (let count = 0; count < 20; count++) expect((await free.get('/reposts')).status).toBe(200);
  expect((await free.get('/reposts')).body.retryAfter).toBeGreaterThan(3_500);
  await service.db.clock.advance(3_600_000);
  expect((await free.get('/reposts')).status).toBe(200);
});

test('limit headers are absent without rate limits', async () => {
  service = await startService({ config: { rateLimit: 'off' } });
  const user = await service.newUser();
  const responses = await Promise.all(Array.from({ length: 100 }, () => user.get('/reposts')));
  expect(responses.every(({ status }) => status === 200)).toBe(true);
  expect(responses[0]?.headers.get('ratelimit-limit')).toBeNull();
});
