/** The authorization endpoint. Scopes are space-separated, and the user can deselect any of them. */
import type { Route, SimulatorOptions } from '../../contract.ts';
import { type AuthorizationRequest, authorizationRoutes } from '../../oauth/authorization.ts';
import { addCode } from '../../oauth/codes.ts';
import { consentForm, grantedScopes, isRedirect } from '../../oauth/consent.ts';
import { newSecret } from '../../oauth/tokens.ts';
import { type AuthCode, enrolProfile, KNOWN_SCOPES } from './records.ts';

const CODE_LIFE_MS = 10 * 60_000;

export function consentRoutes(options: SimulatorOptions): Route[] {
  return authorizationRoutes('/login/oauth2/authorize', {
    title: 'Snapchat (sandbox)',
    read: ({ query }) => readRequest(query, options.app.clientId),
    form(query, { scopes }) {
      const intro = '<p>A simulated Snapchat. Nothing leaves this machine. Sign in under any name you like.</p>';
      return consentForm(query, { intro, scopes });
    },
    deny: () => ({ error: 'access_denied', error_description: 'The user denied access.' }),
    async allow({ scopes, redirectUri }, form) {
      const { id: profileId } = await enrolProfile(options, form.get('username') ?? '');
      const granted = { profileId, scopes: grantedScopes(form, scopes), redirectUri };
      return { code: await addCode<AuthCode>(options, newSecret(20), CODE_LIFE_MS, granted, profileId) };
    },
  });
}

/** Parses the authorization request. Returns an error message for the page if it is invalid. */
function readRequest(query: URLSearchParams, clientId: string): AuthorizationRequest | string {
  if (query.get('client_id') !== clientId) return 'client_id: there is no such application.';
  const redirectUri = query.get('redirect_uri') ?? '';
  // The platform requires https. Localhost is also allowed, so that the simulator can be used locally.
  if (!isRedirect(redirectUri)) return 'redirect_uri: it is missing or not https.';
  if (query.get('response_type') !== 'code') return 'response_type: it must be "code".';
  const scopes = (query.get('scope') ?? '').split(' ');
  if (!scopes.every((scope) => KNOWN_SCOPES.includes(scope))) return 'scope: separate known scopes by spaces.';
  return { scopes: [...new Set(scopes)], redirectUri, state: query.get('state') };
}
