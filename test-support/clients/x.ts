/** X: its own SDK, twitter-api-v2, and OAuth clients. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { Twitter } from 'arctic';
import * as openid from 'openid-client';
import { ApiResponseError, TwitterApi } from 'twitter-api-v2';
import { SWITCHES } from '../../packages/sandbox/src/platforms/x/records.ts';
import type { ClientSuite, ClientWorld } from './contract.ts';

const SCOPES = ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'] as const;
const VIDEO = { media_type: 'video/mp4', media_category: 'tweet_video' } as const;
/** A PNG of one pixel. */
const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** Reads of the own account that X allows in a quarter of an hour. */
const MAX_READS = 75;

/** Lists show posts at once. */
const withoutLag = ({ simulator }: ClientWorld) => simulator.store.put(...SWITCHES, { listLagMs: 0 });
const codeIn = (url: URL) => url.searchParams.get('code') ?? '';

/** Runs a call that must fail. @returns the error */
async function errorOf<E>(type: new (...given: never[]) => E, run: Promise<unknown>): Promise<E> {
  const error = await run.then(
    () => assert.fail('The call worked.'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof type, String(error));
  return error;
}

/** Repeats a call until X refuses it. The quarter of an hour may end meanwhile. @returns the error */
async function refusalOf<E>(type: new (...given: never[]) => E, run: () => Promise<unknown>): Promise<E> {
  for (let count = 0; count < 2 * MAX_READS; count++) {
    const error = await run().then(
      () => null,
      (reason: unknown) => reason,
    );
    if (error instanceof type) return error;
  }
  assert.fail('No call was refused.');
}

/** Signs in as an application does. */
async function signInByTwitterApi({ app, redirectUri, consent, call }: ClientWorld) {
  const anonymous = new TwitterApi(app);
  const link = await call('generateOAuth2AuthLink', () =>
    anonymous.generateOAuth2AuthLink(redirectUri, { scope: [...SCOPES] }),
  );
  const callback = await consent(link.url);
  assert.equal(callback.searchParams.get('state'), link.state);
  const session = await call('loginWithOAuth2', () =>
    anonymous.loginWithOAuth2({ code: codeIn(callback), codeVerifier: link.codeVerifier, redirectUri }),
  );
  assert.deepEqual([session.expiresIn, session.scope], [7_200, [...SCOPES]]);
  return { anonymous, ...session };
}

async function driveTwitterApi(world: ClientWorld): Promise<void> {
  const { simulator, video, call } = world;
  await withoutLag(world);
  const { anonymous, client: first, refreshToken = '' } = await signInByTwitterApi(world);
  assert.equal((await first.v2.me()).data.username, 'nora');
  const { client, accessToken } = await call('refreshOAuth2Token', () => anonymous.refreshOAuth2Token(refreshToken));
  const me = await call('v2.me', () =>
    client.v2.me({
      'user.fields': ['created_at', 'profile_image_url', 'protected', 'public_metrics', 'verified_type'],
    }),
  );
  assert.deepEqual([me.data.username, me.data.protected, me.data.verified_type], ['nora', false, 'none']);
  assert.ok(me.data.created_at && me.data.public_metrics && me.data.profile_image_url);

  const bytes = await readFile(video);
  const mediaId = await call('v2.uploadMedia (video)', () => client.v2.uploadMedia(bytes, VIDEO));
  const parts = await call('v2.uploadMedia (small parts)', () => client.v2.uploadMedia(bytes, VIDEO, 16_384));
  const pictureId = await call('v2.uploadMedia (picture)', () =>
    client.v2.uploadMedia(Buffer.from(PICTURE, 'base64'), { media_type: 'image/png', media_category: 'tweet_image' }),
  );
  const metadata = await call('v2.createMediaMetadata', () =>
    client.v2.createMediaMetadata(pictureId, { alt_text: { text: 'A blue square' } }),
  );
  assert.equal(metadata.data.id, pictureId);

  const { data: post } = await call('v2.tweet', () =>
    client.v2.tweet('By a library', { media: { media_ids: [mediaId] } }),
  );
  assert.match(post.text, /^By a library https:\/\/t\.co\//);
  const { data: second } = await call('v2.tweet (options)', () =>
    client.v2.tweet({ text: 'In parts', media: { media_ids: [parts] }, reply_settings: 'following' }),
  );
  const single = await call('v2.singleTweet', () =>
    client.v2.singleTweet(post.id, {
      'tweet.fields': ['created_at', 'public_metrics', 'attachments', 'author_id', 'conversation_id', 'lang'],
      'media.fields': ['type', 'url', 'variants', 'preview_image_url', 'public_metrics'],
      expansions: ['attachments.media_keys', 'author_id'],
    }),
  );
  assert.equal(single.data.author_id, me.data.id);
  assert.equal(single.includes?.users?.[0]?.username, 'nora');
  const variant = single.includes?.media?.[0]?.variants?.find(({ content_type }) => content_type === 'video/mp4');
  assert.deepEqual(Buffer.from(await (await fetch(variant?.url ?? '')).arrayBuffer()), bytes);
  const timeline = await call('v2.userTimeline', () =>
    client.v2.userTimeline(me.data.id, {
      max_results: 5,
      exclude: ['replies', 'retweets'],
      'tweet.fields': ['created_at', 'attachments', 'edit_history_tweet_ids'],
      expansions: ['attachments.media_keys'],
      'media.fields': ['media_key', 'type'],
    }),
  );
  assert.deepEqual(
    timeline.tweets.map(({ id }) => id),
    [second.id, post.id],
  );
  assert.deepEqual(timeline.tweets[1]?.edit_history_tweet_ids, [post.id]);
  assert.equal(timeline.includes.medias(timeline.tweets[1] ?? assert.fail())[0]?.type, 'video');
  const deleted = await call('v2.deleteTweet', () => client.v2.deleteTweet(second.id));
  assert.equal(deleted.data.deleted, true);
  assert.deepEqual(
    (await simulator.published()).map(({ id }) => id),
    [post.id],
  );

  const invalid = await call('ApiResponseError (400)', () =>
    errorOf(ApiResponseError, client.v2.tweet('No media', { media: { media_ids: ['1'] } })),
  );
  assert.deepEqual([invalid.code, invalid.data.title], [400, 'Invalid Request']);
  const duplicate = await call('ApiResponseError (403)', () =>
    errorOf(ApiResponseError, client.v2.tweet('By a library', { media: { media_ids: [mediaId] } })),
  );
  assert.deepEqual([duplicate.code, duplicate.isAuthError], [403, false]);
  assert.match(duplicate.data.detail ?? '', /duplicate content/);
  const cashtags = await call('ApiResponseError (cashtags)', () =>
    errorOf(ApiResponseError, client.v2.tweet('$ABC and $DEF')),
  );
  assert.equal(cashtags.data.detail, 'Posts are limited to a maximum of one cashtag');
  const limited = await call('ApiResponseError (429)', () => refusalOf(ApiResponseError, () => client.v2.me()));
  assert.deepEqual([limited.code, limited.rateLimitError], [429, true]);
  const { limit, remaining, reset = 0 } = limited.rateLimit ?? {};
  assert.deepEqual([limit, remaining], [MAX_READS, 0]);
  const seconds = reset - Date.now() / 1000;
  assert.ok(seconds > -1 && seconds <= 901, `${seconds}`);

  await call('revokeOAuth2Token', () => anonymous.revokeOAuth2Token(accessToken, 'access_token'));
  const revoked = await call('ApiResponseError (401)', () => errorOf(ApiResponseError, client.v2.deleteTweet(post.id)));
  assert.deepEqual([revoked.code, revoked.isAuthError], [401, true]);
}

async function driveXdk(world: ClientWorld): Promise<void> {
  const { simulator, app, redirectUri, video, consent, call } = world;
  await withoutLag(world);
  // It keeps the `fetch` of the time when it is loaded.
  const { ApiError, Client, generateCodeVerifier, OAuth2 } = await import('@xdevplatform/xdk');
  const oauth = new OAuth2({ ...app, redirectUri, scope: [...SCOPES] });
  const verifier = generateCodeVerifier();
  await oauth.setPkceParameters(verifier);
  const link = await call('OAuth2.getAuthorizationUrl', () => oauth.getAuthorizationUrl('a state'));
  const callback = await consent(link);
  const token = await call('OAuth2.exchangeCode', () => oauth.exchangeCode(codeIn(callback), verifier));
  const fresh = await call('OAuth2.refreshToken', () => oauth.refreshToken(token.refresh_token));
  assert.notEqual(fresh.access_token, token.access_token);
  const client = new Client({ accessToken: fresh.access_token });

  const me = await call('users.getMe', () =>
    client.users.getMe({ userFields: ['created_at', 'subscription_type', 'public_metrics'] }),
  );
  const id = me.data?.id ?? '';
  assert.deepEqual([me.data?.username, me.data?.subscriptionType], ['nora', 'None']);
  assert.ok(me.data?.createdAt);

  const bytes = await readFile(video);
  const started = await call('media.initializeUpload', () =>
    client.media.initializeUpload({ mediaType: 'video/mp4', mediaCategory: 'tweet_video', totalBytes: bytes.length }),
  );
  const mediaId = started.data?.id ?? '';
  const size = Math.ceil(bytes.length / 2);
  for (const segmentIndex of [0, 1]) {
    const part = bytes.subarray(segmentIndex * size, (segmentIndex + 1) * size);
    await call(`media.appendUpload (${segmentIndex})`, () =>
      client.media.appendUpload(mediaId, { segmentIndex, media: part.toString('base64') }),
    );
  }
  const finalized = await call('media.finalizeUpload', () => client.media.finalizeUpload(mediaId));
  assert.equal(finalized.data?.size, bytes.length);
  const status = await call('media.getUploadStatus', () =>
    client.media.getUploadStatus(mediaId, { command: 'STATUS' }),
  );
  assert.equal(status.data?.processingInfo?.state, 'succeeded');
  const short = await call('media.getUploadStatus (no command)', () => client.media.getUploadStatus(mediaId));
  assert.equal(short.data?.id, mediaId);
  const single = await call('media.upload', () =>
    client.media.upload({ media: PICTURE, mediaCategory: 'tweet_image' }),
  );
  const metadata = await call('media.createMetadata', () =>
    client.media.createMetadata({ id: single.data?.id ?? '', metadata: { altText: { text: 'A blue square' } } }),
  );
  assert.equal(metadata.data?.id, single.data?.id);

  const made = await call('posts.create', () =>
    client.posts.create({ text: 'By the SDK', media: { mediaIds: [mediaId] } }),
  );
  const postId = made.data?.id ?? '';
  const [entry] = await simulator.published();
  assert.deepEqual([entry?.id, entry?.bytes], [postId, bytes.length]);
  const list = await call('users.getPosts', () =>
    client.users.getPosts(id, {
      maxResults: 5,
      exclude: ['replies'],
      postFields: ['created_at', 'attachments', 'public_metrics'],
      expansions: ['attachments.media_keys', 'edit_history_post_ids'],
      mediaFields: ['media_key', 'type', 'variants'],
    }),
  );
  assert.deepEqual(
    list.data?.map((each) => each.id),
    [postId],
  );
  assert.deepEqual(list.data?.[0]?.editHistoryPostIds, [postId]);
  assert.equal(list.includes?.media?.[0]?.type, 'video');
  const one = await call('posts.getById', () => client.posts.getById(postId, { postFields: ['created_at', 'text'] }));
  assert.match(one.data?.text ?? '', /^By the SDK/);
  const deleted = await call('posts.delete', () => client.posts.delete(postId));
  assert.equal(deleted.data?.deleted, true);

  const invalid = await call('ApiError (400)', () =>
    errorOf(ApiError, client.posts.create({ text: 'No', media: { mediaIds: ['1'] } })),
  );
  assert.equal(invalid.status, 400);
  const refused = await call('ApiError (403)', () => errorOf(ApiError, client.posts.create({ text: '$ABC and $DEF' })));
  assert.equal(refused.status, 403);
  assert.match(JSON.stringify(refused.data), /maximum of one cashtag/);
  const limited = await call('ApiError (429)', () => refusalOf(ApiError, () => client.users.getMe()));
  assert.deepEqual([limited.status, limited.headers.get('x-rate-limit-remaining')], [429, '0']);
  assert.ok(Number(limited.headers.get('x-rate-limit-reset')) > 0);
}

async function driveArctic({ app, redirectUri, consent, call }: ClientWorld): Promise<void> {
  const twitter = new Twitter(app.clientId, app.clientSecret, redirectUri);
  const verifier = 'v'.repeat(64);
  const link = await call('createAuthorizationURL', () => twitter.createAuthorizationURL('s', verifier, [...SCOPES]));
  const code = codeIn(await consent(link));
  const tokens = await call('validateAuthorizationCode', () => twitter.validateAuthorizationCode(code, verifier));
  assert.deepEqual(tokens.scopes(), [...SCOPES]);
  const fresh = await call('refreshAccessToken', () => twitter.refreshAccessToken(tokens.refreshToken()));
  assert.ok(fresh.hasRefreshToken());
  await call('revokeToken', () => twitter.revokeToken(fresh.accessToken()));
}

async function driveOpenid({ app, redirectUri, consent, call }: ClientWorld): Promise<void> {
  const server = {
    issuer: 'https://x.com',
    authorization_endpoint: 'https://x.com/i/oauth2/authorize',
    token_endpoint: 'https://api.x.com/2/oauth2/token',
    revocation_endpoint: 'https://api.x.com/2/oauth2/revoke',
  };
  const basic = openid.ClientSecretBasic(app.clientSecret);
  const config = new openid.Configuration(server, app.clientId, undefined, basic);
  const verifier = openid.randomPKCECodeVerifier();
  const challenge = await openid.calculatePKCECodeChallenge(verifier);
  const link = await call('buildAuthorizationUrl', () =>
    openid.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: SCOPES.join(' '),
      state: 's',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    }),
  );
  const callback = await consent(link);
  const tokens = await call('authorizationCodeGrant', () =>
    openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier: verifier, expectedState: 's' }),
  );
  // The library counts down.
  assert.ok((tokens.expiresIn() ?? 0) > 7_000);
  const fresh = await call('refreshTokenGrant', () => openid.refreshTokenGrant(config, tokens.refresh_token ?? ''));
  await call('tokenRevocation', () => openid.tokenRevocation(config, fresh.access_token));
  const used = await call('ResponseBodyError (400)', () =>
    errorOf(openid.ResponseBodyError, openid.refreshTokenGrant(config, tokens.refresh_token ?? '')),
  );
  assert.deepEqual([used.status, used.error], [400, 'invalid_request']);
}

const options = { limits: true };

export const suite: ClientSuite = {
  hosts: ['x.com', 'api.x.com', 'twitter.com', 'api.twitter.com'],
  clients: [
    { name: 'twitter-api-v2', options, drive: driveTwitterApi },
    { name: '@xdevplatform/xdk', options, drive: driveXdk },
    { name: 'arctic', options, drive: driveArctic },
    { name: 'openid-client', options, drive: driveOpenid },
  ],
};
