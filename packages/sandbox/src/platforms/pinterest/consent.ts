/** The authorization endpoint. Scopes are comma-separated; the user can deselect any of them. */
import type { Route, SimulatorOptions } from '../../contract.ts';
import { type AuthorizationRequest, authorizationRoutes } from '../../oauth/authorization.ts';
import { addCode } from '../../oauth/codes.ts';
import { consentForm, grantedScopes, isRedirect } from '../../oauth/consent.ts';
import { newSecret } from '../../oauth/tokens.ts';
import { type AuthCode, enrolAccount, KNOWN_SCOPES } from './records.ts';

const CODE_LIFE_MS = 10 * 60_000;

export function consentRoutes(options: SimulatorOptions): Route[] {
  return authorizationRoutes('/oauth/', {
    title: 'Pinterest (sandbox)',
    read: ({ query }) => readRequest(query, options.app.clientId),
    form(query, { scopes }) {
      const intro = '<p>A simulated Pinterest. Nothing leaves this machine. Sign in under any name you like.</p>';
      return consentForm(query, { intro, scopes });
    },
    deny: () => ({ error: 'access_denied', error_description: 'The user denied access.' }),
    async allow({ scopes, redirectUri }, form) {
      const { id: accountId } = await enrolAccount(options, form.get('username') ?? '');
      const granted = { accountId, scopes: grantedScopes(form, scopes), redirectUri };
      return { code: await addCode<AuthCode>(options, newSecret(20), CODE_LIFE_MS, granted, accountId) };
    },
  });
}

/** Parses the authorization request. Returns an error message for the page if it is invalid. */
function readRequest(query: URLSearchParams, clientId: string): AuthorizationRequest | string {
  if (query.get('client_id') !== clientId) return 'client_id: there is no such application.';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isRedirect(redirectUri)) return 'redirect_uri: it is missing or not one of the application.';
  if (query.get('response_type') !== 'code') return 'response_type: it must be "code".';
  const scopes = (query.get('scope') ?? '').split(',');
  if (!scopes.every((scope) => KNOWN_SCOPES.includes(scope))) return 'scope: separate known scopes by commas.';
  return { scopes: [...new Set(scopes)], redirectUri, state: query.get('state') };
}
