/** Wire format of Snapchat's Public Profile API, from documentation pages and public clients. */
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
      body: tokenForms({ client_id: FILLED, client_secret: FILLED }),
    },
    { method: 'GET', path: '/v1/public_profiles/my_profile', ...api },
    { method: 'GET', path: '/v1/organizations/:org/public_profiles', ...api, optionalQuery: { limit: DIGITS } },
    {
      method: 'POST',
      path: '/v1/public_profiles/:pid/media',
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
      method: 'GET',
      path: '/v1/public_profiles/:pid/spotlights',
      params: profile,
      ...api,
      optionalQuery: { limit: DIGITS },
    },
    { method: 'GET', path: '/v1/public_profiles/:pid/spotlights/:id', params: profile, ...api },
  ],
};
