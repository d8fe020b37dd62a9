import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ config: { sandbox: true } });
});
afterAll(() => service.close());

interface Labelled {
  label: string;
  title: Record<string, string>;
}

interface Field extends Labelled {
  name: string;
  hint: Record<string, string> | null;
  values: (Labelled & { value: string })[] | null;
}

interface Entry {
  platform: string;
  configured: boolean;
  consent: Field[] | null;
  login: Field[] | null;
}

test('the catalog describes how to connect each platform', async () => {
  const operator = await service.newSession();
  await service.db.execute('update auth."user" set operator = (id = $1)', [operator.userId]);
  const user = await service.newSession();
  const { body } = await user.get('/platform/catalog');
  const entries = body.data as Entry[];
  expect(JSON.stringify(body)).not.toContain(operator.email);
  expect(entries.map(({ platform }) => platform)).toHaveLength(new Set(entries.map(({ platform }) => platform)).size);
  for (const { platform, consent, login } of entries) expect(consent ?? login, platform).not.toBeNull();
  // Without an application at the platform, nobody can connect.
  expect(entries.some(({ configured }) => configured)).toBe(true);
  expect(entries.some(({ configured }) => !configured)).toBe(true);
  const withSecret = entries.filter(({ login }) => login?.some(({ name }) => name === 'secret'));
  expect(withSecret.length).toBeGreaterThan(0);

  const [missing] = entries.filter(({ configured }) => !configured);
  const { data } = (await operator.get('/platform/setup')).body;
  const setup = data.find(({ platform }: Entry) => platform === missing?.platform);
  await operator.call('PUT', `/platform/setup/${setup.applications[0].name}`, {
    json: { clientId: 'id', clientSecret: 'secret' },
  });
  const after = (await user.get('/platform/catalog')).body.data as Entry[];
  expect(after.find(({ platform }) => platform === missing?.platform)?.configured).toBe(true);
});

test('the catalog offers the logins that are set up', async () => {
  const operator = await service.newSession();
  await service.db.execute('update auth."user" set operator = (id = $1)', [operator.userId]);
  const offered = async () => {
    const entries = (await operator.get('/platform/catalog')).body.data as Entry[];
    const asked = entries.find(({ platform }) => platform === 'instagram')?.consent ?? [];
    return asked.find(({ name }) => name === 'login')?.values?.map(({ value }) => value);
  };
  await operator.call('DELETE', '/platform/setup/facebook');
  expect(await offered()).toEqual(['instagram', 'facebook']);
  const json = { clientId: 'id', clientSecret: 'secret' };
  await operator.call('PUT', '/platform/setup/facebook', { json });
  expect(await offered()).toEqual(['facebook']);
  await operator.call('PUT', '/platform/setup/instagram', { json });
  expect(await offered()).toEqual(['instagram', 'facebook']);
});

test('every field has a label in each language', async () => {
  const user = await service.newSession();
  const entries = (await user.get('/platform/catalog')).body.data as Entry[];
  const fields = entries.flatMap(({ consent, login }) => [...(consent ?? []), ...(login ?? [])]);
  const labelled: Labelled[] = fields.flatMap((field) => [field, ...(field.values ?? [])]);
  expect(fields.some(({ values }) => values !== null)).toBe(true);
  expect(fields.filter(({ hint }) => hint !== null && hint.en !== '' && hint.de !== '').length).toBeGreaterThan(3);
  for (const { label, title } of labelled) {
    expect(title).toEqual({ en: label, de: expect.any(String) });
    expect(label).not.toBe('');
    expect(title.de).not.toBe('');
  }
});

test('the catalog needs a key or a session', async () => {
  expect((await service.client.get('/platform/catalog')).status).toBe(401);
});
