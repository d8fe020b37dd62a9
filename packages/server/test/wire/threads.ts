/**
 * Requests allowed by the Threads API. Sources of the requests and of their responses, read on November 21 and 22, 2026:
 *
 * - sample: github.com/fbsamples/threads_api (source and Postman collection of January 2026)
 * - posts: developers.facebook.com/documentation/threads/posts (updated April 14, 2026; text limit, emoji, video)
 * - troubleshooting: developers.facebook.com/docs/threads/troubleshooting (status and errors of a container, quota)
 * - links: developers.facebook.com/documentation/threads/create-posts/text-attachments (at most five)
 * - lists: developers.facebook.com/docs/threads/retrieve-and-discover-posts/retrieve-posts (fields, types, cursors
 *   without `next`; read 2026-11-23)
 * - 24/4279009: github.com/gitroomhq/postiz-app/pull/2047, github.com/trypostit/trypost/pull/280 and /352
 */
import { FILE, graph } from './graph-rules.ts';
import { ADDRESS, DIGITS, FILLED, is, someOf } from './rules.ts';
import type { WireTable } from './table.ts';

const USER = /^(?:me|\d+)$/;
const CODE = /^[^#]+$/;
const code = {
  client_id: FILLED,
  client_secret: FILLED,
  code: CODE,
  grant_type: is('authorization_code'),
  redirect_uri: ADDRESS,
};
const inQuery = { tokensInQuery: ['access_token', 'client_secret'] };
const PROFILE = someOf('id', 'username', 'name', 'threads_profile_picture_url', 'threads_biography', 'is_verified');
const POST = someOf(
  ...['id', 'media_product_type', 'media_type', 'media_url', 'thumbnail_url', 'permalink', 'shortcode', 'text'],
  ...['timestamp', 'username', 'is_quote_post', 'has_replies'],
);
const at = { at: 'graph', path: '/v1.0/:id', params: { id: USER } } as const;
const edge = (name: string) => ({ ...at, path: `/v1.0/:id/${name}` });

export const table: WireTable = {
  pictures: 'given /picture/:id',
  requests: [
    // Source: sample. Response: `{access_token, user_id}`, without a token type.
    { method: 'POST', at: 'graph', path: '/oauth/access_token', body: { kind: 'form', required: code } },
    { method: 'POST', at: 'graph', path: '/oauth/access_token', query: code, ...inQuery },
    // https://developers.facebook.com/documentation/threads/get-started/app-access-tokens (read 2026-11-22).
    {
      method: 'GET',
      at: 'graph',
      path: '/oauth/access_token',
      query: { grant_type: is('client_credentials'), client_id: FILLED, client_secret: FILLED },
      ...inQuery,
    },
    // Source: sample. Response of both: `{access_token, token_type, expires_in}`, or a Graph API error.
    {
      method: 'GET',
      at: 'graph',
      path: '/access_token',
      query: { grant_type: is('th_exchange_token'), client_secret: FILLED, access_token: FILLED },
      ...inQuery,
    },
    {
      method: 'GET',
      at: 'graph',
      path: '/refresh_access_token',
      query: { grant_type: is('th_refresh_token'), access_token: FILLED },
      ...inQuery,
    },
    // Source: sample. Response: the fields.
    ...graph({ method: 'GET', ...at }, { fields: PROFILE }),
    // Reads a container. Source: troubleshooting. Response: `{id, status, error_message}`.
    ...graph({ method: 'GET', ...at }, { fields: someOf('id', 'status', 'error_message') }),
    // Source: sample. Response: the fields.
    ...graph({ method: 'GET', ...at }, { fields: POST }),
    // Source: troubleshooting. Response: `{data: [{quota_usage, config: {quota_total, quota_duration}}]}`.
    ...graph({ method: 'GET', ...edge('threads_publishing_limit') }, { fields: someOf('quota_usage', 'config') }),
    // Source: sample, lists. Response: `{data: [post], paging}`.
    ...graph(
      { method: 'GET', ...edge('threads') },
      { fields: POST },
      { limit: DIGITS, since: FILLED, until: FILLED, after: FILLED, before: FILLED },
    ),
    // Source: posts. Response: `{id}`, or a Graph API error (100 for the text, links).
    ...graph(
      { method: 'POST', ...edge('threads') },
      { media_type: is('VIDEO'), video_url: ADDRESS },
      {
        // An emoji counts as its UTF-8 bytes; code points are the lower bound.
        text: /^.{0,500}$/su,
        reply_control: is(
          ...['everyone', 'accounts_you_follow', 'mentioned_only', 'parent_post_author_only', 'followers_only'],
        ),
        alt_text: FILLED,
        topic_tag: FILLED,
        location_id: FILLED,
        is_spoiler_media: is('true', 'false'),
        text_entities: FILLED,
        quote_post_id: DIGITS,
        reply_to_id: DIGITS,
      },
    ),
    // Source: posts. Response: `{id}`, or a Graph API error (24/4279009).
    ...graph({ method: 'POST', ...edge('threads_publish') }, { creation_id: DIGITS }),
    FILE,
  ],
};
