/** Requests of sign-in that come from other sites. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SIGN_IN } from '../../src/app/operations.ts';
import { originsOf, refuseOrigin } from '../../src/users/origins.ts';
import { type SessionUser, startService, type TestService } from '../harness/service.ts';

let service: TestService;
let user: SessionUser;
beforeAll(async () => {
  service = await startService();
  user = await service.newSession();
});
afterAll(() => service.close());

const FOREIGN: [string, Record<string, string>, string][] = [
  ['another origin', { origin: 'https://elsewhere.example' }, 'invalid_origin'],
  ['another port', { origin: 'http://127.0.0.1:1' }, 'invalid_origin'],
  ['a hidden origin', { origin: 'null' }, 'missing_or_null_origin'],
  ['no origin', {}, 'missing_or_null_origin'],
  ['a page of another site', { referer: 'https://elsewhere.example/page' }, 'invalid_origin'],
];
const ROUTES = SIGN_IN.filter(({ method }) => method === 'POST').map(({ path }) => path);

describe.each(FOREIGN)('a request with %s', (_, headers, code) => {
  test.each(ROUTES)('to %s is refused', async (path) => {
    const { status, body } = await service.client.call('POST', `//api/auth${path}`, {
      json: { password: user.password },
      headers: { cookie: user.cookie, ...headers },
    });
    expect([status, body.code]).toEqual([403, code]);
  });
});

test('requests of other sites have changed nothing', async () => {
  expect((await user.get('/user')).status).toBe(200);
});

test.each([
  ['https://reelay.example', { origin: 'https://reelay.example' }, null],
  ['https://reelay.example', { referer: 'https://reelay.example/app/' }, null],
  ['https://reelay.example', {}, null],
  ['https://reelay.example', { origin: 'http://reelay.example' }, 'INVALID_ORIGIN'],
  ['https://reelay.example', { origin: 'https://reelay.example.evil.example' }, 'INVALID_ORIGIN'],
  ['http://localhost:3000', { origin: 'http://127.0.0.1:3000' }, null],
  ['http://localhost:3000', { origin: 'http://[::1]:3000' }, null],
] as [string, Record<string, string>, string | null][])('%s takes %j: %s', (publicUrl, headers, refusal) => {
  expect(refuseOrigin(publicUrl, (name) => headers[name])).toBe(refusal);
});

test('a public address has one origin', () => {
  expect(originsOf('https://reelay.example/')).toEqual(['https://reelay.example']);
});
