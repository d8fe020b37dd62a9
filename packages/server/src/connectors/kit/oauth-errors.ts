/** Error tables of token endpoints (RFC 6749, 5.2). */

import { MINUTE } from '../../time.ts';
import type { ErrorRow, ErrorTable, PlatformProblem } from './classify.ts';
import { rateLimited, setup, transient } from './failures.ts';
import { noLongerAccepted } from './oauth.ts';
import { tameWords } from './words.ts';

/** A limit on the application's requests for tokens. */
export const tooManyTokenRequests = (name: string): ErrorRow => ({
  status: 429,
  failure: rateLimited('app', 'rate', MINUTE, `${name} asks for fewer requests.`),
});

/**
 * The table of a platform that uses the standard codes.
 * @param codes those that need a new consent, and those that are a fault of the application or its configuration
 */
export function tokenErrors<P extends PlatformProblem>(
  name: string,
  codes: { reconnect: readonly string[]; setup: readonly string[] },
): ErrorTable<P> {
  return [
    { code: codes.reconnect, failure: noLongerAccepted(name) },
    {
      code: codes.setup,
      failure: ({ code, words }) => setup(`${name} refused the application's request (${code}). ${words}`.trim()),
    },
    tooManyTokenRequests(name),
    { failure: ({ code, status }) => transient(`${name}'s sign-in answered ${tameWords(code) || status}.`) },
  ];
}
