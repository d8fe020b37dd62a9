/**
 * Wire format of Snapchat's Public Profile API. Sources of the requests and of their responses, read on November 21 and
 * 22, 2026; API is developers.snap.com/api/marketing-api:
 *
 * - authentication: API/Ads-API/authentication, API/Public-Profile-API/GetStarted
 * - profiles: API/Public-Profile-API/Profiles (the entity). The path `my_profile` and its two formats: public clients.
 * - assets: API/Public-Profile-API/ProfileAssetManagement
 * - public clients: applications on GitHub that call businessapi.snapchat.com. Several agree on what is marked so; Snapchat
 *   does not document it.
 *
 * Responses are `{request_status, request_id, …}`, errors `{request_status: "ERROR", error_code, display_message,
 * debug_message}` (public clients).
 */
import { BEARER, DIGITS, FILLED, is, tokenForms } from './rules.ts';
import { flag, object, text, word } from './shapes.ts';
import type { WireTable } from './table.ts';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const api = { at: 'api', auth: BEARER } as const;
const profile = { pid: UUID };
/** 32 bytes and 16 bytes as base64. */
const KEY = /^[A-Za-z0-9+/]{43}=$/;
const IV = /^[A-Za-z0-9+/]{22}==$/;

export const table: WireTable = {
  pictures: 'given /avatar/:id',
  requests: [
    {
      method: 'POST',
      at: 'accounts',
      path: '/login/oauth2/access_token',
      // Source: authentication. Response: `{access_token, token_type, expires_in, refresh_token, scope}`, errors by RFC 6749.
      body: tokenForms({ client_id: FILLED, client_secret: FILLED }),
    },
    // Source: profiles. Responses: `public_profile`, or `public_profiles: [{sub_request_status, public_profile}]`.
    { method: 'GET', path: '/v1/public_profiles/my_profile', ...api },
    { method: 'GET', path: '/v1/organizations/:org/public_profiles', ...api, optionalQuery: { limit: DIGITS } },
    {
      method: 'POST',
      path: '/v1/public_profiles/:pid/media',
      // Source: assets ("Create Media"). Response: `{media_id, add_path, finalize_path}`.
      params: profile,
      ...api,
      body: {
        kind: 'json',
        shape: object({ type: word('VIDEO'), name: text(FILLED), key: text(KEY), iv: text(IV) }),
      },
    },
    {
      method: 'POST',
      at: 'given',
      path: '/us/v1/public_profiles/:pid/media/:mid/multipart-upload',
      // Source: assets (multipart upload). Response: the status alone.
      params: { pid: UUID, mid: UUID },
      auth: BEARER,
      body: {
        kind: 'either',
        of: [
          {
            kind: 'multipart',
            required: {
              action: is('ADD'),
              part_number: /^(?:[1-9]|[12]\d|3[0-5])$/,
              // The form's overhead counts too: a part of exactly 32 MiB is rejected.
              file: { least: 1, most: 32 * 1024 * 1024 - 1 },
            },
          },
          { kind: 'multipart', required: { action: is('FINALIZE') } },
        ],
      },
    },
    {
      // Source: assets (spotlights). Response: `{spotlight_id}` (public clients).
      method: 'POST',
      path: '/v1/public_profiles/:pid/spotlights',
      params: profile,
      ...api,
      body: {
        kind: 'json',
        shape: object(
          { media_id: text(UUID), locale: text(/^[a-z]{2}_[A-Z]{2}$/) },
          { description: text(/^.{0,160}$/su), skip_save_to_profile: flag },
        ),
      },
    },
    {
      // Source: public clients. Responses: `spotlights: [{sub_request_status, spotlight}]`.
      method: 'GET',
      path: '/v1/public_profiles/:pid/spotlights',
      params: profile,
      ...api,
      // The cursor is what the previous page stated.
      optionalQuery: { limit: DIGITS, cursor: FILLED },
    },
    { method: 'GET', path: '/v1/public_profiles/:pid/spotlights/:id', params: profile, ...api },
  ],
};
