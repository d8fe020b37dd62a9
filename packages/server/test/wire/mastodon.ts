/** Wire format of Mastodon's API, from its documentation and source. Other servers implement most of it. */
import { BEARER, FILLED, is, VERIFIER } from './rules.ts';
import { either, flag, list, object, text, word } from './shapes.ts';
import type { WireTable } from './table.ts';

const client = { client_id: FILLED, client_secret: FILLED };
const at = { at: 'instance' } as const;
const auth = { at: 'instance', auth: BEARER } as const;
const TRUTH = is('true', 'false', '1', '0');
const REDIRECT = /^(?:https?:\/\/\S+|urn:ietf:wg:oauth:2\.0:oob)$/;
const SCOPES = /^[a-z_:]+(?: [a-z_:]+)*$/;

export const table: WireTable = {
  pictures: 'instance /avatars/*',
  requests: [
    {
      method: 'POST',
      path: '/api/v1/apps',
      ...at,
      body: {
        kind: 'either',
        of: [
          {
            kind: 'json',
            shape: object(
              // Servers before 4.3 accept only a single string.
              { client_name: text(FILLED), redirect_uris: either(text(REDIRECT), list(text(REDIRECT))) },
              { scopes: text(SCOPES), website: text(FILLED) },
            ),
          },
          {
            kind: 'form',
            required: { client_name: FILLED, redirect_uris: REDIRECT },
            optional: { scopes: SCOPES, website: FILLED },
          },
        ],
      },
    },
    { method: 'GET', path: '/.well-known/oauth-authorization-server', ...at },
    {
      method: 'POST',
      path: '/oauth/token',
      ...at,
      body: {
        kind: 'either',
        of: [
          {
            kind: 'form',
            required: { grant_type: is('authorization_code'), code: FILLED, redirect_uri: REDIRECT, ...client },
            // Servers before 4.3 ignore it.
            optional: { code_verifier: VERIFIER, scope: SCOPES },
          },
          // Keeps an unused application from being deleted.
          {
            kind: 'form',
            required: { grant_type: is('client_credentials'), ...client },
            optional: { scope: SCOPES, redirect_uri: REDIRECT },
          },
        ],
      },
    },
    { method: 'POST', path: '/oauth/revoke', ...at, body: { kind: 'form', required: { ...client, token: FILLED } } },
    { method: 'GET', path: '/api/v1/accounts/verify_credentials', ...auth },
    { method: 'GET', path: '/api/v2/instance', ...auth, authOptional: true },
    { method: 'GET', path: '/api/v1/instance', ...auth, authOptional: true },
    {
      method: 'POST',
      path: '/api/v2/media',
      ...auth,
      body: {
        kind: 'multipart',
        required: { file: { type: /^[\w.+-]+\/[\w.+-]+$/, least: 1 } },
        optional: {
          thumbnail: { type: /^image\//, least: 1 },
          description: FILLED,
          focus: /^-?[\d.]+,-?[\d.]+$/,
        },
      },
    },
    { method: 'GET', path: '/api/v1/streaming/user', ...auth },
    { method: 'GET', path: '/api/v1/media/:id', ...auth },
    {
      method: 'PUT',
      path: '/api/v1/media/:id',
      ...auth,
      body: {
        kind: 'multipart',
        required: {},
        optional: {
          thumbnail: { type: /^image\//, least: 1 },
          description: FILLED,
          focus: /^-?[\d.]+,-?[\d.]+$/,
        },
      },
    },
    { method: 'DELETE', path: '/api/v1/media/:id', ...auth },
    {
      method: 'POST',
      path: '/api/v1/statuses',
      ...auth,
      headers: { 'idempotency-key': FILLED },
      body: {
        kind: 'json',
        shape: object(
          { media_ids: list(text(FILLED), 4, 1) },
          {
            status: text(),
            visibility: word('public', 'unlisted', 'private', 'direct'),
            sensitive: flag,
            spoiler_text: text(),
            language: text(/^[a-z]{2,3}(?:-\w+)?$/i),
            scheduled_at: text(/^\d{4}-\d\d-\d\dT/),
          },
        ),
      },
    },
    { method: 'GET', path: '/api/v1/statuses/:id', ...auth },
    { method: 'DELETE', path: '/api/v1/statuses/:id', ...auth },
    {
      method: 'GET',
      path: '/api/v1/accounts/:id/statuses',
      ...auth,
      authOptional: true,
      optionalQuery: {
        limit: /^(?:[1-9]|[1-3]\d|40)$/,
        exclude_reblogs: TRUTH,
        exclude_replies: TRUTH,
        only_media: TRUTH,
        since_id: FILLED,
        min_id: FILLED,
        max_id: FILLED,
      },
    },
  ],
};
