import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { startService, type TestService } from '../harness/service.ts';

/** Services by configuration. Each is shared, and has no users when a test begins. */
const started = new Map<string, Promise<TestService>>();
let service: TestService;
beforeEach(() => use());
afterAll(async () => {
  for (const each of started.values()) await (await each).close();
});

async function use(config: Partial<Config> = {}): Promise<void> {
  const name = JSON.stringify(config);
  const shared = started.get(name) ?? startService({ config });
  started.set(name, shared);
  service = await shared;
  await service.db.execute('delete from auth."user"');
}

const options = async (headers: Record<string, string> = {}) => {
  const response = await service.client.call('GET', '/sign-in/options', { headers });
  expect(response.status).toBe(200);
  return response.body.data;
};

test('a local visitor may create the first user', async () => {
  const rest = { passwordReset: 'operator', passkeyHost: 'localhost', sandbox: true };
  expect(await options()).toEqual({ userExists: false, signUp: 'open', ...rest });
  expect((await service.signUp('a@example.org')).status).toBe(200);
  expect(await options()).toEqual({ userExists: true, signUp: 'closed', ...rest });
});

test("a remote visitor needs the first user's token", async () => {
  const remote = { 'x-forwarded-for': '203.0.113.9' };
  expect(await options(remote)).toMatchObject({ userExists: false, signUp: 'token' });
  await service.newUser();
  expect(await options(remote)).toMatchObject({ userExists: true, signUp: 'closed' });
});

test('open and closed sign-up is reported', async () => {
  await use({ signup: 'open', sandbox: false });
  await service.newUser();
  expect(await options()).toMatchObject({ userExists: true, signUp: 'open', sandbox: false });
  await use({ signup: 'closed' });
  expect(await options()).toMatchObject({ userExists: false, signUp: 'closed' });
});

test('invalid credentials are ignored', async () => {
  expect(await options({ authorization: 'Bearer nothing' })).toMatchObject({ userExists: false });
});
