/** Facebook: arctic. No client library publishes reels, so only the sign-in is driven. */
import assert from 'node:assert/strict';
import { Facebook, UnexpectedErrorResponseBodyError } from 'arctic';
import type { ClientSuite, ClientWorld } from './contract.ts';

const SCOPES = ['pages_show_list', 'pages_read_engagement', 'pages_manage_posts', 'business_management'];

async function drive({ app, redirectUri, consent, call }: ClientWorld): Promise<void> {
  const facebook = new Facebook(app.clientId, app.clientSecret, redirectUri);
  const url = await call('createAuthorizationURL', () => facebook.createAuthorizationURL('the state', SCOPES));
  const back = await call('createAuthorizationURL, opened', () => consent(url));
  assert.equal(back.searchParams.get('state'), 'the state');
  const code = back.searchParams.get('code') ?? '';
  const tokens = await call('validateAuthorizationCode', () => facebook.validateAuthorizationCode(code));
  assert.match(tokens.accessToken(), /^EAA/);
  assert.equal(tokens.tokenType(), 'bearer');
  assert.ok(tokens.accessTokenExpiresAt() > new Date());
  // The error format is the Graph API's, not the one of OAuth, so the library hands on the body.
  await call('validateAuthorizationCode, code used before', async () => {
    const error = await facebook.validateAuthorizationCode(code).catch((reason: unknown) => reason);
    assert.ok(error instanceof UnexpectedErrorResponseBodyError);
    assert.equal(error.status, 400);
    assert.deepEqual(
      (({ code: number, error_subcode }) => [number, error_subcode])(
        (error.data as { error: { code: number; error_subcode: number } }).error,
      ),
      [100, 36_009],
    );
  });
  const denied = await call('createAuthorizationURL, denied', () => consent(url, { decision: 'deny' }));
  assert.equal(denied.searchParams.get('error'), 'access_denied');
}

export const suite: ClientSuite = {
  hosts: ['www.facebook.com', 'graph.facebook.com'],
  clients: [{ name: 'arctic', drive }],
};
