/** Error tables of token endpoints (RFC 6749, 5.2). */
import { MINUTE } from '../../lib/time.ts';
import { sayOf } from '../../messages/timeline.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { classify, type ErrorRow, type ErrorTable, type PlatformProblem } from './classify.ts';
import { rateLimited, setup, transient } from './failures.ts';
import { textAt } from './json.ts';
import { noLongerAccepted } from './oauth.ts';
import { tameWords } from './words.ts';

/** A limit on the application's requests for tokens. */
export const tooManyTokenRequests = (name: string): ErrorRow => ({
  status: 429,
  failure: rateLimited('app', 'rate', MINUTE, sayOf(name)('rate_limited')),
});

/** The standard codes that are a fault of the application or its configuration (RFC 6749, 4.1.2.1 and 5.2). */
export const STANDARD_SETUP_CODES = [
  'invalid_client',
  'unauthorized_client',
  'invalid_request',
  'invalid_scope',
  'unsupported_grant_type',
  'unsupported_response_type',
] as const;

/**
 * The table of a platform that uses the standard codes.
 * @param codes those that need a new consent, and those that are a fault of the application or its configuration
 * (the standard ones by default)
 */
export function tokenErrors<P extends PlatformProblem>(
  name: string,
  codes: { reconnect: readonly string[]; setup?: readonly string[] },
): ErrorTable<P> {
  const say = sayOf(name);
  return [
    { code: codes.reconnect, failure: noLongerAccepted(name) },
    {
      code: codes.setup ?? STANDARD_SETUP_CODES,
      failure: ({ code }) => setup(say('app_rejected', { code })),
    },
    tooManyTokenRequests(name),
    { failure: ({ code, status }) => transient(say('sign_in_failed', { status: tameWords(code) || status })) },
  ];
}

/** Returns a function that converts a response without a token to a failure (RFC 6749, 5.2). It never throws. */
export function tokenFailureBy(table: ErrorTable): (response: HttpResponse) => Failure {
  return (response) => {
    const body = response.tryJson();
    const error = textAt(body, 'error');
    const code = /^[\w.-]{1,60}$/.test(error) ? error : '';
    return classify(table, { response, code, message: textAt(body, 'error_description') });
  };
}
