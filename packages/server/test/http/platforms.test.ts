import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAccount } from '../harness/rows.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('connected accounts are listed by time, with both ids', async () => {
  const user = await service.newUser();
  const first = await addAccount(service.db, user.userId, { platform: 'tiktok', username: 'first' });
  await addAccount(service.db, user.userId, { status: 'DISCONNECTED' });
  const second = await addAccount(service.db, user.userId, { platform: 'mastodon', status: 'EXPIRED', sandbox: false });
  await addAccount(service.db, (await service.newUser()).userId);
  const { status, body } = await user.get('/platform/platforms');
  expect(status).toBe(200);
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([first.id, second.id]);
  expect(body.data[0]).toEqual({
    id: first.id,
    _id: first.id,
    platform: 'tiktok',
    displayName: 'Name of first',
    username: 'first',
    usernameImage: '',
    status: 'CONNECTED',
    sandbox: true,
    warnings: [],
  });
  expect(body.data[1]).toMatchObject({ status: 'EXPIRED', sandbox: false });
});
