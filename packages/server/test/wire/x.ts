/** Requests allowed by X's API v2, from its documentation and OpenAPI document. */
import { BASIC, BEARER, FILLED, is, jsonOf, someOf, tokenForms, VERIFIER } from './rules.ts';
import { flag, list, object, text, upTo, whole, word } from './shapes.ts';
import type { Seen, WireTable } from './table.ts';

const ID = /^[0-9]{1,19}$/;
const api = { at: 'api', auth: BEARER } as const;
const verifier = { code_verifier: VERIFIER };

const MEDIA_TYPES = [
  ...['video/mp4', 'video/webm', 'video/mp2t', 'video/quicktime', 'text/srt', 'text/vtt', 'image/jpeg', 'image/gif'],
  ...['image/bmp', 'image/png', 'image/webp', 'image/pjpeg', 'image/tiff'],
];
const CATEGORIES = [
  'amplify_video',
  'tweet_gif',
  'tweet_image',
  'tweet_video',
  'dm_video',
  'dm_image',
  'dm_gif',
  'subtitles',
];

// X renames fields: the new names are those of its OpenAPI document (github.com/xdevplatform/docs, openapi.json at
// 00b419b, read 2026-11-22), the old ones those of docs.x.com/x-api/fundamentals/fields.
// Media and user fields: the page "Fields".
const SHARED_FIELDS = ['created_at', 'attachments', 'entities', 'text'];
const POST_FIELDS = {
  'post.fields': someOf(...SHARED_FIELDS, 'note_post'),
  'tweet.fields': someOf(...SHARED_FIELDS, 'note_tweet', 'referenced_tweets', 'edit_history_tweet_ids'),
  expansions: someOf('attachments.media_keys', 'author_id'),
  'media.fields': someOf(
    ...['media_key', 'type', 'url', 'duration_ms', 'height', 'width', 'preview_image_url', 'variants'],
  ),
  'user.fields': is('protected'),
};
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/;

// The event types that a subscription with the application's own token may have, as far as Reelay could use them
// (docs.x.com/x-api/activity/introduction; OpenAPI document 2.168, read 2026-11-23: `createActivitySubscription`,
// `getActivitySubscriptions`, `deleteActivitySubscription`, `activityStream`).
const subscription = object(
  { event_type: word('post.create', 'post.delete'), filter: object({ user_id: text(ID) }) },
  { tag: upTo(200), webhook_id: text(ID) },
);

const post = object(
  {},
  {
    text: text(),
    media: object(
      { media_ids: list(text(ID), 4, 1) },
      {
        preview_media_id: text(ID),
        title: text(),
        description: text(),
        embeddable: flag,
        tagged_user_ids: list(text(ID), 10),
      },
    ),
    made_with_ai: flag,
    paid_partnership: flag,
    reply_settings: word('following', 'mentionedUsers', 'subscribers', 'verified'),
    community_id: text(ID),
    share_with_followers: flag,
    nullcast: flag,
    for_super_followers_only: flag,
    reply: object({ in_reply_to_tweet_id: text(ID) }),
    quote_tweet_id: text(ID),
    edit_options: object({ previous_post_id: text(ID) }),
  },
);

export const table: WireTable = {
  pictures: 'given /profile_images/:id',
  requests: [
    // A confidential client authenticates in the header; a public client sends its id in the form.
    { method: 'POST', at: 'api', path: '/2/oauth2/token', auth: BASIC, body: tokenForms({}, { required: verifier }) },
    {
      method: 'POST',
      at: 'api',
      path: '/2/oauth2/token',
      body: tokenForms({ client_id: FILLED }, { required: verifier }),
    },
    {
      method: 'POST',
      at: 'api',
      path: '/2/oauth2/revoke',
      auth: BASIC,
      body: { kind: 'form', required: { token: FILLED }, optional: { token_type_hint: FILLED } },
    },
    {
      method: 'POST',
      at: 'api',
      path: '/2/oauth2/revoke',
      body: { kind: 'form', required: { token: FILLED, client_id: FILLED }, optional: { token_type_hint: FILLED } },
    },
    {
      method: 'GET',
      path: '/2/users/me',
      ...api,
      optionalQuery: {
        'user.fields': someOf('profile_image_url', 'verified', 'verified_type', 'subscription_type', 'protected'),
      },
    },
    {
      method: 'POST',
      path: '/2/media/upload/initialize',
      ...api,
      body: {
        kind: 'json',
        shape: object(
          {
            media_type: word(...MEDIA_TYPES),
            media_category: word(...CATEGORIES),
            total_bytes: whole(0, 17_179_869_184),
          },
          { shared: flag, additional_owners: list(text(ID)) },
        ),
      },
    },
    {
      method: 'POST',
      path: '/2/media/upload/:id/append',
      params: { id: ID },
      ...api,
      body: {
        kind: 'either',
        of: [
          // 5 MB is the largest segment size ever documented.
          { kind: 'multipart', required: { segment_index: /^\d{1,3}$/, media: { least: 1, most: 5_242_880 } } },
          { kind: 'json', shape: object({ segment_index: whole(0, 999), media: text(/^[A-Za-z0-9+/]+=*$/) }) },
        ],
      },
    },
    { method: 'POST', path: '/2/media/upload/:id/finalize', params: { id: ID }, ...api },
    { method: 'GET', path: '/2/media/upload', ...api, query: { command: is('STATUS'), media_id: ID } },
    {
      method: 'POST',
      path: '/2/media/metadata',
      ...api,
      body: {
        kind: 'json',
        shape: object({
          id: text(ID),
          metadata: object(
            {},
            { alt_text: object({ text: upTo(1000) }), allow_download_status: object({ allow_download: flag }) },
          ),
        }),
      },
    },
    { method: 'POST', path: '/2/tweets', ...api, body: { kind: 'json', shape: post }, also: emptyPost },
    {
      method: 'GET',
      path: '/2/users/:id/tweets',
      params: { id: ID },
      ...api,
      optionalQuery: {
        max_results: /^(?:[5-9]|[1-9]\d|100)$/,
        since_id: ID,
        start_time: TIME,
        pagination_token: FILLED,
        exclude: someOf('replies', 'retweets'),
        ...POST_FIELDS,
      },
      // A pagination token, not a secret.
      tokensInQuery: ['pagination_token'],
    },
    {
      method: 'GET',
      path: '/2/tweets/:id',
      params: { id: ID },
      ...api,
      optionalQuery: POST_FIELDS,
    },
    { method: 'DELETE', path: '/2/tweets/:id', params: { id: ID }, ...api },
    {
      method: 'GET',
      path: '/2/activity/subscriptions',
      ...api,
      optionalQuery: { max_results: /^(?:[1-9]\d{0,2}|1000)$/, pagination_token: FILLED },
      tokensInQuery: ['pagination_token'],
    },
    { method: 'POST', path: '/2/activity/subscriptions', ...api, body: { kind: 'json', shape: subscription } },
    { method: 'DELETE', path: '/2/activity/subscriptions/:id', params: { id: ID }, ...api },
    {
      method: 'GET',
      path: '/2/activity/stream',
      ...api,
      optionalQuery: { backfill_minutes: /^[0-5]$/, start_time: TIME, end_time: TIME },
    },
  ],
};

/** The text may be empty if there is a video. */
function emptyPost(request: Seen): string[] {
  const { text: said, media } = jsonOf(request) as { text?: string; media?: object };
  return said || media ? [] : ['the post has neither text nor media'];
}
