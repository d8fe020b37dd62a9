/** TikTok: arctic, and the general OAuth libraries. No independent client on npm publishes. */
import assert from 'node:assert/strict';
import { generateCodeVerifier, TikTok } from 'arctic';
import type { ClientSuite, ClientWorld } from './contract.ts';
import { oauthClients } from './oauth.ts';

const SCOPES = ['user.info.basic', 'user.info.profile', 'video.list', 'video.publish'];

async function driveArctic({ app, call, consent, redirectUri }: ClientWorld): Promise<void> {
  const tiktok = new TikTok(app.clientId, app.clientSecret, redirectUri);
  const verifier = generateCodeVerifier();
  const url = await call('createAuthorizationURL', () => tiktok.createAuthorizationURL('the-state', verifier, SCOPES));
  const callback = (await consent(url)).searchParams;
  assert.equal(callback.get('state'), 'the-state');
  const code = callback.get('code') ?? '';
  const tokens = await call('validateAuthorizationCode', () => tiktok.validateAuthorizationCode(code, verifier));
  assert.equal(tokens.accessTokenExpiresInSeconds(), 7200);
  const renewed = await call('refreshAccessToken', () => tiktok.refreshAccessToken(tokens.refreshToken()));
  assert.notEqual(renewed.refreshToken(), tokens.refreshToken());
  // TikTok sends errors with status 200, which arctic reads as a response without a token.
  await call('validateAuthorizationCode (used code)', async () => {
    const refused = await tiktok.validateAuthorizationCode(code, verifier);
    assert.throws(() => refused.accessToken(), /access_token/);
    assert.equal((refused.data as { error?: string }).error, 'invalid_grant');
  });
  await call('revokeToken', () => tiktok.revokeToken(renewed.accessToken()));
  const ended = await tiktok.refreshAccessToken(renewed.refreshToken());
  assert.equal(ended.hasRefreshToken(), false);
}

export const suite: ClientSuite = {
  hosts: ['www.tiktok.com', 'open.tiktokapis.com'],
  clients: [
    { name: 'arctic', drive: driveArctic },
    ...oauthClients({
      issuer: 'https://www.tiktok.com',
      consent: 'https://www.tiktok.com/v2/auth/authorize/',
      token: 'https://open.tiktokapis.com/v2/oauth/token/',
      revoke: 'https://open.tiktokapis.com/v2/oauth/revoke/',
      scope: SCOPES.join(','),
      extra: { client_key: 'sandbox-client' },
      client: 'key',
      pkce: true,
      account: 'https://open.tiktokapis.com/v2/user/info/?fields=open_id,display_name',
      accountField: /"open_id":"\w/,
      // TikTok sends errors with status 200.
      usedCode: { code: 'OAUTH_INVALID_RESPONSE' },
    }),
  ],
};
