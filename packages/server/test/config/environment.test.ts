import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeConfig } from '../../src/config/config.ts';
import { readEnvironment } from '../../src/config/env.ts';
import { loadPlans } from '../../src/config/plans.ts';
import { loadSecrets } from '../../src/config/secrets.ts';
import { createSealer } from '../../src/lib/encryption/seal.ts';
import { withFolder } from '../harness/folder.ts';

const configOf = async (variables: Record<string, string> = {}) => makeConfig(await readEnvironment(variables));
const shared = { DATABASE_URL: 'postgres://db.example/reelay', STORAGE_URL: 'file:///srv/reelay' };

test('defaults match the documentation', async () => {
  expect(await configOf()).toMatchObject({
    role: 'all',
    listen: { host: 'localhost', port: 3000, tls: null },
    publicUrl: 'http://localhost:3000',
    trustProxy: ['loopback'],
    httpsOnly: false,
    databaseUrl: null,
    sandbox: true,
    plans: loadPlans(undefined),
    defaultPlan: 'PRO',
    rateLimit: 'per-minute',
    signup: 'first-user',
    mediaRetentionDays: 30,
    metricsToken: null,
    mail: null,
  });
});

test.each([
  [
    { HOST: '127.0.0.2', PORT: '81' },
    { listen: { host: '127.0.0.2', port: 81 }, publicUrl: 'http://127.0.0.2:81' },
  ],
  [{ HOST: '127.0.0.1' }, { listen: { host: '127.0.0.1' }, publicUrl: 'http://localhost:3000' }],
  [{ HOST: '::1' }, { listen: { host: '::1' }, publicUrl: 'http://[::1]:3000', sandbox: true }],
  [{ HOST: '[::1]' }, { listen: { host: '::1' }, publicUrl: 'http://[::1]:3000' }],
  [{ HOST: '192.0.2.1', ALLOW_HTTP: 'on' }, { publicUrl: 'http://192.0.2.1:3000' }],
  [
    { HOST: '::', ALLOW_HTTP: 'on' },
    { listen: { host: '::' }, publicUrl: 'http://localhost:3000' },
  ],
  [{ DATABASE_URL: 'postgres://me:a%23b@db.example/reelay' }, { databaseUrl: 'postgres://me:a%23b@db.example/reelay' }],
  [
    { DATABASE_URL: 'postgres:///reelay?host=/run/pg&user=me@here' },
    { databaseUrl: 'postgres:///reelay?host=/run/pg&user=me@here' },
  ],
  [{ TLS_CERT_FILE: '/c.pem', TLS_KEY_FILE: '/k.pem' }, { listen: { tls: { certFile: '/c.pem', keyFile: '/k.pem' } } }],
  [{ TRUST_PROXY: '10.0.0.1, 192.0.2.0/24' }, { trustProxy: ['10.0.0.1', '192.0.2.0/24'] }],
  [{ PUBLIC_URL: 'https://reelay.example/' }, { publicUrl: 'https://reelay.example', httpsOnly: true, sandbox: false }],
  [{ PUBLIC_URL: 'https://reelay.example', SANDBOX: 'on' }, { sandbox: true }],
  [{ SANDBOX: 'off' }, { sandbox: false }],
  [
    { PUBLIC_URL: 'http://home.lan', ALLOW_HTTP: 'on' },
    { publicUrl: 'http://home.lan', httpsOnly: false },
  ],
  [{ PUBLIC_URL: 'http://127.0.0.1:8080' }, { publicUrl: 'http://127.0.0.1:8080', sandbox: true }],
  [
    { ROLE: 'api', ...shared },
    { role: 'api', databaseUrl: shared.DATABASE_URL, storageFolder: '/srv/reelay' },
  ],
  [{ ROLE: 'worker', ...shared }, { role: 'worker' }],
  [{ DEFAULT_PLAN: 'FREE' }, { defaultPlan: 'FREE' }],
  [{ SIGNUP: 'open' }, { signup: 'open' }],
  [{ SIGNUP: 'closed' }, { signup: 'closed' }],
  [{ RATE_LIMIT: 'per-plan-hourly' }, { rateLimit: 'per-plan-hourly' }],
  [{ MEDIA_RETENTION_DAYS: '0' }, { mediaRetentionDays: 0 }],
  [{ MEDIA_RETENTION_DAYS: '1.5' }, { mediaRetentionDays: 1.5 }],
  [{ METRICS_TOKEN: 'token' }, { metricsToken: 'token' }],
  [
    { SMTP_URL: 'smtp://mail.example:587', MAIL_FROM: 'Reelay <reelay@example.org>' },
    { mail: { smtpUrl: 'smtp://mail.example:587', from: 'Reelay <reelay@example.org>', requireTls: true } },
  ],
  [
    { SMTP_URL: 'smtp://localhost:25', MAIL_FROM: 'reelay@example.org' },
    { mail: { smtpUrl: 'smtp://localhost:25', from: 'reelay@example.org', requireTls: false } },
  ],
  [
    { HOST: '', SANDBOX: '', DEFAULT_PLAN: '' },
    { sandbox: true, defaultPlan: 'PRO' },
  ],
] as [Record<string, string>, object][])('the configuration accepts %j', async (variables, expected) => {
  expect(await configOf(variables)).toMatchObject(expected);
});

test.each([
  [{ PUBLIC_URL: 'http://home.lan' }, 'ALLOW_HTTP'],
  [{ PUBLIC_URL: 'http://home.lan', ALLOW_HTTP: 'off' }, 'ALLOW_HTTP'],
  [{ ALLOW_HTTP: 'yes' }, 'ALLOW_HTTP'],
  [{ HOST: '192.0.2.1' }, 'HOST=192.0.2.1 lets other machines in'],
  [{ TLS_CERT_FILE: '/c.pem' }, 'TLS_KEY_FILE'],
  [{ TLS_KEY_FILE: '/k.pem' }, 'TLS_CERT_FILE'],
  [{ ROLE: 'api' }, 'DATABASE_URL'],
  [{ ROLE: 'worker', DATABASE_URL: shared.DATABASE_URL }, 'STORAGE_URL'],
  [{ ROLE: 'both' }, 'ROLE'],
  [{ SANDBOX: 'true' }, 'SANDBOX'],
  [{ DEFAULT_PLAN: 'GOLD' }, 'DEFAULT_PLAN'],
  [{ SIGNUP: 'everybody' }, 'SIGNUP'],
  [{ MEDIA_RETENTION_DAYS: '-1' }, 'MEDIA_RETENTION_DAYS'],
  [{ MEDIA_RETENTION_DAYS: 'long' }, 'MEDIA_RETENTION_DAYS'],
  [{ PLANS_FILE: '/nonexistent.json' }, 'PLANS_FILE'],
  [{ SECRET_KEY: 'a', SECRET_KEY_FILE: '/b' }, 'SECRET_KEY_FILE'],
  [{ SMTP_URL: 'smtp://mail.example' }, 'MAIL_FROM'],
  [{ MAIL_FROM: 'reelay@example.org' }, 'SMTP_URL'],
  [{ SMTP_URL: 'http://mail.example', MAIL_FROM: 'reelay@example.org' }, 'SMTP_URL'],
  [{ SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'Reelay' }, 'MAIL_FROM'],
  [{ SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'a@example.org, b@example.org' }, 'MAIL_FROM'],
] as [Record<string, string>, string][])('%j prevents the start with an error naming %s', async (variables, name) => {
  await expect(configOf(variables)).rejects.toThrow(name);
});

test.each(['/reelay', '/?a=1', '?a=1', '#x', '/reelay/'])('PUBLIC_URL does not end in %s', async (end) => {
  await expect(configOf({ PUBLIC_URL: `https://reelay.example${end}` })).rejects.toThrow(
    /^The variable PUBLIC_URL is invalid: Reelay needs a host or port of its own, .* without a path, query, /,
  );
});

test.each(['a#b', 'a@b/c', '1#2', '1/2', '1?2', '1%2'])('the raw password "%s" is to be encoded', async (password) => {
  const refusal = configOf({ DATABASE_URL: `postgres://me:${password}@db.example/reelay` });
  await expect(refusal).rejects.toThrow(/^The variable DATABASE_URL is invalid: .*Percent-encode/);
  await expect(refusal).rejects.not.toThrow('db.example');
});

test('PLANS_FILE replaces the plans; errors name the file', async () => {
  await withFolder(async (folder) => {
    const PLANS_FILE = join(folder, 'plans.json');
    const plans = loadPlans(undefined);
    await writeFile(PLANS_FILE, JSON.stringify({ ...plans, FREE: { ...plans.FREE, rules: 7 } }));
    expect((await configOf({ PLANS_FILE })).plans).toEqual({ ...plans, FREE: { ...plans.FREE, rules: 7 } });
    const { FREE: _, ...without } = plans;
    const wrong = [without, { ...plans, GOLD: plans.PRO }, { ...plans, PRO: { ...plans.PRO, rules: -1 } }];
    for (const text of [...wrong.map((each) => JSON.stringify(each)), '{', '']) {
      await writeFile(PLANS_FILE, text);
      await expect(configOf({ PLANS_FILE })).rejects.toThrow('PLANS_FILE');
    }
  });
});

test('SECRET_KEY_PREVIOUS decrypts old secrets and encrypts nothing', async () => {
  await withFolder(async (folder) => {
    const [former, present] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string];
    const sealerOf = async (variables: Record<string, string>) =>
      createSealer((await loadSecrets(await readEnvironment(variables), folder)).sealing);
    const [old, both, alone] = [
      await sealerOf({ SECRET_KEY: former }),
      await sealerOf({ SECRET_KEY: present, SECRET_KEY_PREVIOUS: former }),
      await sealerOf({ SECRET_KEY: present }),
    ];
    const sealed = old.seal('token', 'place');
    expect(both.open(sealed, 'place')).toBe('token');
    expect(() => alone.open(sealed, 'place')).toThrow();
    expect(alone.open(both.seal('token', 'place'), 'place')).toBe('token');
    await expect(sealerOf({ SECRET_KEY: present, SECRET_KEY_PREVIOUS: 'x' })).rejects.toThrow('SECRET_KEY_PREVIOUS');
  });
});
