/**
 * Requests allowed by Facebook's Reels Publishing API for Pages. Sources of the requests and of their responses, read on
 * November 21 and 22, 2026:
 *
 * - reels: developers.facebook.com/docs/video-api/guides/reels-publishing ("Reels Publishing"), and Meta's sample
 *   github.com/fbsamples/reels_publishing_apis (issue 47: a live status with `bytes_transferred`)
 * - tokens: developers.facebook.com/docs/facebook-login/guides/access-tokens/get-long-lived and
 *   developers.facebook.com/docs/pages-api/getting-started (Page tokens)
 * - permissions: developers.facebook.com/docs/graph-api/reference/user/permissions
 * - portfolios: developers.facebook.com/docs/graph-api/reference/user/businesses, and
 *   github.com/getopenpost/openpost/issues/216
 * - thumbnails and other fields: github.com/facebook/facebook-nodejs-business-sdk 24.0.1, src/objects/video.js, page.js
 * - privacy and source of a video: developers.facebook.com/docs/graph-api/reference/video (read 2026-11-23)
 * - errors: developers.facebook.com/docs/graph-api/guides/error-handling; 6000/1363130:
 *   github.com/trypostit/trypost/pull/361, github.com/gitroomhq/postiz-app/pull/1631
 */
import { FILE, graph, NODE, transfer, VERSION } from './graph-rules.ts';
import { ADDRESS, DIGITS, FILLED, is, someOf } from './rules.ts';
import type { WireTable } from './table.ts';

const params = { version: VERSION };
const node = { version: VERSION, id: NODE };
const client = { client_id: FILLED, client_secret: FILLED };
const CODE = /^[^#]+$/;
const code = { ...client, redirect_uri: ADDRESS, code: CODE };
const longer = { grant_type: is('fb_exchange_token'), ...client, fb_exchange_token: FILLED };
const token = { at: 'graph', path: '/:version/oauth/access_token', params } as const;
const inQuery = { tokensInQuery: ['access_token', 'client_secret', 'fb_exchange_token', 'input_token'] };
const paging = { limit: DIGITS, after: FILLED, before: FILLED };

const VIDEO = someOf(
  ...['id', 'description', 'title', 'created_time', 'updated_time', 'length', 'permalink_url', 'source', 'status'],
  ...['picture', 'published', 'privacy'],
);
const reels = { method: 'POST', at: 'graph', path: '/:version/:id/video_reels', params: node } as const;
const bytes = { kind: 'bytes', type: is('application/octet-stream') } as const;

export const table: WireTable = {
  pictures: 'given /picture/:id',
  requests: [
    // Source: tokens. Response: `{access_token, token_type, expires_in}`, or the errors 100, 100/36007 to 36009, 1, 101.
    { method: 'GET', ...token, query: code, ...inQuery },
    { method: 'POST', ...token, body: { kind: 'form', required: code } },
    { method: 'GET', ...token, query: longer, ...inQuery },
    // "Access Tokens", app access tokens (read 2026-11-22).
    { method: 'GET', ...token, query: { grant_type: is('client_credentials'), ...client }, ...inQuery },
    { method: 'POST', ...token, body: { kind: 'form', required: longer } },
    // Source: developers.facebook.com/docs/graph-api/reference/debug_token.
    {
      method: 'GET',
      at: 'graph',
      path: '/:version/debug_token',
      params,
      query: { input_token: FILLED, access_token: FILLED },
      ...inQuery,
    },
    // Source: permissions. Responses: `{data: [{permission, status}]}` and `{success}`.
    ...graph({ method: 'GET', at: 'graph', path: '/:version/me/permissions', params }),
    ...graph({ method: 'DELETE', at: 'graph', path: '/:version/me/permissions', params }),
    // Source: tokens. Response: `{data: [Page], paging: {cursors, next}}`.
    ...graph(
      { method: 'GET', at: 'graph', path: '/:version/me/accounts', params },
      { fields: /^[\w,{}.()]+$/ },
      paging,
    ),
    // Source: portfolios. Responses as for me/accounts.
    ...graph(
      { method: 'GET', at: 'graph', path: '/:version/me/businesses', params },
      { fields: /^[\w,{}.()]+$/ },
      paging,
    ),
    ...['owned_pages', 'client_pages'].flatMap((edge) =>
      graph(
        { method: 'GET', at: 'graph', path: `/:version/:id/${edge}`, params: node },
        { fields: /^(?!.*\btasks\b)[\w,{}.()]+$/ },
        paging,
      ),
    ),
    ...graph({ method: 'GET', at: 'graph', path: '/:version/me', params }, { fields: someOf('id', 'name') }),
    // Source: reels. Responses: `{video_id, upload_url}`, then `{success}`, or a Graph API error.
    ...graph(reels, { upload_phase: is('start') }),
    ...graph(
      reels,
      { upload_phase: is('finish'), video_id: NODE, video_state: is('PUBLISHED', 'DRAFT') },
      { description: /^/, title: /^/, place: DIGITS },
    ),
    ...graph(
      reels,
      { upload_phase: is('finish'), video_id: NODE, video_state: is('SCHEDULED'), scheduled_publish_time: DIGITS },
      { description: /^/, title: /^/, place: DIGITS },
    ),
    // Source: reels. Response: `{success}`, or `{debug_info: {retriable, type, message}}`.
    ...transfer('/video-upload/:id', { id: NODE }, { at: 'given', body: bytes }),
    ...transfer('/video-upload/:version/:id', node, { at: 'given', body: bytes }),
    // Sets the thumbnail of a Page's video. Source: thumbnails. Response: `{success}`.
    {
      method: 'POST',
      at: 'graph',
      path: '/:version/:id/thumbnails',
      params: node,
      body: {
        kind: 'multipart',
        required: {
          access_token: FILLED,
          is_preferred: is('true', 'false'),
          source: { type: is('image/jpeg', 'image/png'), least: 1, most: 10_000_000 },
        },
        optional: { appsecret_proof: /^[\da-f]{64}$/ },
      },
    },
    // Source: reels. Response: `{status: {video_status, uploading_phase, processing_phase, publishing_phase}}`.
    ...graph({ method: 'GET', at: 'graph', path: '/:version/:id', params: node }, { fields: VIDEO }),
    // Reads a Page, such as the owner of a video. Source: tokens.
    ...graph(
      { method: 'GET', at: 'graph', path: '/:version/:id', params: node },
      { fields: /^(?:id|name|username|access_token|tasks|category|picture[\w.(){}]*)(?:,[\w.(){}]+)*$/ },
    ),
    // Source: reels. Response: `{data: [video], paging}`.
    ...graph(
      { method: 'GET', at: 'graph', path: '/:version/:id/video_reels', params: node },
      { fields: VIDEO },
      { since: DIGITS, until: DIGITS, ...paging },
    ),
    FILE,
  ],
};
