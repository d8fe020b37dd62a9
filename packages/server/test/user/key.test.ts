import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('key information shows the first characters of the key and its use', async () => {
  const user = await service.newUser();
  const { status, body } = await user.get('/user/api-key');
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ keyPrefix: user.key.slice(0, 12), isActive: true });
  expect(body.data.lastUsedAt).toMatch(/^\d{4}-.*Z$/);
});

test('a stranger is answered with 401', async () => {
  const { status, body } = await service.client.get('/platform/platforms');
  expect(status).toBe(401);
  expect(body).toMatchObject({ success: false, code: 'unauthorized' });
});
