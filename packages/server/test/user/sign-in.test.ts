import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('of fifty first sign-ups at once one gets in, as the operator', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => service.signUp(`first-${at}@example.org`)));
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([200, ...Array(49).fill(403)]);
  expect(await service.db.query('select operator, plan from auth."user"')).toEqual([{ operator: true, plan: 'PRO' }]);
});

test('a session opens the interface', async () => {
  const user = await service.newSession();
  const { status, body } = await user.get('/platform/platforms');
  expect(status).toBe(200);
  expect(body).toEqual({ success: true, data: [] });
});
