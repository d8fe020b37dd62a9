/** The authorization endpoint. Threads has no PKCE. */
import type { Route, SimulatorOptions } from '../../contract.ts';
import { type AuthorizationRequest, authorizationRoutes, readAuthorizationRequest } from '../../oauth/authorization.ts';
import { consentForm, grantedScopes } from '../../oauth/consent.ts';
import { enrolProfile, KNOWN_SCOPES } from './records.ts';
import { makeCode, makeGrant } from './tokens.ts';

const FIXED = ['threads_basic'];

export function consentRoutes(options: SimulatorOptions): Route[] {
  return authorizationRoutes('/oauth/authorize', {
    title: 'Continue to Threads (sandbox)',
    // The redirect URL ends with `#_`, a fragment that browsers do not send.
    fragment: '_',
    read: ({ query }) => readRequest(query, options.app.clientId),
    form: (query, { scopes }) => consentForm(query, { scopes, fixed: FIXED }),
    deny: () => ({
      error: 'access_denied',
      error_reason: 'user_denied',
      error_description: 'The user denied your request',
    }),
    async allow({ scopes, redirectUri }, form) {
      const { id } = await enrolProfile(options, form.get('username') ?? '');
      const grantId = await makeGrant(options, id, grantedScopes(form, scopes, FIXED));
      return { code: await makeCode(options, grantId, redirectUri) };
    },
  });
}

/** Parses the authorization request, or returns the error message for the page. */
function readRequest(query: URLSearchParams, clientId: string): AuthorizationRequest | string {
  const asked = readAuthorizationRequest(query, clientId, KNOWN_SCOPES, ',');
  if (typeof asked === 'string') return asked;
  if (!asked.scopes.includes('threads_basic')) return 'scope: threads_basic is always needed.';
  return asked.state ? asked : 'state: it is missing.';
}
