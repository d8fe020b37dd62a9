import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadPlans } from '../../src/config/plans.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  const plans = loadPlans(undefined);
  service = await startService({ config: { plans: { ...plans, FREE: { ...plans.FREE, apiAccess: false } } } });
});
afterAll(() => service.close());

test('a plan without API access rejects keys, not sessions', async () => {
  const user = await service.newUser({ plan: 'FREE' });
  expect(await user.get('/reposts')).toMatchObject({ status: 403, body: { code: 'api_access_not_in_plan' } });
  const session = await service.newSession({ plan: 'FREE' });
  expect((await session.post('/user/api-key/generate')).status).toBe(200);
});

test('other plans accept keys', async () => {
  expect((await (await service.newUser({ plan: 'STARTER' })).get('/reposts')).status).toBe(200);
});
