/** Requests allowed by the Threads API, from Meta's pages and sample. */
import { graph } from './graph-rules.ts';
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
    ...graph({ method: 'GET', ...at }, { fields: PROFILE }),
    // Reads a container.
    ...graph({ method: 'GET', ...at }, { fields: someOf('id', 'status', 'error_message') }),
    ...graph({ method: 'GET', ...at }, { fields: POST }),
    ...graph({ method: 'GET', ...edge('threads_publishing_limit') }, { fields: someOf('quota_usage', 'config') }),
    ...graph(
      { method: 'GET', ...edge('threads') },
      { fields: POST },
      { limit: DIGITS, since: FILLED, until: FILLED, after: FILLED, before: FILLED },
    ),
    ...graph(
      { method: 'POST', ...edge('threads') },
      { media_type: is('VIDEO'), video_url: ADDRESS },
      {
        // How emoji count is not documented exactly; code points are the lower bound.
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
    ...graph({ method: 'POST', ...edge('threads_publish') }, { creation_id: DIGITS }),
  ],
};
