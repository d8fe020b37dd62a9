/** The general OAuth libraries, for platforms that no other client publishes to. */
import assert from 'node:assert/strict';
import * as oauth4webapi from 'oauth4webapi';
import * as openid from 'openid-client';
import type { Client, ClientWorld } from './contract.ts';

/** What an application configures for its platform. */
export interface OAuthPlatform {
  issuer: string;
  consent: string;
  token: string;
  revoke?: string;
  scope: string;
  /** Further parameters of the consent page. */
  extra?: Record<string, string>;
  /** How the application authenticates at the token endpoint. `key`: as `client_key`, in the form. */
  client: 'post' | 'basic' | 'key';
  pkce?: boolean;
  /** A resource of the account, and a field of its JSON that must be there. */
  account: string;
  accountField: RegExp;
  /** The error of both libraries for a code that was used before: an OAuth error, or a response of another form. */
  usedCode: { code: string; error?: string; status?: number };
  /** Header of a rate limit with the seconds to wait, if the platform sends one. */
  waitHeader?: string;
}

/** The clients of a platform that has only OAuth libraries. */
export const oauthClients = (platform: OAuthPlatform): Client[] => [
  { name: 'openid-client', drive: (world) => driveOpenid(world, platform) },
  { name: 'oauth4webapi', drive: (world) => driveOauth4webapi(world, platform) },
];

const serverOf = ({ issuer, consent, token, revoke }: OAuthPlatform) => ({
  issuer,
  authorization_endpoint: consent,
  token_endpoint: token,
  ...(revoke ? { revocation_endpoint: revoke } : {}),
});

function consentParameters(
  { scope, extra = {} }: OAuthPlatform,
  { redirectUri }: ClientWorld,
  challenge: string,
): Record<string, string> {
  const pkce: Record<string, string> = challenge ? { code_challenge: challenge, code_challenge_method: 'S256' } : {};
  return { redirect_uri: redirectUri, scope, state: 'the-state', ...extra, ...pkce };
}

/** Names the application as TikTok requires. Both libraries accept a function for this. */
const byKey =
  ({ app }: ClientWorld): oauth4webapi.ClientAuth =>
  (_server, _client, body) => {
    body.set('client_key', app.clientId);
    body.set('client_secret', app.clientSecret);
  };

async function driveOpenid(world: ClientWorld, platform: OAuthPlatform): Promise<void> {
  const { app, call, consent, simulator } = world;
  const auth = {
    post: openid.ClientSecretPost(app.clientSecret),
    basic: openid.ClientSecretBasic(app.clientSecret),
    key: byKey(world),
  }[platform.client];
  const config = new openid.Configuration(serverOf(platform), app.clientId, app.clientSecret, auth);
  const pkceCodeVerifier = platform.pkce ? openid.randomPKCECodeVerifier() : undefined;
  const challenge = pkceCodeVerifier ? await openid.calculatePKCECodeChallenge(pkceCodeVerifier) : '';
  const url = await call('buildAuthorizationUrl', () =>
    openid.buildAuthorizationUrl(config, consentParameters(platform, world, challenge)),
  );
  const callback = await consent(url);
  const exchange = () =>
    openid.authorizationCodeGrant(config, callback, {
      expectedState: 'the-state',
      ...(pkceCodeVerifier ? { pkceCodeVerifier } : {}),
    });
  const tokens = await call('authorizationCodeGrant', exchange);
  assert.ok(tokens.refresh_token);
  await call('authorizationCodeGrant (used code)', () => assert.rejects(exchange(), platform.usedCode));
  const renewed = await call('refreshTokenGrant', () => openid.refreshTokenGrant(config, tokens.refresh_token ?? ''));
  const read = (token = renewed.access_token) =>
    openid.fetchProtectedResource(config, token, new URL(platform.account), 'GET');
  const account = await call('fetchProtectedResource', () => read());
  assert.match(await account.text(), platform.accountField);
  await assertErrors(world, platform, 'fetchProtectedResource', read);
  if (platform.revoke) {
    await call('tokenRevocation', () => openid.tokenRevocation(config, renewed.access_token));
    assert.equal((await read()).status, 401);
  }
  assert.deepEqual(simulator.errors, []);
}

async function driveOauth4webapi(world: ClientWorld, platform: OAuthPlatform): Promise<void> {
  const { app, call, consent, redirectUri } = world;
  const server: oauth4webapi.AuthorizationServer = serverOf(platform);
  const client: oauth4webapi.Client = { client_id: app.clientId };
  const auth = {
    post: oauth4webapi.ClientSecretPost(app.clientSecret),
    basic: oauth4webapi.ClientSecretBasic(app.clientSecret),
    key: byKey(world),
  }[platform.client];
  const verifier = platform.pkce ? oauth4webapi.generateRandomCodeVerifier() : oauth4webapi.nopkce;
  const challenge = typeof verifier === 'string' ? await oauth4webapi.calculatePKCECodeChallenge(verifier) : '';
  const url = new URL(platform.consent);
  const common = { client_id: app.clientId, response_type: 'code' };
  url.search = new URLSearchParams({ ...common, ...consentParameters(platform, world, challenge) }).toString();
  const callback = await consent(url);
  const parameters = await call('validateAuthResponse', () =>
    oauth4webapi.validateAuthResponse(server, client, callback, 'the-state'),
  );
  const exchange = async () => {
    const response = await oauth4webapi.authorizationCodeGrantRequest(
      server,
      client,
      auth,
      parameters,
      redirectUri,
      verifier,
    );
    return oauth4webapi.processAuthorizationCodeResponse(server, client, response);
  };
  const tokens = await call('authorizationCodeGrantRequest', exchange);
  assert.ok(tokens.refresh_token);
  await call('authorizationCodeGrantRequest (used code)', () => assert.rejects(exchange(), platform.usedCode));
  const renewed = await call('refreshTokenGrantRequest', async () => {
    const refreshToken = tokens.refresh_token ?? '';
    const response = await oauth4webapi.refreshTokenGrantRequest(server, client, auth, refreshToken);
    return oauth4webapi.processRefreshTokenResponse(server, client, response);
  });
  const read = (token = renewed.access_token) =>
    oauth4webapi.protectedResourceRequest(token, 'GET', new URL(platform.account));
  const account = await call('protectedResourceRequest', () => read());
  assert.match(await account.text(), platform.accountField);
  await assertErrors(world, platform, 'protectedResourceRequest', read);
  if (platform.revoke) {
    await call('revocationRequest', async () => {
      const response = await oauth4webapi.revocationRequest(server, client, auth, renewed.access_token);
      await oauth4webapi.processRevocationResponse(response);
    });
    assert.equal((await read()).status, 401);
  }
}

/** Both libraries hand on the responses of a resource. */
async function assertErrors(
  { call, simulator }: ClientWorld,
  { account, waitHeader }: OAuthPlatform,
  name: string,
  read: (token?: string) => Promise<Response>,
): Promise<void> {
  await call(`${name} (401)`, async () => assert.equal((await read('not-a-token')).status, 401));
  const isAccount = ({ path }: { path: string }) => path === new URL(account).pathname;
  simulator.faults.add({ when: isAccount, times: 1, fault: { kind: 'refusal', refusal: 'rate-limited-with-wait' } });
  await call(`${name} (429)`, async () => {
    const response = await read();
    assert.equal(response.status, 429);
    if (waitHeader) assert.ok(Number(response.headers.get(waitHeader)) > 0);
  });
}
