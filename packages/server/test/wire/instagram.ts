/**
 * Requests allowed by Instagram's Content Publishing API with both logins, from Meta's pages and SDK. Fields of media
 * and the expansion of `children`: developers.facebook.com/docs/instagram-platform/reference/instagram-media (read
 * 2026-11-23).
 */
import { FILE, graph, NODE, transfer, VERSION } from './graph-rules.ts';
import { ADDRESS, DIGITS, FILLED, is, someOf } from './rules.ts';
import type { WireTable } from './table.ts';

const params = { version: VERSION };
const node = { version: VERSION, id: NODE };
/** The fragment that Instagram appends to the callback must be removed. */
const CODE = /^[^#]+$/;

const PROFILE = someOf(
  ...['id', 'user_id', 'username', 'name', 'account_type', 'profile_picture_url', 'biography', 'website'],
  ...['followers_count', 'follows_count', 'media_count'],
);
const MEDIA = [
  ...['id', 'caption', 'media_type', 'media_product_type', 'media_url', 'thumbnail_url', 'permalink', 'shortcode'],
  ...['timestamp', 'username', 'is_shared_to_feed', 'children\\{media_type\\}'],
];
const CONTAINER = ['id', 'status', 'status_code', 'video_status', 'copyright_check_status'];
const paging = { limit: DIGITS, after: FILLED, before: FILLED };

const REEL = {
  caption: /^.{0,2200}$/su,
  share_to_feed: is('true', 'false'),
  thumb_offset: DIGITS,
  cover_url: ADDRESS,
  audio_name: FILLED,
  collaborators: FILLED,
  user_tags: FILLED,
  location_id: DIGITS,
  trial_params: /^\{/,
  is_ai_generated: is('true', 'false'),
};

/** Requests that both hosts accept. */
const onBoth = (at: string) => [
  ...graph({ method: 'GET', at, path: '/:version/me', params }, { fields: PROFILE }),
  // Reads a container, a medium or a profile.
  ...graph({ method: 'GET', at, path: '/:version/:id', params: node }, { fields: someOf(...CONTAINER) }),
  ...graph({ method: 'GET', at, path: '/:version/:id', params: node }, { fields: someOf(...MEDIA) }),
  ...graph({ method: 'GET', at, path: '/:version/:id', params: node }, { fields: PROFILE }),
  ...graph(
    { method: 'GET', at, path: '/:version/:id/content_publishing_limit', params: node },
    { fields: someOf('config', 'quota_usage') },
    { since: DIGITS },
  ),
  ...graph(
    { method: 'GET', at, path: '/:version/:id/media', params: node },
    { fields: someOf(...MEDIA) },
    { ...paging, since: DIGITS, until: DIGITS },
  ),
  ...graph(
    { method: 'POST', at, path: '/:version/:id/media', params: node },
    { media_type: is('REELS'), video_url: ADDRESS },
    REEL,
  ),
  ...graph({ method: 'POST', at, path: '/:version/:id/media_publish', params: node }, { creation_id: DIGITS }),
];

const client = { client_id: FILLED, client_secret: FILLED };
const code = { ...client, redirect_uri: ADDRESS, code: CODE };
const longer = { grant_type: is('fb_exchange_token'), ...client, fb_exchange_token: FILLED };
const facebookToken = { at: 'facebookGraph', path: '/:version/oauth/access_token', params } as const;
const inQuery = { tokensInQuery: ['access_token', 'client_secret', 'fb_exchange_token'] };

export const table: WireTable = {
  pictures: 'given /picture/:id',
  requests: [
    {
      method: 'POST',
      at: 'instagramApi',
      path: '/oauth/access_token',
      body: {
        kind: 'either',
        of: [
          { kind: 'form', required: { grant_type: is('authorization_code'), ...code } },
          { kind: 'multipart', required: { grant_type: is('authorization_code'), ...code } },
        ],
      },
    },
    {
      method: 'GET',
      at: 'instagramGraph',
      path: '/access_token',
      query: { grant_type: is('ig_exchange_token'), client_secret: FILLED, access_token: FILLED },
      ...inQuery,
    },
    {
      method: 'GET',
      at: 'instagramGraph',
      path: '/refresh_access_token',
      query: { grant_type: is('ig_refresh_token'), access_token: FILLED },
      ...inQuery,
    },
    ...onBoth('instagramGraph'),
    { method: 'GET', ...facebookToken, query: code, ...inQuery },
    { method: 'POST', ...facebookToken, body: { kind: 'form', required: code } },
    { method: 'GET', ...facebookToken, query: longer, ...inQuery },
    // "Access Tokens", app access tokens (read 2026-11-22).
    { method: 'GET', ...facebookToken, query: { grant_type: is('client_credentials'), ...client }, ...inQuery },
    ...onBoth('facebookGraph'),
    // Uploading bytes instead of passing a URL requires Facebook Login.
    ...graph(
      { method: 'POST', at: 'facebookGraph', path: '/:version/:id/media', params: node },
      { media_type: is('REELS'), upload_type: is('resumable') },
      REEL,
    ),
    ...graph(
      { method: 'GET', at: 'facebookGraph', path: '/:version/me/accounts', params },
      { fields: /^[\w,{}.()]+$/ },
      paging,
    ),
    ...graph(
      { method: 'GET', at: 'facebookGraph', path: '/:version/me/businesses', params },
      { fields: /^[\w,{}.()]+$/ },
      paging,
    ),
    ...['owned_pages', 'client_pages'].flatMap((edge) =>
      graph(
        { method: 'GET', at: 'facebookGraph', path: `/:version/:id/${edge}`, params: node },
        { fields: /^(?!.*\btasks\b)[\w,{}.()]+$/ },
        paging,
      ),
    ),
    ...graph({ method: 'GET', at: 'facebookGraph', path: '/:version/me/permissions', params }), // From memory, not from the documentation.
    ...graph({ method: 'DELETE', at: 'facebookGraph', path: '/:version/me/permissions', params }), // From memory, not from the documentation.
    FILE,
    ...transfer('/ig-api-upload/:version/:id', node, { at: 'facebookUpload' }),
  ],
};
