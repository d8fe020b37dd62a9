/** The authorization endpoint. Threads has no PKCE. */
import type { Route, SimulatorOptions } from '../../contract.ts';
import { type AuthorizationRequest, authorizationRoutes } from '../../oauth/authorization.ts';
import { consentForm, grantedScopes, isRedirect } from '../../oauth/consent.ts';
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
  if (query.get('client_id') !== clientId) return 'client_id: there is no such application.';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isRedirect(redirectUri)) return 'redirect_uri: it is missing or not allowed.';
  if (query.get('response_type') !== 'code') return 'response_type: it must be "code".';
  const scopes = (query.get('scope') ?? '').split(',').filter(Boolean);
  if (!scopes.includes('threads_basic')) return 'scope: threads_basic is always needed.';
  if (!scopes.every((scope) => KNOWN_SCOPES.includes(scope))) return 'scope: separate known scopes by commas.';
  const state = query.get('state');
  return state ? { scopes: [...new Set(scopes)], redirectUri, state } : 'state: it is missing.';
}
