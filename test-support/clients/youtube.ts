/** YouTube: Google's API client with its auth library, arctic, and openid-client. */
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { youtube, type youtube_v3 } from '@googleapis/youtube';
import { ArcticFetchError, Google, generateCodeVerifier, generateState, OAuth2RequestError } from 'arctic';
import { ClientAuthentication, CodeChallengeMethod, OAuth2Client } from 'google-auth-library';
import * as openid from 'openid-client';
import type { Client, ClientSuite, ClientWorld } from './contract.ts';

const BASE = 'https://www.googleapis.com/auth/';
const SCOPES = [`${BASE}youtube.upload`, `${BASE}youtube.readonly`];
const MANAGE = `${BASE}youtube.force-ssl`;
const SESSION = 'https://www.googleapis.com/upload/youtube/v3/videos';
const GRANULE = 262_144;

/** An error of Google's libraries: the status, and the body of the response. */
interface GoogleError {
  status?: number;
  response?: { data?: { error?: { errors?: { reason?: string }[]; message?: string } | string } };
}

const reasonOf = (error: unknown): string | undefined => {
  const body = (error as GoogleError).response?.data?.error;
  return typeof body === 'string' ? body : body?.errors?.[0]?.reason;
};

/** For `assert.rejects`. */
const refusal = (status: number, reason: string) => (error: unknown) => {
  assert.equal((error as GoogleError).status, status);
  assert.equal(reasonOf(error), reason);
  return true;
};

/** Signs in as Google's documentation for server applications has it. */
async function signIn(world: ClientWorld, scopes: readonly string[], username = 'nora'): Promise<OAuth2Client> {
  const { app, redirectUri, consent } = world;
  const auth = new OAuth2Client({ clientId: app.clientId, clientSecret: app.clientSecret, redirectUri });
  const url = auth.generateAuthUrl({ access_type: 'offline', prompt: 'consent', scope: [...scopes] });
  const code = (await consent(url, { username })).searchParams.get('code') ?? '';
  auth.setCredentials((await auth.getToken(code)).tokens);
  return auth;
}

const content = (title: string): youtube_v3.Schema$Video => ({
  snippet: { title, description: 'Words #tag', tags: ['one', 'two words'], categoryId: '22' },
  status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
});

/** Opens a session, uploads in parts, and queries the session in between. */
async function resumable({ video, call }: ClientWorld, auth: OAuth2Client): Promise<string> {
  const bytes = await readFile(video);
  const opened = await call('client.request POST uploadType=resumable', () =>
    auth.request({
      method: 'POST',
      url: SESSION,
      params: { uploadType: 'resumable', part: 'snippet,status' },
      headers: { 'X-Upload-Content-Length': String(bytes.length), 'X-Upload-Content-Type': 'video/mp4' },
      data: content('In parts'),
    }),
  );
  const uri = opened.headers.get('location') ?? '';
  assert.match(uri, /upload_id=/);
  const send = (data: Buffer | undefined, range: string) =>
    auth.request<youtube_v3.Schema$Video>({
      method: 'PUT',
      url: uri,
      headers: { 'Content-Range': range, ...(data ? { 'Content-Type': 'video/mp4' } : { 'Content-Length': '0' }) },
      ...(data ? { data } : {}),
      validateStatus: (status) => status === 308 || (status >= 200 && status < 300),
    });
  const first = Math.min(GRANULE, bytes.length - 1);
  const split = first - (first % GRANULE);
  if (split > 0) {
    const stored = await call('client.request PUT part', () =>
      send(bytes.subarray(0, split), `bytes 0-${split - 1}/${bytes.length}`),
    );
    assert.deepEqual([stored.status, stored.headers.get('range')], [308, `bytes=0-${split - 1}`]);
  }
  const query = await call('client.request PUT status query', () => send(undefined, `bytes */${bytes.length}`));
  assert.equal(query.status, 308);
  const last = await call('client.request PUT last part', () =>
    send(bytes.subarray(split), `bytes ${split}-${bytes.length - 1}/${bytes.length}`),
  );
  assert.equal(last.status, 201);
  assert.equal(last.data.snippet?.title, 'In parts');
  return last.data.id ?? '';
}

async function driveApi(world: ClientWorld): Promise<void> {
  const { video, call, simulator } = world;
  const auth = await call('sign-in', () => signIn(world, [...SCOPES, MANAGE]));
  const api = youtube({ version: 'v3', auth });

  const channels = await call('channels.list', () =>
    api.channels.list({ part: ['snippet', 'contentDetails', 'statistics', 'status'], mine: true }),
  );
  const channel = channels.data.items?.[0];
  assert.equal(channel?.snippet?.customUrl, '@nora');
  assert.equal(channel?.status?.longUploadsStatus, 'allowed');
  assert.ok(channel?.statistics?.viewCount);
  const playlistId = channel?.contentDetails?.relatedPlaylists?.uploads ?? '';

  const streamed = await call('videos.insert (multipart, stream)', () =>
    api.videos.insert({
      part: ['snippet', 'status'],
      notifySubscribers: false,
      requestBody: content('From a stream'),
      media: { mimeType: 'video/mp4', body: createReadStream(video) },
    }),
  );
  assert.equal(streamed.data.snippet?.title, 'From a stream');
  assert.equal(streamed.data.status?.privacyStatus, 'public');
  const untyped = await call('videos.insert (multipart, no type)', () =>
    api.videos.insert({
      part: ['snippet', 'status'],
      requestBody: content('Without a type'),
      media: { body: createReadStream(video) },
    }),
  );
  const alone = await call('videos.insert (media)', () =>
    api.videos.insert({ part: ['id'], media: { mimeType: 'video/mp4', body: createReadStream(video) } }),
  );
  const inParts = await resumable(world, auth);
  const ids = [streamed.data.id ?? '', untyped.data.id ?? '', alone.data.id ?? '', inParts];
  const sent = await simulator.published();
  const { length } = await readFile(video);
  assert.deepEqual(new Set(sent.map(({ bytes }) => bytes)), new Set([length]));
  assert.equal(new Set(sent.map(({ sha256 }) => sha256)).size, 1);
  assert.equal(sent.length, ids.length);

  const videos = await call('videos.list', () =>
    api.videos.list({ part: ['snippet', 'status', 'processingDetails', 'fileDetails', 'statistics'], id: ids }),
  );
  assert.deepEqual(
    videos.data.items?.map(({ id }) => id),
    ids,
  );
  for (const each of videos.data.items ?? []) {
    assert.equal(each.status?.uploadStatus, 'processed');
    assert.equal(each.fileDetails?.fileSize, String(length));
    assert.ok(each.statistics);
  }
  const partial = await call('videos.list with fields', () =>
    api.videos.list({ part: ['snippet'], id: ids.slice(0, 1), fields: 'items(id,snippet/title)' }),
  );
  assert.deepEqual(partial.data, { items: [{ id: ids[0], snippet: { title: 'From a stream' } }] });

  const thumbnail = Buffer.from('ffd8ffe000104a46494600', 'hex');
  const set = await call('thumbnails.set', () =>
    api.thumbnails.set({ videoId: ids[0] ?? '', media: { mimeType: 'image/jpeg', body: Readable.from([thumbnail]) } }),
  );
  assert.ok(set.data.items?.[0]?.default?.url);
  await call('thumbnails.set without a type', () =>
    api.thumbnails.set({ videoId: ids[0] ?? '', media: { body: Readable.from([thumbnail]) } }),
  );

  const first = await call('playlistItems.list', () =>
    api.playlistItems.list({ part: ['snippet', 'contentDetails'], playlistId, maxResults: 3 }),
  );
  assert.equal(first.data.items?.length, 3);
  const second = await call('playlistItems.list, next page', () =>
    api.playlistItems.list({
      part: ['contentDetails'],
      playlistId,
      maxResults: 3,
      pageToken: first.data.nextPageToken ?? '',
    }),
  );
  const listed = [...(first.data.items ?? []), ...(second.data.items ?? [])];
  assert.deepEqual(new Set(listed.map(({ contentDetails }) => contentDetails?.videoId)), new Set(ids));

  await call('videos.delete', () => api.videos.delete({ id: ids[0] ?? '' }));
  const rest = await call('videos.list after deletion', () => api.videos.list({ part: ['id'], id: ids }));
  assert.deepEqual(
    rest.data.items?.map(({ id }) => id),
    ids.slice(1),
  );

  await call('400 invalidTitle', () =>
    assert.rejects(
      api.videos.insert({
        part: ['snippet'],
        requestBody: { snippet: { title: 'x'.repeat(101) } },
        media: { mimeType: 'video/mp4', body: createReadStream(video) },
      }),
      refusal(400, 'invalidTitle'),
    ),
  );
  await call('404 videoNotFound', () =>
    assert.rejects(api.videos.delete({ id: ids[0] ?? '' }), refusal(404, 'videoNotFound')),
  );
  const reader = youtube({ version: 'v3', auth: await signIn(world, [`${BASE}youtube.readonly`]) });
  await call('403 insufficientPermissions', () =>
    assert.rejects(reader.videos.delete({ id: ids[1] ?? '' }), refusal(403, 'insufficientPermissions')),
  );
  const stranger = new OAuth2Client();
  stranger.setCredentials({ access_token: 'ya29.unknown' });
  await call('401 authError', () =>
    assert.rejects(
      youtube({ version: 'v3', auth: stranger }).channels.list({ part: ['id'], mine: true }),
      refusal(401, 'authError'),
    ),
  );
  await exhaust(world, auth);
}

/** Uses up the project's daily uploads, then its quota units. */
async function exhaust({ call, video, simulator }: ClientWorld, auth: OAuth2Client): Promise<void> {
  const api = youtube({ version: 'v3', auth, retry: false });
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(Date.now());
  await simulator.store.put('quota', `uploads ${day}`, 100);
  await call('429 daily uploads', () =>
    assert.rejects(
      api.videos.insert({
        part: ['snippet'],
        requestBody: { snippet: { title: 'One too many' } },
        media: { mimeType: 'video/mp4', body: createReadStream(video) },
      }),
      (error) => {
        assert.match((error as Error).message, /Video Uploads per day/);
        return refusal(429, 'rateLimitExceeded')(error);
      },
    ),
  );
  await simulator.store.put('quota', `units ${day}`, 10_000);
  await call('403 quotaExceeded', () =>
    assert.rejects(api.channels.list({ part: ['id'], mine: true }), refusal(403, 'quotaExceeded')),
  );
}

async function driveAuth(world: ClientWorld): Promise<void> {
  const { app, redirectUri, consent, call } = world;
  const given = { clientId: app.clientId, clientSecret: app.clientSecret, redirectUri };
  for (const clientAuthentication of [ClientAuthentication.ClientSecretPost, ClientAuthentication.ClientSecretBasic]) {
    const auth = new OAuth2Client({ ...given, clientAuthentication });
    const name = (method: string) => `${method} (${clientAuthentication})`;
    const { codeVerifier, codeChallenge } = await auth.generateCodeVerifierAsync();
    const back = await call(name('generateAuthUrl'), () =>
      consent(
        auth.generateAuthUrl({
          access_type: 'offline',
          prompt: 'consent select_account',
          include_granted_scopes: true,
          state: 'a state',
          login_hint: 'nora',
          scope: SCOPES,
          code_challenge_method: CodeChallengeMethod.S256,
          code_challenge: codeChallenge,
        }),
      ),
    );
    assert.equal(back.searchParams.get('state'), 'a state');
    const code = back.searchParams.get('code') ?? '';
    const { tokens } = await call(name('getToken'), () => auth.getToken({ code, codeVerifier }));
    assert.ok(tokens.refresh_token);
    assert.deepEqual(tokens.scope?.split(' '), SCOPES);
    auth.setCredentials(tokens);
    const info = await call(name('getTokenInfo'), () => auth.getTokenInfo(tokens.access_token ?? ''));
    assert.deepEqual([info.aud, info.scopes], [app.clientId, SCOPES]);
    const { credentials } = await call(name('refreshAccessToken'), () => auth.refreshAccessToken());
    assert.notEqual(credentials.access_token, tokens.access_token);
    assert.equal(credentials.refresh_token, tokens.refresh_token);
    await call(name('revokeToken'), () => auth.revokeToken(tokens.refresh_token ?? ''));
    await call(name('invalid_grant after revocation'), () =>
      assert.rejects(auth.refreshAccessToken(), refusal(400, 'invalid_grant')),
    );
    await call(name('invalid_token of a second revocation'), () =>
      assert.rejects(auth.revokeToken(tokens.refresh_token ?? ''), refusal(400, 'invalid_token')),
    );
  }
  const auth = new OAuth2Client(given);
  const back = await consent(auth.generateAuthUrl({ scope: ['openid', 'email', 'profile', ...SCOPES] }));
  const { tokens } = await call('getToken with an identity', () => auth.getToken(back.searchParams.get('code') ?? ''));
  assert.ok(tokens.scope?.split(' ').includes(`${BASE}userinfo.email`));
  const ticket = await call('verifyIdToken', () =>
    auth.verifyIdToken({ idToken: tokens.id_token ?? '', audience: app.clientId }),
  );
  assert.equal(ticket.getPayload()?.name, 'nora');

  const wrong = new OAuth2Client({ ...given, clientSecret: 'wrong' });
  await call('invalid_client', () => assert.rejects(wrong.getToken('4/0Aunknown'), refusal(401, 'invalid_client')));
}

async function driveArctic({ app, redirectUri, consent, call }: ClientWorld): Promise<void> {
  const google = new Google(app.clientId, app.clientSecret, redirectUri);
  const [state, verifier] = [generateState(), generateCodeVerifier()];
  const back = await call('createAuthorizationURL', () => {
    const url = google.createAuthorizationURL(state, verifier, SCOPES);
    url.searchParams.set('access_type', 'offline');
    return consent(url);
  });
  assert.equal(back.searchParams.get('state'), state);
  const tokens = await call('validateAuthorizationCode', () =>
    google.validateAuthorizationCode(back.searchParams.get('code') ?? '', verifier),
  );
  assert.deepEqual(tokens.scopes(), SCOPES);
  assert.ok(tokens.accessTokenExpiresAt() > new Date());
  const renewed = await call('refreshAccessToken', () => google.refreshAccessToken(tokens.refreshToken()));
  assert.notEqual(renewed.accessToken(), tokens.accessToken());
  assert.equal(renewed.hasRefreshToken(), false);
  await call('revokeToken', () => google.revokeToken(tokens.refreshToken()));
  await call('invalid_grant', () =>
    assert.rejects(google.refreshAccessToken(tokens.refreshToken()), (error) => {
      assert.ok(error instanceof OAuth2RequestError, String(error instanceof ArcticFetchError && error.cause));
      assert.equal(error.code, 'invalid_grant');
      return true;
    }),
  );
}

async function driveOpenid({ app, redirectUri, consent, call }: ClientWorld): Promise<void> {
  // Google's discovery document is not simulated.
  const server = {
    issuer: 'https://accounts.google.com',
    authorization_endpoint: 'https://accounts.google.com/o/oauth2/v2/auth',
    token_endpoint: 'https://oauth2.googleapis.com/token',
    revocation_endpoint: 'https://oauth2.googleapis.com/revoke',
  };
  const config = new openid.Configuration(server, app.clientId, app.clientSecret);
  const verifier = openid.randomPKCECodeVerifier();
  const [state, nonce] = [openid.randomState(), openid.randomNonce()];
  const challenge = await openid.calculatePKCECodeChallenge(verifier);
  const back = await call('buildAuthorizationUrl', () =>
    consent(
      openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: ['openid', ...SCOPES].join(' '),
        state,
        nonce,
        access_type: 'offline',
        code_challenge: challenge,
        code_challenge_method: 'S256',
      }),
    ),
  );
  const tokens = await call('authorizationCodeGrant', () =>
    openid.authorizationCodeGrant(config, back, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    }),
  );
  assert.equal(tokens.scope, ['openid', ...SCOPES].join(' '));
  assert.match(tokens.claims()?.sub ?? '', /^UC/);
  const refreshToken = tokens.refresh_token ?? '';
  const renewed = await call('refreshTokenGrant', () => openid.refreshTokenGrant(config, refreshToken));
  assert.notEqual(renewed.access_token, tokens.access_token);
  await call('tokenRevocation', () => openid.tokenRevocation(config, refreshToken));
  await call('invalid_grant', () =>
    assert.rejects(openid.refreshTokenGrant(config, refreshToken), (error) => {
      assert.ok(error instanceof openid.ResponseBodyError);
      assert.deepEqual([error.status, error.error], [400, 'invalid_grant']);
      return true;
    }),
  );
}

const clients: readonly Client[] = [
  { name: '@googleapis/youtube', options: { limits: true }, drive: driveApi },
  { name: 'google-auth-library', drive: driveAuth },
  { name: 'arctic', drive: driveArctic },
  { name: 'openid-client', drive: driveOpenid },
];

export const suite: ClientSuite = {
  hosts: ['youtube.googleapis.com', 'www.googleapis.com', 'oauth2.googleapis.com', 'accounts.google.com'],
  clients,
};
