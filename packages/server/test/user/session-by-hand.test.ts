import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../../../sandbox/test/harness/raw-http.ts';
import { OPERATIONS, SIGN_IN, TAGS } from '../../src/app/operations.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { resolveResponse } from '../../src/http/openapi/responses.ts';
import { createUser } from '../../src/users/service.ts';
import { startService, type TestService } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ config: { role: 'api' } });
  await createUser(service.db, { email: 'ada@example.org', password: 'correct horse battery', plan: 'PRO' });
});
afterAll(() => service.close());

const document = openApiDocument(OPERATIONS, { server: '/api/v1', tags: TAGS, signIn: SIGN_IN });
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema({ $id: 'document', components: document.components });

/** Sends a request as curl does, and validates the response against the OpenAPI document. */
async function send(method: 'get' | 'post', path: string, json?: unknown, headers: Record<string, string> = {}) {
  const response = await sendRaw(service.url + path, {
    method: method.toUpperCase(),
    headers: { ...headers, ...(json ? { 'content-type': 'application/json' } : {}) },
    body: json ? JSON.stringify(json) : undefined,
  });
  const body = JSON.parse(response.text);
  const documented = document.paths[path]?.[method]?.responses[response.status];
  if (!documented) throw new Error(`${response.status} of ${path} is not documented: ${response.text}`);
  const schema = JSON.stringify(resolveResponse(document, documented).content?.['application/json']?.schema);
  const fits = ajv.validate(JSON.parse(schema.replaceAll('"#/components/', '"document#/components/')), body);
  expect([ajv.errorsText(), fits]).toEqual(['No errors', true]);
  expect(response.headers.get('x-request-id')).toBeTruthy();
  return { status: response.status, body, cookie: response.headers.get('set-cookie')?.split(';', 1)[0] ?? '' };
}

test('obtains, uses and ends a session as documented', async () => {
  const credentials = { email: 'ada@example.org', password: 'correct horse battery' };
  const signedIn = await send('post', '/api/auth/sign-in/email', credentials);
  const { cookie } = signedIn;
  expect([signedIn.status, cookie]).toEqual([200, expect.stringMatching(/^reelay\.session_token=./)]);
  expect((await send('get', '/api/auth/get-session', undefined, { cookie })).body.user.email).toBe('ada@example.org');
  const session = service.clientWith({ cookie, 'x-reelay-csrf': '1' });
  expect((await session.get('/accounts/attempts')).status).toBe(200);
  expect((await session.post('/user/api-key/generate')).status).toBe(200);
  const foreign = await send('post', '/api/auth/sign-out', {}, { cookie });
  expect(foreign.status).toBe(403);
  const headers = { cookie, origin: service.url };
  expect(await send('post', '/api/auth/sign-out', {}, headers)).toMatchObject({
    status: 200,
    body: { success: true },
  });
  expect((await send('get', '/api/auth/get-session', undefined, { cookie })).body).toBeNull();
  expect((await session.get('/accounts/attempts')).status).toBe(401);
});

test('sign-in errors are documented', async () => {
  const wrong = { email: 'ada@example.org', password: 'wrong horse battery' };
  expect(await send('post', '/api/auth/sign-in/email', wrong)).toMatchObject({ status: 401 });
  expect(await send('post', '/api/auth/sign-in/email', { email: 5 })).toMatchObject({ status: 400 });
});
