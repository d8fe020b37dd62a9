/** What requests of sign-in and of uploads cost, for a user who has as much of everything as one user can have. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cookiesOf } from '../harness/cookies.ts';
import { type Bound, expectWithin } from '../harness/cost-bound.ts';
import { createClient, type SessionUser, startService, type TestService } from '../harness/service.ts';
import { countWork, explainStatements } from '../harness/work.ts';
import { addWorstUser } from '../harness/worst-user.ts';

/** Longest texts that the fields accept. */
const PASSWORD = `${'𝒜𝒷𝒞𝒹'.repeat(31)}4!zQ`;
const EMAIL = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.org`;
const NAME = 'n'.repeat(100);
/** Bytes of an upload. */
const PIECE = 64 * 1024;

let service: TestService;
let session: SessionUser;
/** Path of the upload that the first request of uploads creates. */
let upload = '';
let cookie: string;
beforeAll(async () => {
  service = await startService({ config: { role: 'api', leastFreeBytes: 0, signup: 'open' } });
  // The first user is the operator.
  await service.newSession();
  session = await service.newSession();
  await addWorstUser(service.db, { userId: session.userId, rules: 1 });
  // Later requests find what the first ones load.
  await service.signUp('first@example.org');
  await createClient(service.url, null).post('//api/auth/passkey/generate-authenticate-options', {});
  ({ cookie } = session);
  await explainStatements(service.db, service.client);
});
afterAll(() => service.close());

interface Request {
  name: string;
  method: string;
  path: () => string;
  json?: () => unknown;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
  status: number;
  bound: Bound;
}

const auth = (name: string, json: () => unknown, status: number, bound: Bound): Request => ({
  ...{ name, method: 'POST', path: () => `//api/auth/${name}`, json, status, bound },
});
const tus = { 'tus-resumable': '1.0.0' };

/** In this order: the last ones end what others need. */
const REQUESTS: readonly Request[] = [
  auth('sign-up/email', () => ({ email: EMAIL, password: PASSWORD, name: NAME }), 200, [12, 8, 50, 13, 1]),
  auth('sign-in/email', () => ({ email: EMAIL, password: 'x'.repeat(256) }), 401, [7, 6, 50, 19, 1]),
  auth('request-password-reset', () => ({ email: session.email }), 400, [3, 3, 50, 5, 1]),
  auth('reset-password', () => ({ token: 't'.repeat(200), newPassword: PASSWORD }), 400, [1, 1, 50, 10, 1]),
  { ...auth('get-session', () => undefined, 200, [3, 3, 50, 10, 1]), method: 'GET' },
  auth('passkey/generate-register-options', () => ({ password: session.password }), 409, [13, 13, 100, 12, 1]),
  auth('passkey/generate-authenticate-options', () => ({}), 200, [3, 3, 50, 8, 1]),
  auth('two-factor/enable', () => ({ password: session.password }), 200, [14, 11, 100, 17, 1]),
  auth('two-factor/verify-totp', () => ({ code: '000000' }), 401, [11, 11, 100, 18, 1]),
  {
    ...{ name: 'a new upload', method: 'POST', path: () => '/uploads', status: 201, bound: [9, 6, 50, 18, 0] },
    headers: { ...tus, 'upload-length': String(PIECE), 'upload-metadata': `filename ${'a'.repeat(4_000)}` },
  },
  { ...{ name: 'its offset', method: 'HEAD', path: () => upload, status: 200, bound: [4, 4, 50, 3, 0] }, headers: tus },
  {
    ...{ name: 'its last piece', method: 'PATCH', path: () => upload, status: 204, bound: [10, 6, 50, 3, 0] },
    headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    body: new Uint8Array(PIECE),
  },
  {
    ...{ name: 'its deletion', method: 'DELETE', path: () => upload, status: 204, bound: [5, 4, 50, 3, 0] },
    headers: tus,
  },
  auth('revoke-other-sessions', () => ({}), 200, [110, 110, 350, 14, 1]),
  auth(
    'change-password',
    () => ({
      currentPassword: session.password,
      newPassword: PASSWORD,
      revokeOtherSessions: true,
      revokeApiKey: true,
      revokePasskeys: true,
    }),
    200,
    [30, 17, 150, 27, 1],
  ),
  auth('sign-in/email', () => ({ email: session.email, password: PASSWORD }), 200, [11, 8, 100, 16, 1]),
  auth('delete-user', () => ({ password: PASSWORD }), 200, [30, 300, 33000, 18, 1]),
];

test.each(REQUESTS)('$name ($status) stays within its bounds', async (request) => {
  const headers = { cookie, 'x-reelay-csrf': '1', origin: service.url, ...request.headers };
  const client = createClient(service.url, null);
  const json = request.json?.();
  const { result, work } = await countWork(() =>
    client.call(request.method, request.path(), { json, headers, body: request.body }),
  );
  expect([result.status, result.status === request.status ? null : result.body]).toEqual([request.status, null]);
  if (request.name === 'sign-in/email' && result.status === 200) cookie = cookiesOf(result);
  upload ||= result.headers.get('location')?.replace(/^\/api\/v1/, '') ?? '';
  expectWithin(request.bound, work, result.bytes.length);
});
