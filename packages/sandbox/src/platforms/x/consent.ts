/** The authorization endpoint: authorization code with PKCE, which X always requires. */
import type { Route, SimulatorOptions } from '../../contract.ts';
import { type AuthorizationRequest, authorizationRoutes, readScopes } from '../../oauth/authorization.ts';
import { addCode } from '../../oauth/codes.ts';
import { consentForm, grantedScopes } from '../../oauth/consent.ts';
import { SECOND } from '../../time.ts';
import { type AuthCode, enrolAccount, KNOWN_SCOPES, newSecret } from './records.ts';

const CODE_LIFE_MS = 30 * SECOND;
const MAX_STATE = 500;

type Asked = AuthorizationRequest & Pick<AuthCode, 'challenge' | 'method'> & { state: string };

export function consentRoutes(options: SimulatorOptions): Route[] {
  return authorizationRoutes<Asked>('/i/oauth2/authorize', {
    title: 'Sign in with X (sandbox)',
    read: ({ query }) => readRequest(query, options.app.clientId),
    form: (query, { scopes }) =>
      consentForm(query, {
        intro: '<p>A simulated X. Nothing leaves this machine. Sign in with any name.</p>\n',
        legend: 'The application wants to use',
        scopes,
        allow: 'Authorize app',
        deny: 'Cancel',
      }),
    // The state comes first.
    deny: ({ state }) => ({ state, error: 'access_denied' }),
    async allow({ scopes, redirectUri, state, challenge, method }, form) {
      const { id: accountId } = await enrolAccount(options, form.get('username') ?? '');
      const granted = { accountId, scopes: grantedScopes(form, scopes), redirectUri, challenge, method };
      return { state, code: await addCode<AuthCode>(options, newSecret(), CODE_LIFE_MS, granted, accountId) };
    },
  });
}

/** Parses the authorization request, or returns the error message for the page. */
function readRequest(query: URLSearchParams, clientId: string): Asked | string {
  if (query.get('client_id') !== clientId) return 'client_id: there is no such application.';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!/^https?:$/.test(URL.parse(redirectUri)?.protocol ?? '') || redirectUri.includes('#'))
    return 'redirect_uri: it is missing or not allowed.';
  if (query.get('response_type') !== 'code') return 'response_type: it must be "code".';
  const state = query.get('state') ?? '';
  if (state === '' || state.length > MAX_STATE) return 'state: it is missing or longer than 500 characters.';
  const scopes = readScopes(query, KNOWN_SCOPES, ' ');
  if (typeof scopes === 'string') return scopes;
  const challenge = query.get('code_challenge') ?? '';
  // twitter-api-v2 sends "s256".
  const method = query.get('code_challenge_method')?.replace(/^s256$/, 'S256');
  if (method !== 'S256' && method !== 'plain') return 'code_challenge_method: it must be "S256" or "plain".';
  const form = method === 'S256' ? /^[A-Za-z0-9_-]{43}$/ : /^[A-Za-z0-9\-._~]{43,128}$/;
  if (!form.test(challenge)) return 'code_challenge: it is missing or not well formed.';
  return { scopes, redirectUri, state, challenge, method };
}
