/** LinkedIn: LinkedIn's own client, arctic, and openid-client. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { decodeIdToken, generateState, LinkedIn, OAuth2RequestError } from 'arctic';
import { AuthClient, RestliClient } from 'linkedin-api-client';
import * as openid from 'openid-client';
import type { Client, ClientSuite, ClientWorld } from './contract.ts';

const VERSION = '202609';
const MEMBER = ['openid', 'profile', 'email', 'w_member_social'];
const PAGES = ['r_basicprofile', 'w_member_social', 'w_organization_social', 'r_organization_social'];
const COMMUNITY = [...PAGES, 'rw_organization_admin'];

/** For `assert.rejects`: an error of axios with LinkedIn's body. */
const refusal = (status: number, code: string) => (error: unknown) => {
  const { response } = error as { response?: { status: number; data: { code?: string; error?: string } } };
  assert.deepEqual([response?.status, response?.data.code ?? response?.data.error], [status, code]);
  return true;
};

const authOf = ({ app, redirectUri }: ClientWorld) => new AuthClient({ ...app, redirectUrl: redirectUri });

async function signIn({ consent, call }: ClientWorld, auth: AuthClient, scopes: string[], state?: string) {
  const url = await call('generateMemberAuthorizationUrl', () => auth.generateMemberAuthorizationUrl(scopes, state));
  const back = (await consent(url)).searchParams;
  assert.equal(back.get('state'), state ?? null);
  return call('exchangeAuthCodeForAccessToken', () => auth.exchangeAuthCodeForAccessToken(back.get('code') ?? ''));
}

interface Opened {
  video: string;
  uploadToken: string;
  uploadInstructions: { uploadUrl: string; firstByte: number; lastByte: number }[];
  thumbnailUploadUrl: string;
}

/** Uploads a video in the parts that LinkedIn asks for, with a cover. @returns its URN */
async function upload({ call, video }: ClientWorld, client: RestliClient, accessToken: string, owner: string) {
  const bytes = await readFile(video);
  const videos = { resourcePath: '/videos', versionString: VERSION, accessToken };
  const opened = await call('restliClient.action initializeUpload', () =>
    client.action({
      ...videos,
      actionName: 'initializeUpload',
      data: {
        initializeUploadRequest: {
          owner,
          fileSizeBytes: bytes.length,
          uploadCaptions: false,
          uploadThumbnail: true,
        },
      },
    }),
  );
  const { video: urn, uploadToken, uploadInstructions, thumbnailUploadUrl } = opened.data.value as Opened;
  const uploadedPartIds: string[] = [];
  for (const { uploadUrl, firstByte, lastByte } of uploadInstructions) {
    const body = new Uint8Array(bytes.subarray(firstByte, lastByte + 1));
    const headers = { 'content-type': 'application/octet-stream' };
    const stored = await fetch(uploadUrl, { method: 'PUT', headers, body });
    uploadedPartIds.push(stored.headers.get('etag') ?? '');
  }
  const picture = new Uint8Array([0xff, 0xd8, 0xff, 0xd9]);
  await fetch(thumbnailUploadUrl, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body: picture });
  await call('restliClient.action finalizeUpload', () =>
    client.action({
      ...videos,
      actionName: 'finalizeUpload',
      data: { finalizeUploadRequest: { video: urn, uploadToken, uploadedPartIds } },
    }),
  );
  const shown = await call('restliClient.get video', () =>
    client.get({ ...videos, resourcePath: '/videos/{urn}', pathKeys: { urn } }),
  );
  assert.equal(shown.data.status, 'AVAILABLE');
  return urn;
}

const postOf = (author: string, video: string, commentary: string) => ({
  author,
  commentary,
  visibility: 'PUBLIC',
  distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
  content: { media: { id: video } },
  lifecycleState: 'PUBLISHED',
  isReshareDisabledByAuthor: false,
});

async function driveMember(world: ClientWorld): Promise<void> {
  const { simulator, call } = world;
  const auth = authOf(world);
  const client = new RestliClient();
  const tokens = await signIn(world, auth, MEMBER, 'the state');
  assert.deepEqual(tokens.scope.split(','), MEMBER);
  const renewed = await call('exchangeRefreshTokenForAccessToken', () =>
    auth.exchangeRefreshTokenForAccessToken(tokens.refresh_token ?? ''),
  );
  const accessToken = renewed.access_token;
  const found = await call('introspectAccessToken', () => auth.introspectAccessToken(accessToken));
  // Version 0.3.0 returns the whole response, unlike its types.
  assert.equal(('data' in found ? (found.data as typeof found) : found).active, true);
  await call('getTwoLeggedAccessToken (refused)', () =>
    assert.rejects(auth.getTwoLeggedAccessToken(), refusal(401, 'access_denied')),
  );
  const info = await call('restliClient.get userinfo', () => client.get({ resourcePath: '/userinfo', accessToken }));
  assert.equal(info.data.name, 'nora');
  const author = `urn:li:person:${info.data.sub}`;
  const video = await upload(world, client, accessToken, author);
  const posts = { resourcePath: '/posts', versionString: VERSION, accessToken };
  const created = await call('restliClient.create post', () =>
    client.create({ ...posts, entity: postOf(author, video, 'Sunset \\(2\\) #sea') }),
  );
  assert.match(String(created.createdEntityId), /^urn:li:(?:ugcPost|share):\d+$/);
  assert.equal((await simulator.published())[0]?.text, 'Sunset (2) #sea');
  await call('restliClient.finder posts (403)', () =>
    assert.rejects(
      client.finder({ ...posts, finderName: 'author', queryParams: { author } }),
      refusal(403, 'ACCESS_DENIED'),
    ),
  );
  await call('restliClient.create post (400)', () =>
    assert.rejects(
      client.create({ ...posts, entity: postOf(author, video, 'x'.repeat(3_001)) }),
      refusal(400, 'FIELD_LENGTH_TOO_LONG'),
    ),
  );
  simulator.faults.add({
    when: ({ path }) => path.startsWith('/rest/posts'),
    times: 1,
    fault: { kind: 'refusal', refusal: 'rate-limited-with-wait' },
  });
  await call('restliClient.create post (429)', () =>
    assert.rejects(client.create({ ...posts, entity: postOf(author, video, 'again') }), (error: unknown) => {
      const { data } = (error as { response: { data: { message: string } } }).response;
      assert.match(data.message, /MEMBER DAY/);
      return refusal(429, 'TOO_MANY_REQUESTS')(error);
    }),
  );
  await call('restliClient.delete post', () =>
    client.delete({ ...posts, resourcePath: '/posts/{id}', pathKeys: { id: String(created.createdEntityId) } }),
  );
  assert.deepEqual(await simulator.published(), []);
}

async function drivePages(world: ClientWorld): Promise<void> {
  const { simulator, call } = world;
  const client = new RestliClient();
  const { access_token: accessToken } = await signIn(world, authOf(world), COMMUNITY);
  const fields = 'id,vanityName,profilePicture(displayImage~:playableStreams)';
  const me = await call('restliClient.get me', () =>
    client.get({ resourcePath: '/me', queryParams: { fields }, accessToken }),
  );
  assert.equal(me.data.vanityName, 'nora');
  const versioned = { versionString: VERSION, accessToken };
  const roles = await call('restliClient.finder organizationAcls', () =>
    client.finder({
      ...versioned,
      resourcePath: '/organizationAcls',
      finderName: 'roleAssignee',
      queryParams: { role: 'ADMINISTRATOR', state: 'APPROVED' },
    }),
  );
  const author = String(roles.data.elements[0]?.organization);
  const page = await call('restliClient.get organization', () =>
    client.get({
      ...versioned,
      resourcePath: '/organizations/{id}',
      pathKeys: { id: author.split(':').at(-1) ?? '' },
    }),
  );
  assert.equal(page.data.vanityName, 'nora');
  const video = await upload(world, client, accessToken, author);
  const created = await call('restliClient.create post', () =>
    client.create({ ...versioned, resourcePath: '/posts', entity: postOf(author, video, 'From the page') }),
  );
  const id = String(created.createdEntityId);
  const list = () =>
    client.finder({
      ...versioned,
      resourcePath: '/posts',
      finderName: 'author',
      queryParams: { author, count: 10, sortBy: 'CREATED' },
    });
  const listed = await call('restliClient.finder posts', list);
  assert.deepEqual(
    listed.data.elements.map((post) => [post.id, post.content.media.id]),
    [[id, video]],
  );
  const one = { ...versioned, resourcePath: '/posts/{id}', pathKeys: { id } };
  const shown = await call('restliClient.get post', () => client.get(one));
  assert.equal(shown.data.commentary, 'From the page');
  await call('restliClient.delete post', () => client.delete(one));
  assert.deepEqual((await list()).data.elements, []);
  assert.deepEqual(await simulator.published(), []);
}

async function driveLinkedIn(world: ClientWorld): Promise<void> {
  await driveMember(world);
  await drivePages(world);
}

async function driveArctic({ app, redirectUri, consent, call }: ClientWorld): Promise<void> {
  const linkedin = new LinkedIn(app.clientId, app.clientSecret, redirectUri);
  const state = generateState();
  const url = await call('createAuthorizationURL', () => linkedin.createAuthorizationURL(state, MEMBER));
  const back = (await consent(url)).searchParams;
  assert.equal(back.get('state'), state);
  const code = back.get('code') ?? '';
  const tokens = await call('validateAuthorizationCode', () => linkedin.validateAuthorizationCode(code));
  const claims = await call('decodeIdToken', () => decodeIdToken(tokens.idToken()) as { name?: string });
  assert.equal(claims.name, 'nora');
  const renewed = await call('refreshAccessToken', () => linkedin.refreshAccessToken(tokens.refreshToken()));
  assert.notEqual(renewed.accessToken(), tokens.accessToken());
  await call('validateAuthorizationCode (400)', () =>
    assert.rejects(linkedin.validateAuthorizationCode(code), (error: unknown) => {
      assert.ok(error instanceof OAuth2RequestError);
      assert.equal(error.code, 'invalid_request');
      return true;
    }),
  );
}

async function driveOpenid(world: ClientWorld): Promise<void> {
  const { simulator, app, redirectUri, consent, call } = world;
  const discovered = await call('discovery', () =>
    openid.discovery(new URL(`${simulator.url}/oauth`), app.clientId, app.clientSecret, undefined, {
      execute: [openid.allowInsecureRequests],
    }),
  );
  openid.enableNonRepudiationChecks(discovered);
  const state = openid.randomState();
  const nonce = openid.randomNonce();
  const url = openid.buildAuthorizationUrl(discovered, {
    redirect_uri: redirectUri,
    scope: 'openid profile w_member_social',
    state,
    nonce,
  });
  const back = await consent(url);
  const tokens = await call('authorizationCodeGrant', () =>
    openid.authorizationCodeGrant(discovered, back, { expectedState: state, expectedNonce: nonce }),
  );
  const sub = tokens.claims()?.sub ?? '';
  const info = await call('fetchUserInfo', () => openid.fetchUserInfo(discovered, tokens.access_token, sub));
  assert.equal(info.name, 'nora');
  const renewed = await call('refreshTokenGrant', () =>
    openid.refreshTokenGrant(discovered, tokens.refresh_token ?? ''),
  );
  const denied = await consent(url, { decision: 'deny' });
  await call('authorizationCodeGrant (denied)', () =>
    assert.rejects(
      openid.authorizationCodeGrant(discovered, denied, { expectedState: state, expectedNonce: nonce }),
      (error: unknown) => {
        assert.ok(error instanceof openid.AuthorizationResponseError);
        assert.equal(error.error, 'user_cancelled_authorize');
        return true;
      },
    ),
  );
  // The discovery document names no revocation endpoint.
  const { issuer } = discovered.serverMetadata();
  const server = { issuer, revocation_endpoint: `${simulator.url}/oauth/v2/revoke` };
  const revoking = new openid.Configuration(server, app.clientId, app.clientSecret);
  openid.allowInsecureRequests(revoking);
  await call('tokenRevocation', () => openid.tokenRevocation(revoking, renewed.access_token));
  await call('fetchUserInfo (401)', () =>
    assert.rejects(openid.fetchUserInfo(discovered, renewed.access_token, sub), (error: unknown) => {
      const { cause } = error as { cause?: Response };
      assert.equal(cause?.status, 401);
      return true;
    }),
  );
}

const clients: Client[] = [
  { name: 'linkedin-api-client', drive: driveLinkedIn },
  { name: 'arctic', drive: driveArctic },
  { name: 'openid-client', drive: driveOpenid },
];

export const suite: ClientSuite = { hosts: ['www.linkedin.com', 'api.linkedin.com'], clients };
