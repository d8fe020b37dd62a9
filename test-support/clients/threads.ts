/** Threads: openid-client and oauth4webapi. No client library publishes, so the sign-in and reads are driven. */
import assert from 'node:assert/strict';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import type { ClientSuite, ClientWorld } from './contract.ts';

const SERVER = {
  issuer: 'https://graph.threads.net',
  authorization_endpoint: 'https://www.threads.net/oauth/authorize',
  token_endpoint: 'https://graph.threads.net/oauth/access_token',
};
const SCOPE = 'threads_basic,threads_content_publish';
const NO_TYPE = 'Meta’s sample shows the response without token_type, which RFC 6749 (5.1) requires.';

async function driveOpenid({ app, redirectUri, simulator, consent, call, differs }: ClientWorld): Promise<void> {
  const config = new openid.Configuration(SERVER, app.clientId, undefined, openid.ClientSecretPost(app.clientSecret));
  const parameters = { redirect_uri: redirectUri, scope: SCOPE, response_type: 'code', state: 'the state' };
  const url = await call('buildAuthorizationUrl', () => openid.buildAuthorizationUrl(config, parameters));
  const denied = await call('buildAuthorizationUrl, denied', () => consent(url, { decision: 'deny' }));
  await call('authorizationCodeGrant, denied', async () => {
    const error = await failure(openid.authorizationCodeGrant(config, denied, { expectedState: 'the state' }));
    assert.ok(error instanceof openid.AuthorizationResponseError);
    assert.equal(error.error, 'access_denied');
  });
  const back = await call('buildAuthorizationUrl, opened', () => consent(url));
  await differs('authorizationCodeGrant', NO_TYPE, () =>
    openid.authorizationCodeGrant(config, back, { expectedState: 'the state' }),
  );
  const { tokenAnswer } = await simulator.simulator.enrol('nora');
  const me = new URL('https://graph.threads.net/v1.0/me?fields=id,username');
  const response = await call('fetchProtectedResource', () =>
    openid.fetchProtectedResource(config, String(tokenAnswer?.access_token), me, 'GET'),
  );
  assert.equal(((await response.json()) as { username: string }).username, 'nora');
}

async function driveOauth({ app, redirectUri, simulator, consent, call, differs }: ClientWorld): Promise<void> {
  const client = { client_id: app.clientId };
  const authorize = new URL(SERVER.authorization_endpoint);
  authorize.search = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: SCOPE,
    state: 'the state',
  }).toString();
  const back = await consent(authorize);
  const parameters = await call('validateAuthResponse', () =>
    oauth.validateAuthResponse(SERVER, client, back, 'the state'),
  );
  const auth = oauth.ClientSecretPost(app.clientSecret);
  const exchange = () =>
    oauth.authorizationCodeGrantRequest(SERVER, client, auth, parameters, redirectUri, oauth.nopkce);
  const response = await call('authorizationCodeGrantRequest', exchange);
  assert.equal(response.status, 200);
  await differs('processAuthorizationCodeResponse', NO_TYPE, () =>
    oauth.processAuthorizationCodeResponse(SERVER, client, response),
  );
  const again = await call('authorizationCodeGrantRequest, code used before', exchange);
  assert.equal(again.status, 400);
  assert.equal(((await again.json()) as { error_type: string }).error_type, 'OAuthException');
  const { tokenAnswer } = await simulator.simulator.enrol('nora');
  const token = String(tokenAnswer?.access_token);
  const read = (path: string, bearer: string) =>
    oauth.protectedResourceRequest(bearer, 'GET', new URL(`https://graph.threads.net/v1.0/${path}`));
  const posts = await call('protectedResourceRequest', () => read('me/threads?fields=id,text', token));
  assert.deepEqual(((await posts.json()) as { data: unknown[] }).data, []);
  const refused = await call('protectedResourceRequest, token unknown', () => read('me', 'THunknown'));
  assert.equal(refused.status, 400);
  assert.equal(((await refused.json()) as { error: { code: number } }).error.code, 190);
}

const failure = (promise: Promise<unknown>): Promise<unknown> => promise.then(() => null).catch((error) => error);

export const suite: ClientSuite = {
  hosts: ['www.threads.net', 'graph.threads.net'],
  clients: [
    { name: 'openid-client', drive: driveOpenid },
    { name: 'oauth4webapi', drive: driveOauth },
  ],
};
