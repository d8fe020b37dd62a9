/**
 * Wire format of Pinterest's API v5. Sources of the requests and of their responses, read on November 21 and 22, 2026:
 *
 * - OpenAPI: github.com/pinterest/api-description, v5/openapi.yaml, version 5.23.0, by path and method. It has the shape
 *   of every request and response below. Errors are `{code, message}`.
 * - storage: docs.aws.amazon.com/AmazonS3/latest/API/RESTObjectPOST.html. Response: 204, or XML `<Error><Code>…`.
 * - error codes: issue 114 of Pinterest's official SDK (code 283), and public clients
 */
import { ADDRESS, BASIC, BEARER, DIGITS, FILLED, is, jsonOf } from './rules.ts';
import { either, object, text, whole, word } from './shapes.ts';
import type { Seen, WireTable } from './table.ts';

const api = { at: 'api', auth: BEARER } as const;
const page = { page_size: /^(?:[1-9]\d?|1\d\d|2[0-4]\d|250)$/, bookmark: FILLED };
const letters = (most: number) => text(new RegExp(`^.{0,${most}}$`, 'su'));

const source = { source_type: word('video_id'), media_id: text(DIGITS) };
/** A cover is required, in one of three forms. */
const mediaSource = either(
  object({ ...source, cover_image_key_frame_time: whole() }),
  object({ ...source, cover_image_url: text(ADDRESS) }),
  object({ ...source, cover_image_content_type: word('image/jpeg', 'image/png'), cover_image_data: text(FILLED) }),
);

export const table: WireTable = {
  pictures: 'given /avatar/:id',
  requests: [
    {
      method: 'POST',
      at: 'api',
      path: '/v5/oauth/token',
      // Source: OpenAPI. Response: OauthAccessTokenResponse. Error 401/283: error codes.
      auth: BASIC,
      body: {
        kind: 'either',
        of: [
          {
            kind: 'form',
            required: { grant_type: is('authorization_code'), code: FILLED, redirect_uri: ADDRESS },
            optional: { continuous_refresh: is('true', 'false') },
          },
          {
            kind: 'form',
            required: { grant_type: is('refresh_token'), refresh_token: FILLED },
            optional: { scope: FILLED, continuous_refresh: is('true', 'false') },
          },
        ],
      },
    },
    // Source: OpenAPI. Response: Account.
    { method: 'GET', path: '/v5/user_account', ...api },
    {
      method: 'GET',
      path: '/v5/boards',
      ...api,
      // Source: OpenAPI. Response: `{items: [Board], bookmark}`, with secret boards only for `boards:read_secret`.
      optionalQuery: { ...page, privacy: is('PUBLIC', 'PROTECTED', 'SECRET', 'PUBLIC_AND_SECRET', 'ALL') },
    },
    {
      method: 'POST',
      path: '/v5/boards',
      ...api,
      // Source: OpenAPI. Response: Board.
      body: {
        kind: 'json',
        shape: object({ name: text(FILLED) }, { description: text(), privacy: word('PUBLIC', 'PROTECTED', 'SECRET') }),
      },
    },
    // Source: OpenAPI. Response: `{items: [BoardSection], bookmark}`.
    { method: 'GET', path: '/v5/boards/:id/sections', params: { id: DIGITS }, ...api, optionalQuery: page },
    {
      method: 'POST',
      path: '/v5/media',
      ...api,
      // Source: OpenAPI. Response: MediaUpload.
      body: { kind: 'json', shape: object({ media_type: word('video') }) },
    },
    {
      method: 'POST',
      at: 'given',
      path: '/s3/',
      // Source: storage.
      // The length is required; S3 does not accept a chunked form [memory].
      headers: { 'content-length': DIGITS },
      noHeaders: ['transfer-encoding'],
      body: {
        kind: 'multipart',
        // All fields of the registration's response by name, then the file.
        required: {
          'Content-Type': FILLED,
          key: FILLED,
          policy: FILLED,
          'x-amz-algorithm': FILLED,
          'x-amz-credential': FILLED,
          'x-amz-date': /^\d{8}T\d{6}Z$/,
          'x-amz-security-token': FILLED,
          'x-amz-signature': FILLED,
          file: { least: 1, most: 2 * 1024 ** 3 },
        },
        last: 'file',
      },
    },
    // Source: OpenAPI. Responses: `{items: [MediaUploadDetails], bookmark}`, and one of these.
    { method: 'GET', path: '/v5/media', ...api, optionalQuery: page },
    { method: 'GET', path: '/v5/media/:id', params: { id: DIGITS }, ...api },
    {
      method: 'POST',
      path: '/v5/pins',
      ...api,
      // Source: OpenAPI. Response: Pin.
      body: {
        kind: 'json',
        shape: object(
          { media_source: mediaSource },
          {
            board_id: text(DIGITS),
            board_section_id: text(DIGITS),
            title: letters(100),
            description: letters(800),
            link: letters(2048),
            alt_text: letters(500),
            dominant_color: text(/^#[\dA-F]{6}$/i),
            parent_pin_id: text(DIGITS),
          },
        ),
      },
      also: withoutBoard,
    },
    {
      method: 'GET',
      path: '/v5/pins',
      ...api,
      // Source: OpenAPI. Response: `{items: [Pin], bookmark}`.
      optionalQuery: {
        ...page,
        creative_types: is('VIDEO'),
        pin_filter: is('exclude_repins'),
        include_protected_pins: is('true', 'false'),
      },
    },
    {
      method: 'GET',
      path: '/v5/boards/:id/pins',
      // Source: OpenAPI. Response: `{items: [Pin], bookmark}`.
      params: { id: DIGITS },
      ...api,
      optionalQuery: { ...page, creative_types: is('VIDEO') },
    },
    // Source: OpenAPI. Responses: Pin, and 204 without a body.
    { method: 'GET', path: '/v5/pins/:id', params: { id: DIGITS }, ...api },
    { method: 'DELETE', path: '/v5/pins/:id', params: { id: DIGITS }, ...api },
  ],
};

/** Optional in the schema, but required in practice. */
function withoutBoard(request: Seen): string[] {
  return (jsonOf(request) as { board_id?: string }).board_id ? [] : ['there is no board'];
}
