/** Requests allowed by Facebook's Reels Publishing API for Pages, from Meta's pages, SDK and sample. */
import { graph, NODE, transfer, VERSION } from './graph-rules.ts';
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
  ...['picture', 'published'],
);
const reels = { method: 'POST', at: 'graph', path: '/:version/:id/video_reels', params: node } as const;
const bytes = { kind: 'bytes', type: is('application/octet-stream') } as const;

export const table: WireTable = {
  pictures: 'given /picture/:id',
  requests: [
    { method: 'GET', ...token, query: code, ...inQuery },
    { method: 'POST', ...token, body: { kind: 'form', required: code } },
    { method: 'GET', ...token, query: longer, ...inQuery },
    // "Access Tokens", app access tokens (read 2026-11-22).
    { method: 'GET', ...token, query: { grant_type: is('client_credentials'), ...client }, ...inQuery },
    { method: 'POST', ...token, body: { kind: 'form', required: longer } },
    // From memory, not from the documentation.
    {
      method: 'GET',
      at: 'graph',
      path: '/:version/debug_token',
      params,
      query: { input_token: FILLED, access_token: FILLED },
      ...inQuery,
    },
    ...graph({ method: 'GET', at: 'graph', path: '/:version/me/permissions', params }), // From memory, not from the documentation.
    ...graph({ method: 'DELETE', at: 'graph', path: '/:version/me/permissions', params }), // From memory, not from the documentation.
    ...graph(
      { method: 'GET', at: 'graph', path: '/:version/me/accounts', params },
      { fields: /^[\w,{}.()]+$/ },
      paging,
    ),
    ...graph({ method: 'GET', at: 'graph', path: '/:version/me', params }, { fields: someOf('id', 'name') }),
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
    ...transfer('/video-upload/:id', { id: NODE }, { at: 'given', body: bytes }),
    ...transfer('/video-upload/:version/:id', node, { at: 'given', body: bytes }),
    // Sets the thumbnail of a Page's video.
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
    ...graph({ method: 'GET', at: 'graph', path: '/:version/:id', params: node }, { fields: VIDEO }),
    // Reads a Page, such as the owner of a video.
    ...graph(
      { method: 'GET', at: 'graph', path: '/:version/:id', params: node },
      { fields: /^(?:id|name|username|access_token|tasks|category|picture[\w.(){}]*)(?:,[\w.(){}]+)*$/ },
    ),
    ...graph(
      { method: 'GET', at: 'graph', path: '/:version/:id/video_reels', params: node },
      { fields: VIDEO },
      { since: DIGITS, until: DIGITS, ...paging },
    ),
  ],
};
