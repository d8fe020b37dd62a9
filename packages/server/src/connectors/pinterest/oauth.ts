/** OAuth for Pinterest. */
import { DAY, SECOND } from '../../lib/time.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { INVALID_REFRESH } from '../kit/app-check.ts';
import { setup, transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { defineOAuth } from '../kit/oauth.ts';
import { CONNECTION_ENDED, failureOf } from './classify.ts';
import { say } from './messages.ts';

/** No PKCE, and no revocation endpoint: the user revokes access in Pinterest's settings. */
export const oauth = defineOAuth({
  name: 'Pinterest',
  appIdVariable: 'APP_ID',
  scopes: ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read'],
  // For secret boards and their pins. Without them, an account can use its other boards.
  optionalScopes: ['boards:read_secret', 'boards:write_secret', 'pins:read_secret', 'pins:write_secret'],
  separator: ',',
  client: 'basic',
  consent: ({ www }) => `${www}/oauth/`,
  token: ({ api }) => `${api}/v5/oauth/token`,
  // Applications created before September 2025 get a continuously renewable refresh token only if they request it.
  extra: { exchange: { continuous_refresh: 'true' } },
  lifeSeconds: DAY / SECOND,
  refreshLife: 'refresh_token_expires_in',
  accepts: (status) => status === 200 || status === 201,
  failureOf: tokenFailure,
  // 283 is an invalid grant, 2 a failed authentication.
  probe: { form: INVALID_REFRESH, rejected: ['2', 'invalid_client'], accepted: ['283', 'invalid_grant'] },
});

const APPLICATION_ERRORS = ['invalid_client', 'unauthorized_client', 'invalid_request', 'invalid_scope'];
const appRejected = (code: string) => setup(say('app_rejected', { code }));

/**
 * Maps an error response of the token endpoint: code 283 needs a new consent; any other rejection concerns the
 * application. Standard error codes (RFC 6749, 5.2), which Pinterest is not known to use, keep their standard meaning.
 * Never throws.
 */
export function tokenFailure(response: HttpResponse): Failure {
  const failure = failureOf(response);
  const { kind, platformCode, status = 0 } = failure;
  if (status >= 400 && status < 500 && platformCode === undefined) {
    const error = textAt(response.tryJson(), 'error');
    if (error === 'invalid_grant') return { ...CONNECTION_ENDED, status, platformCode: error };
    if (APPLICATION_ERRORS.includes(error)) return { ...appRejected(error), status, platformCode: error };
  }
  if (kind === 'rateLimited') return { ...failure, scope: 'app' };
  if (platformCode === undefined || platformCode === '283' || status >= 500 || status < 400)
    return kind === 'tokenExpired' ? { ...failure, ...transient(say('sign_in_failed', { status })) } : failure;
  return { ...failure, ...appRejected(platformCode) };
}
