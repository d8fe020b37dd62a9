/**
 * Requests allowed by TikTok's Content Posting and Display APIs. Sources of the requests and of their responses, read on
 * November 21 and 22, 2026; DOC is developers.tiktok.com/doc, DOCS is developers.tiktok.com/docs/en:
 *
 * - token: DOC/oauth-get-a-user-access-token, DOCS/oauth-refresh-a-user-access-token
 * - revocation: DOCS/oauth-revoke-a-user-access-token
 * - user: DOC/tiktok-api-v2-get-user-info
 * - creator: DOC/content-posting-api-reference-query-creator-info
 * - direct post: DOC/content-posting-api-reference-direct-post; its errors: DOC/content-posting-api-get-started
 * - inbox: DOC/content-posting-api-reference-upload-video
 * - transfer: DOC/content-posting-api-media-transfer-guide
 * - status: DOC/content-posting-api-reference-get-video-status
 * - list: DOC/tiktok-api-v2-video-list; query: DOC/tiktok-api-v2-video-query
 * - limits: DOCS/tiktok-api-v2-rate-limit (429 `rate_limit_exceeded`)
 *
 * Responses of the v2 API are `{data, error: {code, message, log_id}}`, with `error.code` "ok" for success.
 */
import {
  BEARER,
  DIGITS,
  FILLED,
  is,
  JSON_UTF8,
  jsonOf,
  RANGE,
  rangeIsBody,
  someOf,
  tokenForms,
  VERIFIER,
} from './rules.ts';
import { either, flag, list, object, text, upTo, whole, word } from './shapes.ts';
import type { Seen, WireTable } from './table.ts';

/** "MB" is not defined, so a rule is violated only if both readings agree. */
const MIN_CHUNK = 5_000_000;
const MAX_CHUNK = 64 * 1024 * 1024;
const MAX_LAST_CHUNK = 128 * 1024 * 1024;

const json = { headers: { 'content-type': JSON_UTF8 }, auth: BEARER } as const;
const publishId = object({ publish_id: text(/^.{1,64}$/) });
const client = { client_key: FILLED, client_secret: FILLED };
const USER_FIELDS = someOf(
  ...['open_id', 'union_id', 'avatar_url', 'avatar_url_100', 'avatar_large_url', 'display_name'],
  ...['username', 'bio_description', 'profile_deep_link', 'profile_web_link', 'is_verified'],
);
const VIDEO_FIELDS = someOf(
  ...['id', 'create_time', 'title', 'video_description', 'duration', 'height', 'width', 'cover_image_url'],
  ...['share_url', 'embed_link', 'is_aigc'],
);

const sourceInfo = either(
  object({
    source: word('FILE_UPLOAD'),
    video_size: whole(1, 4 * 1024 ** 3),
    chunk_size: whole(1, MAX_CHUNK),
    total_chunk_count: whole(1, 1000),
  }),
  object({ source: word('PULL_FROM_URL'), video_url: text(/^https:\/\/[\x21-\x7e]+$/) }),
);
const postInfo = object(
  {
    privacy_level: word('PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'FOLLOWER_OF_CREATOR', 'SELF_ONLY'),
    brand_content_toggle: flag,
    brand_organic_toggle: flag,
  },
  {
    title: upTo(2200),
    disable_duet: flag,
    disable_comment: flag,
    disable_stitch: flag,
    video_cover_timestamp_ms: whole(0, 2 ** 31 - 1),
    is_aigc: flag,
  },
);

export const table: WireTable = {
  pictures: 'given /avatar/:id',
  requests: [
    {
      method: 'POST',
      at: 'api',
      path: '/v2/oauth/token/',
      // Source: token. Response: `{access_token, expires_in, open_id, refresh_expires_in, refresh_token, scope,
      // token_type}` or `{error, error_description, log_id}`. Mobile and desktop apps must send a verifier. Other apps
      // may: arctic 3.7.0 always does (github.com/pilcrowonpaper/arctic, src/providers/tiktok.ts).
      body: tokenForms(client, { optional: { code_verifier: VERIFIER } }),
    },
    // https://developers.tiktok.com/doc/client-access-token-management (read 2026-11-22).
    {
      method: 'POST',
      at: 'api',
      path: '/v2/oauth/token/',
      body: { kind: 'form', required: { grant_type: is('client_credentials'), ...client } },
    },
    {
      method: 'POST',
      at: 'api',
      path: '/v2/oauth/revoke/',
      // Source: revocation. Response: empty.
      body: { kind: 'form', required: { ...client, token: FILLED } },
    },
    // Source: user. Response: `data.user` with the requested fields.
    { method: 'GET', at: 'api', path: '/v2/user/info/', auth: BEARER, query: { fields: USER_FIELDS } },
    // Source: creator. The content type is required although the body is empty. Response: `data` with the creator's name,
    // picture, privacy options, interactions and maximum duration; refusals have status 200.
    { method: 'POST', at: 'api', path: '/v2/post/publish/creator_info/query/', ...json },
    {
      method: 'POST',
      at: 'api',
      path: '/v2/post/publish/video/init/',
      // Source: direct post. Response: `data: {publish_id, upload_url}`.
      ...json,
      body: { kind: 'json', shape: object({ post_info: postInfo, source_info: sourceInfo }) },
      also: (request) => [...chunksWrong(request), ...brandWrong(request)],
    },
    {
      method: 'POST',
      at: 'api',
      path: '/v2/post/publish/inbox/video/init/',
      // Source: inbox. Response as for a direct post.
      ...json,
      body: { kind: 'json', shape: object({ source_info: sourceInfo }) },
      also: chunksWrong,
    },
    {
      method: 'PUT',
      at: 'given',
      path: '/video/',
      // Source: transfer. Response: 206, 201 after the last byte, or 400, 403, 404, 416, 5xx; `Content-Range`.
      query: { upload_id: FILLED, upload_token: FILLED },
      tokensInQuery: ['upload_token'],
      headers: { 'content-length': DIGITS, 'content-range': RANGE },
      body: { kind: 'bytes', type: is('video/mp4', 'video/quicktime', 'video/webm'), most: MAX_LAST_CHUNK },
      also: rangeIsBody,
    },
    {
      method: 'POST',
      at: 'api',
      path: '/v2/post/publish/status/fetch/',
      // Source: status. Response: `data: {status, fail_reason, publicaly_available_post_id, uploaded_bytes}`.
      ...json,
      body: { kind: 'json', shape: publishId },
    },
    // Source: status. Response: `error` alone.
    { method: 'POST', at: 'api', path: '/v2/post/publish/cancel/', ...json, body: { kind: 'json', shape: publishId } },
    {
      method: 'POST',
      at: 'api',
      path: '/v2/video/list/',
      // Source: list. Response: `data: {videos, cursor, has_more}`.
      ...json,
      query: { fields: VIDEO_FIELDS },
      body: { kind: 'json', shape: object({}, { max_count: whole(1, 20), cursor: whole() }) },
    },
    {
      method: 'POST',
      at: 'api',
      path: '/v2/video/query/',
      // Source: query. Response: `data: {videos}`.
      ...json,
      query: { fields: VIDEO_FIELDS },
      body: { kind: 'json', shape: object({ filters: object({ video_ids: list(text(DIGITS), 20) }) }) },
    },
  ],
};

interface Init {
  post_info?: { privacy_level: string; brand_content_toggle: boolean };
  source_info: { source: string; video_size: number; chunk_size: number; total_chunk_count: number };
}

/** Validates a chunk plan: the count is rounded down, and the last chunk takes the remainder. */
function chunksWrong(request: Seen): string[] {
  const asked = jsonOf(request) as Init | undefined;
  if (asked?.source_info.source !== 'FILE_UPLOAD') return [];
  const { video_size: size, chunk_size: chunk, total_chunk_count: count } = asked.source_info;
  const whole = count === 1 && chunk === size;
  const last = size - chunk * (count - 1);
  return [
    ...(count === Math.floor(size / chunk) ? [] : ['total_chunk_count is not the size divided by the chunk']),
    ...(chunk >= MIN_CHUNK || whole ? [] : ['chunk_size is below 5 MB']),
    ...(last <= MAX_LAST_CHUNK ? [] : ['the last chunk is above 128 MB']),
    ...(size <= MAX_CHUNK || count > 1 ? [] : ['a video above 64 MB is one chunk']),
  ];
}

function brandWrong(request: Seen): string[] {
  const post = (jsonOf(request) as Init | undefined)?.post_info;
  return post?.brand_content_toggle && post.privacy_level === 'SELF_ONLY'
    ? ['branded content is for oneself only']
    : [];
}
