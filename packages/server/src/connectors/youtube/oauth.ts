/** OAuth for YouTube: Google's OAuth 2.0 for web servers. */
import { MINUTE } from '../../lib/time.ts';
import { sayOf } from '../../messages/timeline.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { OAuthFlow } from '../contract.ts';
import { INVALID_REFRESH } from '../kit/app-check.ts';
import { rateLimited, reconnect } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { checkRevocation, defineOAuth } from '../kit/oauth.ts';
import { STANDARD_SETUP_CODES, tokenErrors, tokenFailureBy } from '../kit/oauth-errors.ts';
import { say } from './messages.ts';

export const tokenFailure = tokenFailureBy([
  { code: 'rate_limit_exceeded', failure: rateLimited('app', 'rate', MINUTE, sayOf('Google')('rate_limited')) },
  ...tokenErrors('Google', {
    reconnect: ['invalid_grant', 'invalid_token', 'access_denied', 'admin_policy_enforced'],
    setup: [...STANDARD_SETUP_CODES, 'deleted_client', 'disabled_client', 'redirect_uri_mismatch', 'org_internal'],
  }),
]);

const flow = defineOAuth({
  name: 'Google',
  appName: 'google',
  // The minimal scopes for uploading and for reading the channel, its uploads, and the state of videos.
  scopes: ['https://www.googleapis.com/auth/youtube.upload', 'https://www.googleapis.com/auth/youtube.readonly'],
  separator: ' ',
  client: 'form',
  consent: ({ accounts }) => `${accounts}/o/oauth2/v2/auth`,
  token: ({ oauth }) => `${oauth}/token`,
  // `offline` requests a refresh token. `consent` also issues one to an account that was connected before.
  // `select_account` lets a user who is signed in connect another Google account.
  extra: { consent: { access_type: 'offline', prompt: 'consent select_account' } },
  pkce: () => 'base64url',
  lifeSeconds: 3_600,
  refreshLife: 'refresh_token_expires_in',
  failureOf: tokenFailure,
  probe: {
    form: INVALID_REFRESH,
    rejected: ['invalid_client', 'deleted_client', 'disabled_client'],
    accepted: ['invalid_grant'],
  },
});

export const oauth: OAuthFlow = {
  ...flow,
  // Refreshing does not replace the refresh token. Google states its lifetime only if it ends: for applications in
  // testing, and for access that the user limited.
  refreshRenews: 'unlessStated',
  async exchange(context, input) {
    const tokens = await flow.exchange(context, input);
    if (textAt(tokens.secret, 'refreshToken')) return tokens;
    throw new PlatformError(reconnect(say('offline_access_missing')));
  },
  /** The scopes do not reveal the person, so a revocation is sent only when nobody else is connected. */
  consentOf: () => ({ app: 'google', person: '' }),
  /** Revokes everything that the user has granted to the app, including access to other channels of the same user. */
  async revoke({ http, endpoints }, { secret }) {
    const token = textAt(secret, 'refreshToken') || textAt(secret, 'accessToken');
    checkRevocation(await http({ method: 'POST', url: `${endpoints.oauth}/revoke`, form: { token } }), tokenFailure);
  },
};
