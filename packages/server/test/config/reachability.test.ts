import { expect, test } from 'vitest';
import { isLoopback, makeConfig } from '../../src/config/config.ts';
import { checkVariables } from '../../src/config/variables.ts';

const configOf = (given: Record<string, string>) => makeConfig({ ...checkVariables(given), terminal: false });

test('this machine alone can connect without variables', () => {
  expect(configOf({})).toMatchObject({ listen: { host: 'localhost' }, sandbox: true, httpsOnly: false });
});

test.each(['0.0.0.0', '::', '192.168.1.7', 'reelay.local', '::ffff:127.0.0.1'])(
  'HOST=%s alone prevents the start',
  (HOST) => {
    expect(() => configOf({ HOST })).toThrow(/HOST=.*PUBLIC_URL.*ALLOW_HTTP=on/);
    expect(() => configOf({ HOST, PUBLIC_URL: 'http://localhost:3000' })).toThrow(/HOST=/);
  },
);

test.each(['127.0.0.1', '127.0.0.9', '::1', 'localhost'])('HOST=%s is this machine', (HOST) => {
  expect(configOf({ HOST })).toMatchObject({ listen: { host: HOST }, sandbox: true });
});

test('a public http PUBLIC_URL prevents the start', () => {
  expect(() => configOf({ PUBLIC_URL: 'http://reelay.example' })).toThrow(/PUBLIC_URL must be https.*ALLOW_HTTP=on/);
});

test('ALLOW_HTTP=on allows plain HTTP for others', () => {
  expect(configOf({ HOST: '0.0.0.0', ALLOW_HTTP: 'on' })).toMatchObject({ httpsOnly: false, sandbox: false });
  expect(configOf({ PUBLIC_URL: 'http://reelay.example', ALLOW_HTTP: 'on' }).sandbox).toBe(false);
});

test('an https PUBLIC_URL allows any HOST', () => {
  const config = configOf({ HOST: '0.0.0.0', PUBLIC_URL: 'https://reelay.example' });
  expect(config).toMatchObject({ httpsOnly: true, sandbox: false });
});

test('a public sandbox must be enabled explicitly', () => {
  const open = { HOST: '0.0.0.0', ALLOW_HTTP: 'on' };
  expect(configOf({ ...open, SANDBOX: 'on' }).sandbox).toBe(true);
  expect(configOf({ PUBLIC_URL: 'https://reelay.example', HOST: '127.0.0.1' }).sandbox).toBe(false);
});

test.each(['localhost.', 'localhost.evil.example', '127.0.0.1.evil.example', '[::]', '0.0.0.0', ''])(
  '"%s" is not this machine',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);
