/** Requests allowed by YouTube's Data API and Google's OAuth, from documentation and discovery document. */
import { headerOf } from './checker.ts';
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
import { flag, list, object, text, word } from './shapes.ts';
import type { Seen, WireTable } from './table.ts';

const MAX_BYTES = 256 * 1024 ** 3;
const GRAIN = 256 * 1024;

const client = { client_id: FILLED, client_secret: FILLED };
const VIDEO = /^(?:video\/[\w.+-]+|application\/octet-stream)$/;

const video = object(
  {
    snippet: object(
      { title: text(/^[^<>]{1,100}$/u) },
      {
        description: text(/^[^<>]*$/),
        tags: list(text(FILLED)),
        categoryId: text(DIGITS),
        defaultLanguage: text(FILLED),
      },
    ),
    status: object(
      { privacyStatus: word('public', 'unlisted', 'private') },
      {
        selfDeclaredMadeForKids: flag,
        containsSyntheticMedia: flag,
        embeddable: flag,
        license: word('youtube', 'creativeCommon'),
        publishAt: text(/^\d{4}-\d\d-\d\dT/),
      },
    ),
  },
  {},
);

const session = {
  method: 'PUT',
  at: 'api',
  path: '/upload/youtube/v3/videos',
  // The official clients send it, and Google accepts it.
  auth: BEARER,
  authOptional: true,
  query: { uploadType: is('resumable'), upload_id: FILLED },
  optionalQuery: { part: FILLED, notifySubscribers: is('true', 'false') },
  // A 308 states the stored range; its `Location` is another URI of the session.
  goesOn: true,
} as const;

export const table: WireTable = {
  pictures: 'given /avatar/:id',
  requests: [
    {
      method: 'POST',
      at: 'oauth',
      path: '/token',
      body: tokenForms(client, { optional: { code_verifier: VERIFIER } }),
    },
    { method: 'POST', at: 'oauth', path: '/revoke', body: { kind: 'form', required: { token: FILLED } } },
    {
      method: 'GET',
      at: 'api',
      path: '/youtube/v3/channels',
      auth: BEARER,
      query: { part: someOf('id', 'snippet', 'contentDetails', 'status'), mine: is('true') },
    },
    {
      method: 'POST',
      at: 'api',
      path: '/upload/youtube/v3/videos',
      auth: BEARER,
      query: { uploadType: is('resumable'), part: someOf('snippet', 'status') },
      optionalQuery: { notifySubscribers: is('true', 'false') },
      headers: {
        'content-type': JSON_UTF8,
        'content-length': DIGITS,
        'x-upload-content-length': DIGITS,
        'x-upload-content-type': VIDEO,
      },
      optionalHeaders: { slug: FILLED },
      body: { kind: 'json', shape: video },
      also: startWrong,
    },
    // A whole file may be sent without a range.
    {
      ...session,
      headers: { 'content-length': DIGITS },
      optionalHeaders: { 'content-range': RANGE },
      body: { kind: 'bytes', type: VIDEO, most: MAX_BYTES },
      also: (request) => [...rangeIsBody(request), ...grainWrong(request)],
    },
    { ...session, headers: { 'content-length': is('0'), 'content-range': /^bytes \*\/\d+$/ } },
    {
      method: 'GET',
      at: 'api',
      path: '/youtube/v3/videos',
      auth: BEARER,
      query: {
        part: someOf('id', 'snippet', 'status', 'contentDetails', 'processingDetails', 'fileDetails'),
        id: /^[\w-]+(?:,[\w-]+){0,49}$/,
      },
    },
    {
      method: 'GET',
      at: 'api',
      path: '/youtube/v3/playlistItems',
      auth: BEARER,
      query: { part: someOf('id', 'snippet', 'contentDetails', 'status'), playlistId: FILLED },
      optionalQuery: { maxResults: /^(?:[1-9]|[1-4]\d|50)$/, pageToken: FILLED },
    },
    {
      method: 'POST',
      at: 'api',
      path: '/upload/youtube/v3/thumbnails/set',
      auth: BEARER,
      query: { videoId: FILLED, uploadType: is('media') },
      body: { kind: 'bytes', type: is('image/jpeg', 'image/png'), most: 52_428_800 },
    },
  ],
};

interface Video {
  snippet: { description?: string; tags?: string[] };
  status: { privacyStatus: string; publishAt?: string };
}

function startWrong(request: Seen): string[] {
  const { snippet, status } = jsonOf(request) as Video;
  const size = Number(headerOf(request, 'x-upload-content-length'));
  // A tag with a space counts with quotes; separators also count.
  const tags = (snippet.tags ?? []).map((tag) => tag.length + (/\s/.test(tag) ? 2 : 0));
  const long = tags.reduce((sum, length) => sum + length, Math.max(0, tags.length - 1));
  return [
    ...(size > 0 && size <= MAX_BYTES ? [] : ['x-upload-content-length is out of range']),
    ...(Buffer.byteLength(snippet.description ?? '') <= 5000 ? [] : ['snippet.description is too long']),
    ...(long <= 500 ? [] : ['snippet.tags are too long']),
    ...(status.publishAt === undefined || status.privacyStatus === 'private' ? [] : ['publishAt is of private ones']),
  ];
}

/** All chunks but the last are multiples of 256 KiB. */
function grainWrong(request: Seen): string[] {
  const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headerOf(request, 'content-range')) ?? [];
  if (first === undefined || Number(last) + 1 === Number(total)) return [];
  return (Number(last) - Number(first) + 1) % GRAIN === 0 ? [] : ['a chunk is no multiple of 256 KiB'];
}
