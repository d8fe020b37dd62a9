/** OAuth for X (docs.x.com, "OAuth 2.0 Authorization Code Flow with PKCE"), for a confidential client. */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import type { OAuthFlow } from '../contract.ts';
import { INVALID_REFRESH } from '../kit/app-check.ts';
import { classify, type ErrorTable } from '../kit/classify.ts';
import { textAt } from '../kit/json.ts';
import { defineOAuth, noLongerAccepted } from '../kit/oauth.ts';
import { tokenErrors } from '../kit/oauth-errors.ts';
import { tameWords } from '../kit/words.ts';

/** A refresh token works once. It is invalid as soon as X issues a new one, even if that response is lost. */
export const oauth: OAuthFlow = defineOAuth({
  name: 'X',
  // `offline.access` is required for a refresh token, `media.write` for uploads.
  scopes: ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'],
  separator: ' ',
  client: 'basic',
  consent: ({ www }) => `${www}/i/oauth2/authorize`,
  token: ({ api }) => `${api}/2/oauth2/token`,
  // The refresh token comes first, because it could create new tokens.
  revocation: { url: ({ api }) => `${api}/2/oauth2/revoke`, tokens: ['refreshToken', 'accessToken'] },
  pkce: () => 'base64url',
  // Refresh tokens reportedly last about half a year, but no response states it.
  lifeSeconds: 7_200,
  failureOf: tokenFailure,
  // An unknown id is `invalid_client`, a wrong secret `unauthorized_client`.
  probe: {
    form: INVALID_REFRESH,
    rejected: ['invalid_client', 'unauthorized_client'],
    accepted: ['invalid_grant', /\btoken was invalid/i],
  },
});

/** X uses `invalid_request` for `invalid_grant` too. Its description distinguishes an invalid token or code. */
const ERRORS: ErrorTable = [
  { code: 'invalid_request', message: /\b(?:token|authorization code) was invalid/i, failure: noLongerAccepted('X') },
  ...tokenErrors('X', { reconnect: ['invalid_grant', 'access_denied'] }),
];

/** Converts a response without a token to a failure (RFC 6749, 5.2). Never throws. */
export function tokenFailure(response: HttpResponse): Failure {
  const body = response.tryJson();
  const code = tameWords(textAt(body, 'error')).slice(0, 60);
  return classify(ERRORS, { response, code, message: textAt(body, 'error_description') });
}
