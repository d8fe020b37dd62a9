/** Instagram: instagram-graph-api (Facebook login), openid-client (Instagram login). */
import assert from 'node:assert/strict';
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ApiVersion,
  Client,
  GetAuthorizedFacebookPagesRequest,
  GetLinkedInstagramAccountRequest,
  GetUserLongLivedTokenRequest,
} from 'instagram-graph-api';
import * as openid from 'openid-client';
import type { ClientSuite, ClientWorld } from './contract.ts';
import { redirectHosts } from './hosts.ts';

const SCOPES = ['instagram_basic', 'instagram_content_publish', 'pages_read_engagement', 'pages_show_list'];
/** The library knows no version that is still supported. */
const VERSION = 'v25.0' as unknown as ApiVersion;
type Api = { access_token: string };

async function driveGraph(world: ClientWorld): Promise<void> {
  const restore = redirect(world);
  const video = await serve(world.video);
  try {
    await useGraph(world, video.url);
  } finally {
    video.close();
    restore();
  }
}

async function useGraph({ app, redirectUri, consent, call, differs }: ClientWorld, videoUrl: string): Promise<void> {
  const dialog = new URL('https://www.facebook.com/v25.0/dialog/oauth');
  dialog.search = new URLSearchParams({
    client_id: app.clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: SCOPES.join(','),
    state: 's',
  }).toString();
  const code = (await consent(dialog)).searchParams.get('code') ?? '';
  const client = { client_id: app.clientId, client_secret: app.clientSecret };
  const token = async (query: Record<string, string>) => {
    const url = `https://graph.facebook.com/v25.0/oauth/access_token?${new URLSearchParams({ ...client, ...query })}`;
    return ((await (await fetch(url)).json()) as Api).access_token;
  };
  const user = await token({ redirect_uri: redirectUri, code });
  await differs(
    'GetUserLongLivedTokenRequest',
    'It appends a second “?” to its URL, so the token it sends is none.',
    async () =>
      assert.match(
        (
          await new GetUserLongLivedTokenRequest(user, app.clientId, app.clientSecret).withApiVersion(VERSION).execute()
        ).getLongLivedToken() ?? 'none',
        /^EAA/,
      ),
  );
  const [page] = (
    await call('GetAuthorizedFacebookPagesRequest', () =>
      new GetAuthorizedFacebookPagesRequest(user).withApiVersion(VERSION).execute(),
    )
  ).getAuthorizedFacebookPages();
  assert.ok(page);
  const id = (
    await call('GetLinkedInstagramAccountRequest', () =>
      new GetLinkedInstagramAccountRequest(user, page.id).withApiVersion(VERSION).execute(),
    )
  ).getInstagramPageId();
  const instagram = new Client(user, id, VERSION);
  const info = await call('newGetPageInfoRequest', () => instagram.newGetPageInfoRequest().execute());
  assert.equal(info.getUsername(), 'nora');
  const account = await call('newGetInstagramAccountInfoRequest', () =>
    instagram.newGetInstagramAccountInfoRequest().execute(),
  );
  assert.equal(account.getAccountInfo().username, 'nora');
  const limit = await call('newGetContentPublishingLimitRequest', () =>
    instagram.newGetContentPublishingLimitRequest().execute(),
  );
  assert.equal(limit.getQuotaUsage(), 0);
  const made = await call('newPostPageReelMediaRequest', () =>
    instagram.newPostPageReelMediaRequest(videoUrl, 'Hello').withThumbOffset(1_000).withShareToFeed(true).execute(),
  );
  const container = await call('newGetContainerRequest', () =>
    instagram.newGetContainerRequest(made.getId()).execute(),
  );
  assert.equal(container.getContainerStatusCode(), 'FINISHED');
  const published = await call('newPostPublishMediaRequest', () =>
    instagram.newPostPublishMediaRequest(made.getId()).execute(),
  );
  const media = await call('newGetMediaInfoRequest', () =>
    instagram.newGetMediaInfoRequest(published.getId()).execute(),
  );
  assert.equal(media.getCaption(), 'Hello');
  assert.match(media.getPermalink() ?? '', /\/reel\//);
  const list = await call('newGetPageMediaRequest', () => instagram.newGetPageMediaRequest().withLimit(5).execute());
  assert.deepEqual(list.getIds(), [published.getId()]);
  assert.deepEqual(list.getMediaProductTypes(), ['REELS']);
  const after = await call('newGetContainerRequest, published', () =>
    instagram.newGetContainerRequest(made.getId()).execute(),
  );
  assert.equal(after.getContainerStatusCode(), 'PUBLISHED');
}

async function driveLogin(world: ClientWorld): Promise<void> {
  const { app, redirectUri, simulator, consent, call, differs } = world;
  const restore = redirect(world);
  try {
    const server = {
      issuer: 'https://www.instagram.com',
      authorization_endpoint: 'https://www.instagram.com/oauth/authorize',
      token_endpoint: 'https://api.instagram.com/oauth/access_token',
    };
    const config = new openid.Configuration(server, app.clientId, undefined, openid.ClientSecretPost(app.clientSecret));
    const scope = 'instagram_business_basic,instagram_business_content_publish';
    const parameters = { redirect_uri: redirectUri, scope, response_type: 'code', state: 's', force_reauth: 'true' };
    const url = await call('buildAuthorizationUrl', () => openid.buildAuthorizationUrl(config, parameters));
    const back = await call('buildAuthorizationUrl, opened', () => consent(url));
    const reason = 'Instagram’s documentation shows the response without token_type, which RFC 6749 (5.1) requires.';
    await differs('authorizationCodeGrant', reason, () =>
      openid.authorizationCodeGrant(config, back, { expectedState: 's' }),
    );
    const { tokenAnswer } = await simulator.simulator.enrol('nora');
    const me = new URL('https://graph.instagram.com/v25.0/me?fields=user_id,username');
    const response = await call('fetchProtectedResource', () =>
      openid.fetchProtectedResource(config, String(tokenAnswer?.access_token), me, 'GET'),
    );
    assert.equal(((await response.json()) as { username: string }).username, 'nora');
  } finally {
    restore();
  }
}

/** Each of the platform's hosts is a path of the simulator. */
function redirect({ simulator: { url } }: ClientWorld): () => void {
  return redirectHosts(
    new Map([
      ['www.instagram.com', `${url}/www-instagram`],
      ['api.instagram.com', `${url}/api-instagram`],
      ['graph.instagram.com', `${url}/graph-instagram`],
      ['www.facebook.com', `${url}/www-facebook`],
      ['graph.facebook.com', `${url}/graph-facebook`],
    ]),
  );
}

/** Serves a file on 127.0.0.1, as the application's own server does. */
async function serve(file: string): Promise<{ url: string; close(): void }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': statSync(file).size });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/video.mp4`,
    close: () => void server.close(),
  };
}

export const suite: ClientSuite = {
  hosts: [],
  clients: [
    { name: 'instagram-graph-api', drive: driveGraph },
    { name: 'openid-client', drive: driveLogin },
  ],
};
