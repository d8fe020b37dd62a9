/** OAuth for TikTok (Login Kit). */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { CLIENT_CREDENTIALS } from '../kit/app-check.ts';
import { classify } from '../kit/classify.ts';
import { textAt } from '../kit/json.ts';
import { defineOAuth } from '../kit/oauth.ts';
import { tokenErrors } from '../kit/oauth-errors.ts';

/** Token lifetimes have changed before and differ between apps, so they are read from each response. */
export const oauth = defineOAuth({
  name: 'TikTok',
  appIdVariable: 'CLIENT_KEY',
  idParameter: 'client_key',
  scopes: ['user.info.basic', 'user.info.profile', 'video.list', 'video.publish'],
  separator: ',',
  client: 'form',
  consent: ({ www }) => `${www}/v2/auth/authorize/`,
  token: ({ api }) => `${api}/v2/oauth/token/`,
  revocation: { url: ({ api }) => `${api}/v2/oauth/revoke/`, tokens: ['accessToken'] },
  // Without it, a browser with an earlier consent is redirected back at once, so no second account could be connected.
  extra: { consent: { disable_auto_auth: '1' } },
  // Login Kit for Desktop, which a loopback redirect URI selects, requires a hexadecimal challenge. Login Kit for Web
  // does not, but fails without one for some applications (error 10007), and accepts one from all.
  pkce: () => 'hex',
  // The shortest documented lifetime.
  lifeSeconds: 7_200,
  refreshLife: 'refresh_expires_in',
  // Errors arrive with any status, including 200. Only the presence of a token means success.
  accepts: () => true,
  failureOf: tokenFailure,
  // "Client Access Token Management".
  probe: { form: CLIENT_CREDENTIALS, rejected: ['invalid_client'] },
});

const ERRORS = tokenErrors('TikTok', { reconnect: ['invalid_grant', 'access_denied'] });

/** Converts a response without a token to a failure (RFC 6749, 5.2, in TikTok's flat form). Never throws. */
export function tokenFailure(response: HttpResponse): Failure {
  const body = response.tryJson();
  return classify(ERRORS, {
    response,
    code: textAt(body, 'error'),
    message: textAt(body, 'error_description'),
    requestId: textAt(body, 'log_id'),
  });
}
