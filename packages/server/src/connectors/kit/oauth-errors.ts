/** Error tables of token endpoints (RFC 6749, 5.2). */
import { sayOf } from '../../messages/timeline.ts';
import { MINUTE } from '../../time.ts';
import type { ErrorRow, ErrorTable, PlatformProblem } from './classify.ts';
import { rateLimited, setup, transient } from './failures.ts';
import { noLongerAccepted } from './oauth.ts';
import { tameWords } from './words.ts';

/** A limit on the application's requests for tokens. */
export const tooManyTokenRequests = (name: string): ErrorRow => ({
  status: 429,
  failure: rateLimited('app', 'rate', MINUTE, sayOf(name)('rate_limited')),
});

/**
 * The table of a platform that uses the standard codes.
 * @param codes those that need a new consent, and those that are a fault of the application or its configuration
 */
export function tokenErrors<P extends PlatformProblem>(
  name: string,
  codes: { reconnect: readonly string[]; setup: readonly string[] },
): ErrorTable<P> {
  const say = sayOf(name);
  return [
    { code: codes.reconnect, failure: noLongerAccepted(name) },
    {
      code: codes.setup,
      failure: ({ code }) => setup(say('app_rejected', { code })),
    },
    tooManyTokenRequests(name),
    { failure: ({ code, status }) => transient(say('sign_in_failed', { status: tameWords(code) || status })) },
  ];
}
