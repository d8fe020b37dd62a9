/** Wire format of LinkedIn's versioned API and OAuth, from Microsoft's documentation. */
import { ADDRESS, BEARER, DIGITS, FILLED, is, jsonOf } from './rules.ts';
import { flag, list, object, text, upTo, whole, word } from './shapes.ts';
import type { Seen, WireTable } from './table.ts';

const VERSIONED = { 'linkedin-version': /^20\d\d(?:0[1-9]|1[0-2])$/, 'x-restli-protocol-version': is('2.0.0') };
const rest = { at: 'api', auth: BEARER, headers: VERSIONED } as const;
const PERSON_OR_PAGE = /^urn:li:(?:person:[\w-]+|organization:\d+)$/;
const VIDEO = text(/^urn:li:video:[\w-]+$/);
/** A URN in a path, with escaped colons. */
const URN_IN_PATH = /^urn%3Ali%3A\w+%3A[\w-]+$/i;
/** A list of fields in parentheses, nested. */
const PROJECTION = /^\([\w~:,()]+\)$/;
const client = { client_id: FILLED, client_secret: FILLED };

const post = object(
  {
    author: text(PERSON_OR_PAGE),
    commentary: upTo(3000),
    visibility: word('PUBLIC', 'CONNECTIONS', 'LOGGED_IN'),
    distribution: object(
      { feedDistribution: word('MAIN_FEED') },
      { targetEntities: list(object({}), 0), thirdPartyDistributionChannels: list(text(), 0) },
    ),
    content: object({ media: object({ id: VIDEO }, { title: text() }) }),
    lifecycleState: word('PUBLISHED'),
  },
  { isReshareDisabledByAuthor: flag },
);

export const table: WireTable = {
  pictures: 'given /media/:file',
  requests: [
    {
      method: 'POST',
      at: 'www',
      path: '/oauth/v2/accessToken',
      body: {
        kind: 'either',
        of: [
          {
            kind: 'form',
            required: { grant_type: is('authorization_code'), code: FILLED, redirect_uri: ADDRESS, ...client },
          },
          { kind: 'form', required: { grant_type: is('refresh_token'), refresh_token: FILLED, ...client } },
          // learn.microsoft.com, "Client Credential Flow" (read 2026-11-22).
          { kind: 'form', required: { grant_type: is('client_credentials'), ...client } },
        ],
      },
    },
    {
      method: 'POST',
      at: 'www',
      path: '/oauth/v2/introspectToken',
      body: { kind: 'form', required: { ...client, token: FILLED } },
    },
    // [memory]
    {
      method: 'POST',
      at: 'www',
      path: '/oauth/v2/revoke',
      body: { kind: 'form', required: { ...client, token: FILLED } },
    },
    // Not versioned: the header is not required, and allowed.
    { method: 'GET', at: 'api', path: '/v2/userinfo', auth: BEARER },
    // learn.microsoft.com, "Profile API" and "Profile Picture Fields" (read 2026-11-22).
    { method: 'GET', at: 'api', path: '/v2/me', auth: BEARER, optionalQuery: { projection: PROJECTION } },
    {
      method: 'GET',
      path: '/rest/organizationAcls',
      ...rest,
      query: { q: is('roleAssignee') },
      optionalQuery: { role: /^[A-Z_]+$/, state: is('APPROVED'), count: DIGITS, start: DIGITS },
    },
    // "Organization Lookup API", logos and cover photos (read 2026-11-22).
    {
      method: 'GET',
      path: '/rest/organizations/:id',
      params: { id: DIGITS },
      ...rest,
      optionalQuery: { projection: PROJECTION },
    },
    {
      method: 'POST',
      path: '/rest/videos',
      ...rest,
      query: { action: is('initializeUpload') },
      body: {
        kind: 'json',
        shape: object({
          initializeUploadRequest: object(
            { owner: text(PERSON_OR_PAGE), fileSizeBytes: whole(1) },
            { uploadCaptions: flag, uploadThumbnail: flag },
          ),
        }),
      },
    },
    {
      method: 'POST',
      path: '/rest/videos',
      ...rest,
      query: { action: is('finalizeUpload') },
      body: {
        kind: 'json',
        shape: object({
          // The token must be sent back although it is often empty.
          finalizeUploadRequest: object({
            video: VIDEO,
            uploadToken: text(),
            uploadedPartIds: list(text(FILLED), Number.POSITIVE_INFINITY, 1),
          }),
        }),
      },
    },
    {
      method: 'PUT',
      at: 'given',
      path: '/dms-uploads/sp/v2/*',
      // Some clients send it; the documented calls do not.
      auth: BEARER,
      authOptional: true,
      anyQuery: true,
      body: {
        kind: 'either',
        of: [
          { kind: 'bytes', type: is('application/octet-stream'), most: 4_194_304 },
          { kind: 'bytes', type: is('image/jpeg', 'image/png') },
        ],
      },
    },
    { method: 'GET', path: '/rest/videos/:urn', params: { urn: URN_IN_PATH }, ...rest },
    { method: 'POST', path: '/rest/posts', ...rest, body: { kind: 'json', shape: post }, also: unescaped },
    {
      method: 'GET',
      path: '/rest/posts',
      ...rest,
      headers: { ...VERSIONED, 'x-restli-method': is('FINDER') },
      query: { q: is('author'), author: PERSON_OR_PAGE },
      optionalQuery: {
        count: /^(?:[1-9]\d?|100)$/,
        start: DIGITS,
        sortBy: is('CREATED', 'LAST_MODIFIED'),
      },
    },
    { method: 'GET', path: '/rest/posts/:urn', params: { urn: URN_IN_PATH }, ...rest },
    { method: 'DELETE', path: '/rest/posts/:urn', params: { urn: URN_IN_PATH }, ...rest },
  ],
};

/**
 * Finds unescaped reserved characters of "little text", which truncate a text. Hashtags and mentions use them
 * unescaped.
 */
function unescaped(request: Seen): string[] {
  const { commentary } = jsonOf(request) as { commentary: string };
  const plain = commentary
    .replaceAll(/\\[\s\S]/g, '')
    .replaceAll(/\{hashtag\|#?\|[^{}|]*\}/g, '')
    .replaceAll(/@\[[^\]]*\]\(urn:li:\w+:[\w-]+\)/g, '')
    .replaceAll(/#[\p{L}\p{N}\p{M}_]+/gu, '');
  return /[\\|{}@[\]()<>#*_~]/.test(plain) ? ['commentary has a reserved character that is not escaped'] : [];
}
