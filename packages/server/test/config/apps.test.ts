import { expect, test } from 'vitest';
import { assertOneSpelling, setupOf } from '../../src/accounts/apps/platform-setup.ts';
import { makeConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import { connectors } from '../../src/connectors/registry.ts';

const appsOf = async (variables: Record<string, string>) => makeConfig(await readEnvironment(variables)).apps;
const setups = Object.values(connectors).map((connector) =>
  setupOf(connector, { apps: { source: () => null }, publicUrl: 'https://reelay.example' }),
);
const applications = setups.flatMap((setup) => setup.applications);

test("variables of applications use the platform's spelling", () => {
  const ids = applications.map(({ variables }) => variables[0]);
  expect([...new Set(ids)].sort()).toEqual([
    'FACEBOOK_APP_ID',
    'GOOGLE_CLIENT_ID',
    'INSTAGRAM_APP_ID',
    'LINKEDINPAGES_CLIENT_ID',
    'LINKEDIN_CLIENT_ID',
    'PINTEREST_APP_ID',
    'SNAPCHAT_CLIENT_ID',
    'THREADS_APP_ID',
    'TIKTOK_CLIENT_KEY',
    'X_CLIENT_ID',
  ]);
});

test.each(applications.map(({ name, variables }) => [name, variables] as const))(
  '%s are read in each spelling',
  async (name, variables) => {
    const upper = name.toUpperCase();
    const pairs = [
      variables,
      [`${upper}_CLIENT_ID`, `${upper}_CLIENT_SECRET`],
      [`${upper}_APP_ID`, `${upper}_APP_SECRET`],
    ];
    for (const [id = '', secret = ''] of pairs) {
      const apps = await appsOf({ [id]: 'the id', [secret]: 'the secret' });
      expect(apps[name]).toMatchObject({ id: 'the id', secret: 'the secret' });
      expect(() => assertOneSpelling(connectors, apps)).not.toThrow();
    }
  },
);

test.each([
  [['FACEBOOK_APP_ID', 'FACEBOOK_CLIENT_SECRET'], /do not belong together: FACEBOOK_APP_ID, FACEBOOK_CLIENT_SECRET\./],
  [['TIKTOK_CLIENT_KEY', 'TIKTOK_APP_SECRET'], /do not belong together: TIKTOK_APP_SECRET, TIKTOK_CLIENT_KEY\./],
  [['TIKTOK_CLIENT_KEY', 'TIKTOK_CLIENT_ID'], /have the same meaning: TIKTOK_CLIENT_ID, TIKTOK_CLIENT_KEY\./],
  [['X_CLIENT_ID', 'X_CLIENT_SECRET', 'X_APP_SECRET'], /have the same meaning: X_APP_SECRET, X_CLIENT_SECRET\./],
])('%s together prevent the start', async (names, sentence) => {
  const apps = await appsOf(Object.fromEntries(names.map((name) => [name, 'a secret value'])));
  expect(() => assertOneSpelling(connectors, apps)).toThrow(sentence);
  expect(() => assertOneSpelling(connectors, apps)).not.toThrow('a secret value');
});

test('variables of other programs are ignored', async () => {
  const apps = await appsOf({ GITHUB_APP_ID: '1', GITHUB_CLIENT_ID: '2', GITHUB_CLIENT_SECRET: '3' });
  expect(() => assertOneSpelling(connectors, apps)).not.toThrow();
});
