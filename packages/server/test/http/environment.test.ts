import { writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import { loadPlans } from '../../src/config/plans.ts';
import { withFolder } from '../harness/folder.ts';
import { addAccount } from '../harness/rows.ts';
import { startService, type TestService } from '../harness/service.ts';
import { selfSigned } from './self-signed.ts';

/** Runs a service configured by the variables, with the test's database and folders. */
async function withService(variables: Record<string, string>, use: (service: TestService) => Promise<void>) {
  const made = makeConfig(await readEnvironment({ PORT: '0', ...variables }));
  const { dataDir: _, storageFolder: __, databaseUrl: ___, ...config } = made;
  const service = await startService({ config });
  try {
    await use(service);
  } finally {
    await service.close();
  }
}

test('a public service behind a proxy follows its variables', async () => {
  await withFolder(async (folder) => {
    const plans = loadPlans(undefined);
    const PLANS_FILE = join(folder, 'plans.json');
    await writeFile(PLANS_FILE, JSON.stringify({ ...plans, STARTER: { ...plans.STARTER, rules: 1 } }));
    const variables = {
      PUBLIC_URL: 'https://reelay.example',
      TRUST_PROXY: '127.0.0.1,::1',
      SIGNUP: 'open',
      DEFAULT_PLAN: 'STARTER',
      PLANS_FILE,
      METRICS_TOKEN: 'watcher',
    };
    await withService(variables, async (service) => {
      await service.newUser();
      const secure = { 'x-forwarded-proto': 'https', 'x-forwarded-for': '198.51.100.1' };
      const behind = service.clientWith(secure);
      // The sandbox is off if the URL is public.
      expect((await behind.get('//sandbox')).status).toBe(404);
      expect((await service.client.get('//api/v1/openapi.json')).body.code).toBe('https_required');
      expect((await behind.get('//api/v1/openapi.json')).status).toBe(200);
      expect((await behind.get('//metrics')).status).toBe(401);
      const watcher = service.clientWith({ ...secure, authorization: 'Bearer watcher' });
      expect((await watcher.get('//metrics')).status).toBe(200);
      const origin = 'https://reelay.example';
      const signedUp = await service.signUp('bea@example.org', { ...secure, origin });
      expect(signedUp.status).toBe(200);
      const [user] = await service.db.query<{ id: string; plan: string }>(
        `select id, plan from auth."user" where email = 'bea@example.org'`,
      );
      expect(user?.plan).toBe('STARTER');
      const cookie = signedUp.headers
        .getSetCookie()
        .map((each) => each.split(';', 1)[0])
        .join('; ');
      const bea = service.clientWith({ ...secure, origin, cookie, 'x-reelay-csrf': '1' });
      const accounts = [];
      for (let count = 0; count < 3; count++)
        accounts.push(await addAccount(service.db, user?.id ?? '', { sandbox: false }));
      const [a, b, c] = accounts.map(({ id }) => id);
      expect((await bea.post('/repost/add', { from: a, to: [b] })).status).toBe(200);
      expect((await bea.post('/repost/add', { from: b, to: [c] })).body).toMatchObject({
        code: 'plan_limit_reached',
        limit: { name: 'rules', value: 1 },
      });
    });
  });
});

test('TLS_CERT_FILE and TLS_KEY_FILE serve HTTPS on HOST', async () => {
  await withFolder(async (folder) => {
    const { cert, key } = selfSigned();
    const [TLS_CERT_FILE, TLS_KEY_FILE] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await writeFile(TLS_CERT_FILE, cert);
    await writeFile(TLS_KEY_FILE, key);
    const variables = {
      TLS_CERT_FILE,
      TLS_KEY_FILE,
      HOST: 'localhost',
      PUBLIC_URL: 'https://localhost:0',
      SANDBOX: 'off',
    };
    await withService(variables, async (service) => {
      const status = await new Promise((resolve, reject) => {
        get(`${service.url}/api/v1/openapi.json`, { ca: cert, checkServerIdentity: () => undefined }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).on('error', reject);
      });
      expect(status).toBe(200);
      expect(service.context.config.publicUrl).toBe(service.url);
    });
  });
});

test('ROLE=worker serves only health and metrics; SIGNUP=closed rejects sign-ups', async () => {
  const shared = { DATABASE_URL: 'postgres://localhost/x', STORAGE_URL: 'file:///x' };
  await withService({ ROLE: 'worker', ...shared }, async (service) => {
    expect((await service.client.get('//health/ready')).status).toBe(200);
    expect((await service.client.get('//metrics')).status).toBe(200);
    expect((await service.client.get('//docs')).status).toBe(404);
  });
  await withService({ ROLE: 'api', ...shared, SIGNUP: 'closed', SANDBOX: 'off' }, async (service) => {
    expect((await service.client.get('//metrics')).body).not.toContain('reelay_sends_total');
    expect((await service.client.get('//sandbox')).status).toBe(404);
    expect((await service.signUp('a@example.org')).body.code).toBe('sign_up_closed');
  });
});
