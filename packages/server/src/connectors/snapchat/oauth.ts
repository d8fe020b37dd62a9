/** OAuth of Snapchat's business API, for allowlisted applications. */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { INVALID_REFRESH } from '../kit/app-check.ts';
import { ANY_CODE, classify, type ErrorTable } from '../kit/classify.ts';
import { reconnect, setup, transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { defineOAuth } from '../kit/oauth.ts';
import { tooManyTokenRequests } from '../kit/oauth-errors.ts';
import { tameWords } from '../kit/words.ts';
import { say } from './messages.ts';

const SCOPES = ['snapchat-profile-api'];

/** No PKCE, and no known revocation endpoint. Reports differ on whether the refresh token rotates. */
export const oauth = defineOAuth({
  name: 'Snapchat',
  scopes: SCOPES,
  separator: ' ',
  client: 'form',
  consent: ({ accounts }) => `${accounts}/login/oauth2/authorize`,
  token: ({ accounts }) => `${accounts}/login/oauth2/access_token`,
  // A missing `scope` means that all requested scopes were granted (RFC 6749, 5.1).
  adjust: (tokens, { scope }) => (scope === undefined ? { ...tokens, scopes: SCOPES } : tokens),
  // The shortest documented lifetime.
  lifeSeconds: 1_800,
  refreshLife: 'refresh_expires_in',
  failureOf: tokenFailure,
  probe: { form: INVALID_REFRESH, rejected: ['invalid_client', 'unauthorized_client'], accepted: ['invalid_grant'] },
});

const ERRORS: ErrorTable = [
  tooManyTokenRequests('Snapchat'),
  { code: ['invalid_grant', 'access_denied'], failure: reconnect(say('connection_ended')) },
  {
    status: [400, 499],
    code: ANY_CODE,
    failure: ({ code }) => setup(say('app_rejected', { code: tameWords(code) })),
  },
  { failure: ({ status }) => transient(say('sign_in_failed', { status })) },
];

/** Maps an error response of the token endpoint (RFC 6749, 5.2). Never throws. */
export function tokenFailure(response: HttpResponse): Failure {
  const body = response.tryJson();
  const code = textAt(body, 'error').slice(0, 60);
  return classify(ERRORS, { response, code, message: textAt(body, 'error_description') });
}
