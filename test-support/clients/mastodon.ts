/** Mastodon: masto.js for the API, openid-client and oauth4webapi for the OAuth endpoints. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createOAuthAPIClient, createRestAPIClient, MastoHttpError } from 'masto';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import type { ClientSuite, ClientWorld } from './contract.ts';

const SCOPES = 'read write push read:notifications write:media';

const picture = () =>
  new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0, 0xff, 0xd9])], { type: 'image/jpeg' });

/** Registers an application and signs in. */
async function signIn({ simulator: { url }, redirectUri, consent, call }: ClientWorld) {
  const anonymous = createRestAPIClient({ url });
  const app = await call('v1.apps.create', () =>
    anonymous.v1.apps.create({ clientName: 'App', redirectUris: redirectUri, scopes: SCOPES }),
  );
  const { clientId, clientSecret } = app;
  assert.ok(clientId && clientSecret);
  const codeFor = async (scope: string) => {
    const asked = { response_type: 'code', client_id: clientId, redirect_uri: redirectUri, scope, state: 'the state' };
    const back = await consent(`${url}/oauth/authorize?${new URLSearchParams(asked)}`);
    assert.equal(back.searchParams.get('state'), 'the state');
    return back.searchParams.get('code') ?? '';
  };
  const code = await codeFor(SCOPES);
  const client = createOAuthAPIClient({ url });
  const token = await call('oauth.token.create (code)', () =>
    client.token.create({ grantType: 'authorization_code', clientId, clientSecret, redirectUri, code, scope: SCOPES }),
  );
  assert.deepEqual([token.tokenType, token.scope], ['Bearer', SCOPES]);
  return { url, client, clientId, clientSecret, code, codeFor, accessToken: token.accessToken };
}

type SignedIn = Awaited<ReturnType<typeof signIn>>;
type Masto = ReturnType<typeof createRestAPIClient>;

async function driveMasto(world: ClientWorld): Promise<void> {
  const signedIn = await signIn(world);
  const { url, client, clientId, clientSecret, accessToken } = signedIn;
  const ownApp = await useApplication(world, signedIn);
  const masto = createRestAPIClient({ url, accessToken });
  const me = await readInstance(world, masto);
  const media = await sendMedia(world, masto);
  await writeStatuses(world, masto, { ...media, me });
  await expectRefusals(world, signedIn, { masto, ownApp });
  const { call } = world;
  await call('oauth.revoke', () => client.revoke({ clientId, clientSecret, token: accessToken }));
  await fails(call, 'MastoHttpError 401', () => masto.v1.accounts.verifyCredentials(), 401, /revoked/);
}

/** The application acts without a user. */
async function useApplication(
  { call, redirectUri }: ClientWorld,
  { url, client, clientId, clientSecret, code }: SignedIn,
): Promise<Masto> {
  await fails(
    call,
    'MastoHttpError 400 (code used twice)',
    () => client.token.create({ grantType: 'authorization_code', clientId, clientSecret, redirectUri, code }),
    400,
  );
  const appToken = await call('oauth.token.create (application)', () =>
    client.token.create({ grantType: 'client_credentials', clientId, clientSecret, redirectUri, scope: 'read' }),
  );
  const ownApp = createRestAPIClient({ url, accessToken: appToken.accessToken });
  const described = await call('v1.apps.verifyCredentials', () => ownApp.v1.apps.verifyCredentials());
  assert.equal(described.name, 'App');
  return ownApp;
}

/** @returns the signed-in account */
async function readInstance({ call }: ClientWorld, masto: Masto) {
  const instance = await call('v2.instance.fetch', () => masto.v2.instance.fetch());
  assert.equal(instance.configuration.statuses.maxCharacters, 500);
  assert.ok(instance.configuration.mediaAttachments.supportedMimeTypes.includes('video/mp4'));
  const older = await call('v1.instance.fetch', () => masto.v1.instance.fetch());
  assert.ok(older.version.startsWith('4.'));
  const me = await call('v1.accounts.verifyCredentials', () => masto.v1.accounts.verifyCredentials());
  assert.deepEqual([me.username, me.source.privacy], ['nora', 'public']);
  return me;
}

/** Sends videos. @returns one that is described, and one that is fetched later */
async function sendMedia({ call, video }: ClientWorld, masto: Masto) {
  const bytes = new Uint8Array(await readFile(video));
  const file = new File([bytes], 'video.mp4', { type: 'video/mp4' });
  const medium = await call('v2.media.create', () =>
    masto.v2.media.create({ file, description: 'A runner at dusk', thumbnail: picture() }),
  );
  assert.deepEqual([medium.type, medium.description], ['video', 'A runner at dusk']);
  const pending = await call('v2.media.create (skipPolling)', () => masto.v2.media.create({ file, skipPolling: true }));
  assert.equal(pending.url, null);
  const fetched = await call('v1.media.fetch', () => masto.v1.media.$select(pending.id).fetch());
  assert.ok(fetched.url);
  const renamed = await call('v1.media.update (JSON)', () =>
    masto.v1.media.$select(pending.id).update({ description: 'Dawn' }),
  );
  assert.equal(renamed.description, 'Dawn');
  return { medium, pending };
}

interface Written {
  medium: { id: string };
  pending: { id: string };
  me: { id: string };
}

async function writeStatuses({ call, simulator }: ClientWorld, masto: Masto, { medium, pending, me }: Written) {
  const given = {
    status: 'Sunset run #sea',
    mediaIds: [medium.id],
    visibility: 'unlisted',
    sensitive: true,
    spoilerText: 'Water',
    language: 'en',
  } as const;
  const withKey = { headers: new Headers({ 'Idempotency-Key': 'one' }) };
  const status = await call('v1.statuses.create', () => masto.v1.statuses.create(given, { requestInit: withKey }));
  assert.deepEqual(
    [status.visibility, status.sensitive, status.spoilerText, status.language, status.mediaAttachments.length],
    ['unlisted', true, 'Water', 'en', 1],
  );
  const again = await call('v1.statuses.create (Idempotency-Key again)', () =>
    masto.v1.statuses.create(given, { requestInit: withKey }),
  );
  assert.equal(again.id, status.id);
  const textless = await call('v1.statuses.create (media only)', () =>
    masto.v1.statuses.create({ mediaIds: [pending.id], status: null }),
  );
  assert.equal(textless.content, '');
  const reply = await call('v1.statuses.create (reply)', () =>
    masto.v1.statuses.create({ status: 'And back', inReplyToId: status.id }),
  );
  assert.deepEqual([reply.inReplyToId, reply.inReplyToAccountId], [status.id, me.id]);
  const poll = await call('v1.statuses.create (poll)', () =>
    masto.v1.statuses.create({ status: 'Again?', poll: { options: ['Yes', 'No'], expiresIn: 3600, multiple: true } }),
  );
  assert.deepEqual(
    poll.poll?.options.map(({ title }) => title),
    ['Yes', 'No'],
  );
  const published = (await simulator.published()).length;
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  const scheduled = await call('v1.statuses.create (scheduled)', () =>
    masto.v1.statuses.create({ status: 'Later', scheduledAt }),
  );
  assert.equal(scheduled.scheduledAt, scheduledAt);
  assert.equal((await simulator.published()).length, published);
  const waiting = await call('v1.scheduledStatuses.list', () => masto.v1.scheduledStatuses.list());
  assert.deepEqual(
    waiting.map(({ id }) => id),
    [scheduled.id],
  );
  await call('v1.scheduledStatuses.remove', () => masto.v1.scheduledStatuses.$select(scheduled.id).remove());
  assert.deepEqual(await masto.v1.scheduledStatuses.list(), []);

  const shown = await call('v1.statuses.fetch', () => masto.v1.statuses.$select(status.id).fetch());
  assert.equal(shown.url, status.url);
  const pages: string[][] = [];
  await call('v1.accounts.statuses.list (pages)', async () => {
    for await (const page of masto.v1.accounts.$select(me.id).statuses.list({ limit: 2 }))
      pages.push(page.map(({ id }) => id));
  });
  assert.deepEqual(pages.flat(), [poll.id, reply.id, textless.id, status.id]);
  const media = await call('v1.accounts.statuses.list (onlyMedia)', () =>
    masto.v1.accounts.$select(me.id).statuses.list({ onlyMedia: true, excludeReblogs: true }),
  );
  assert.equal(media.length, 2);
  const removed = await call('v1.statuses.remove', () => masto.v1.statuses.$select(status.id).remove());
  assert.equal(removed.text, 'Sunset run #sea');
  await fails(call, 'MastoHttpError 404', () => masto.v1.statuses.$select(status.id).fetch(), 404);
}

async function expectRefusals(
  { call, redirectUri }: ClientWorld,
  { url, client, clientId, clientSecret, codeFor }: SignedIn,
  { masto, ownApp }: { masto: Masto; ownApp: Masto },
): Promise<void> {
  await fails(
    call,
    'MastoHttpError 422 (text)',
    () => masto.v1.statuses.create({ status: 'x'.repeat(501) }),
    422,
    /character limit of 500/,
  );
  await fails(
    call,
    'MastoHttpError 422 (media)',
    () => masto.v1.statuses.create({ status: 'x', mediaIds: ['1'] }),
    422,
    /not found or already attached/,
  );
  const text = new File(['no film'], 'a.txt', { type: 'text/plain' });
  await fails(call, 'MastoHttpError 422 (file)', () => masto.v2.media.create({ file: text }), 422, /File content type/);
  await fails(
    call,
    'MastoHttpError 422 (no user)',
    () => ownApp.v1.statuses.create({ status: 'x' }),
    422,
    /requires an authenticated user/,
  );
  const reading = await client.token.create({
    grantType: 'authorization_code',
    clientId,
    clientSecret,
    redirectUri,
    code: await codeFor('read'),
  });
  await fails(
    call,
    'MastoHttpError 403 (scope)',
    () => createRestAPIClient({ url, accessToken: reading.accessToken }).v1.statuses.create({ status: 'x' }),
    403,
    /outside the authorized scopes/,
  );
  await fails(
    call,
    'MastoHttpError 429',
    async () => {
      for (let count = 0; count < 31; count++) await masto.v2.media.create({ file: picture(), skipPolling: true });
    },
    429,
  );
}

/** Counts a call of masto.js that the server refuses. */
async function fails(
  call: ClientWorld['call'],
  name: string,
  run: () => unknown,
  statusCode: number,
  message = /./,
): Promise<void> {
  await call(name, () =>
    assert.rejects(
      async () => await run(),
      (error) => {
        assert.ok(error instanceof MastoHttpError, String(error));
        assert.equal(error.statusCode, statusCode);
        assert.match(error.message, message);
        return true;
      },
    ),
  );
}

/** Registers an application, as both OAuth libraries need one. */
async function register({ simulator: { url }, redirectUri }: ClientWorld, scopes: string) {
  const { clientId, clientSecret } = await createRestAPIClient({ url }).v1.apps.create({
    clientName: 'App',
    redirectUris: redirectUri,
    scopes,
  });
  return { clientId: clientId ?? '', clientSecret: clientSecret ?? '' };
}

async function driveOpenid(world: ClientWorld): Promise<void> {
  const { call, consent, redirectUri, simulator } = world;
  const scope = 'read:accounts write:media write:statuses';
  const { clientId, clientSecret } = await register(world, scope);
  const server = new URL(`${simulator.url}/`);
  const config = await call('discovery', () =>
    openid.discovery(server, clientId, clientSecret, openid.ClientSecretPost(clientSecret), {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    }),
  );
  assert.equal(config.serverMetadata().token_endpoint, `${simulator.url}/oauth/token`);
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state: 'the state',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  const back = await call('consent', () => consent(url));
  const tokens = await call('authorizationCodeGrant', () =>
    openid.authorizationCodeGrant(config, back, { expectedState: 'the state', pkceCodeVerifier }),
  );
  assert.equal(tokens.scope, scope);
  const me = await call('fetchProtectedResource', () =>
    openid.fetchProtectedResource(
      config,
      tokens.access_token,
      new URL('/api/v1/accounts/verify_credentials', server),
      'GET',
    ),
  );
  assert.equal(me.status, 200);
  const own = await call('clientCredentialsGrant', () =>
    openid.clientCredentialsGrant(config, { scope: 'read:accounts' }),
  );
  assert.equal(own.token_type, 'bearer');
  await call('tokenRevocation', () => openid.tokenRevocation(config, tokens.access_token));
  await call('ResponseBodyError invalid_grant', () =>
    assert.rejects(
      openid.authorizationCodeGrant(config, back, { expectedState: 'the state', pkceCodeVerifier }),
      (error) => error instanceof openid.ResponseBodyError && error.error === 'invalid_grant' && error.status === 400,
    ),
  );
  const denied = await consent(url, { decision: 'deny' });
  await call('AuthorizationResponseError access_denied', () =>
    assert.rejects(
      openid.authorizationCodeGrant(config, denied, { expectedState: 'the state', pkceCodeVerifier }),
      (error) => error instanceof openid.AuthorizationResponseError && error.error === 'access_denied',
    ),
  );
}

async function driveOauth(world: ClientWorld): Promise<void> {
  const { call, consent, redirectUri, simulator } = world;
  const { clientId, clientSecret } = await register(world, 'read write');
  const issuer = new URL(`${simulator.url}/`);
  const insecure = { [oauth.allowInsecureRequests]: true };
  const server = await call('discoveryRequest', async () =>
    oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })),
  );
  const client = { client_id: clientId };
  const verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(server.authorization_endpoint ?? '');
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'read write',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).toString();
  const callback = oauth.validateAuthResponse(server, client, await consent(url), oauth.expectNoState);
  const grant = (auth: oauth.ClientAuth) =>
    oauth.authorizationCodeGrantRequest(server, client, auth, callback, redirectUri, verifier, insecure);
  const tokens = await call('authorizationCodeGrantRequest (client_secret_basic)', async () =>
    oauth.processAuthorizationCodeResponse(server, client, await grant(oauth.ClientSecretBasic(clientSecret))),
  );
  assert.equal(tokens.scope, 'read write');
  await call('WWWAuthenticateChallengeError invalid_client', async () => {
    const response = await grant(oauth.ClientSecretPost('wrong'));
    await assert.rejects(
      oauth.processAuthorizationCodeResponse(server, client, response),
      (error) => error instanceof oauth.WWWAuthenticateChallengeError && error.status === 401,
    );
  });
  await call('revocationRequest', async () =>
    oauth.processRevocationResponse(
      await oauth.revocationRequest(
        server,
        client,
        oauth.ClientSecretPost(clientSecret),
        tokens.access_token,
        insecure,
      ),
    ),
  );
  await call('protectedResourceRequest (revoked)', () =>
    assert.rejects(
      oauth.protectedResourceRequest(
        tokens.access_token,
        'GET',
        new URL('/api/v1/accounts/verify_credentials', issuer),
        undefined,
        undefined,
        insecure,
      ),
      (error) => error instanceof oauth.WWWAuthenticateChallengeError && error.status === 401,
    ),
  );
}

export const suite: ClientSuite = {
  hosts: [],
  clients: [
    { name: 'masto', options: { limits: true }, drive: driveMasto },
    { name: 'openid-client', drive: driveOpenid },
    { name: 'oauth4webapi', drive: driveOauth },
  ],
};
