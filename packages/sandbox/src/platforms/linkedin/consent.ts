/** The authorization endpoint. All requested scopes are granted together or not at all. */
import type { Route, SimulatorOptions } from '../../contract.ts';
import { escapeHtml } from '../../http/pages.ts';
import { type AuthorizationRequest, authorizationRoutes } from '../../oauth/authorization.ts';
import { addCode } from '../../oauth/codes.ts';
import { isRedirect } from '../../oauth/consent.ts';
import { newPlainSecret } from '../../oauth/tokens.ts';
import { MINUTE } from '../../time.ts';
import { type AuthCode, KNOWN_SCOPES, memberNamed } from './records.ts';

const CODE_LIFE_MS = 30 * MINUTE;

export function consentRoutes(options: SimulatorOptions): Route[] {
  return authorizationRoutes('/oauth/v2/authorization', {
    title: 'Sign in to LinkedIn (sandbox)',
    errorTitle: 'Bummer, something went wrong',
    read: ({ query }) => readRequest(query, options.app.clientId),
    form: consentForm,
    deny: (_asked, form) =>
      form.get('decision') === 'leave'
        ? { error: 'user_cancelled_login', error_description: 'The user cancelled LinkedIn login' }
        : { error: 'user_cancelled_authorize', error_description: 'The user cancelled the authorization' },
    async allow({ scopes, redirectUri }, form) {
      const { id: personId } = await memberNamed(options, form.get('username') ?? '');
      const granted = { personId, scopes, redirectUri };
      return { code: await addCode<AuthCode>(options, `AQ${newPlainSecret(48)}`, CODE_LIFE_MS, granted, personId) };
    },
  });
}

/** Parses the authorization request. Returns an error message for the page if it is invalid. */
function readRequest(query: URLSearchParams, clientId: string): AuthorizationRequest | string {
  if (query.get('client_id') !== clientId) return 'The passed in client_id is invalid.';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isRedirect(redirectUri)) return 'The redirect_uri does not match the registered value.';
  if (query.get('response_type') !== 'code') return 'The response_type must be "code".';
  const state = query.get('state');
  if (!state) return 'The state is missing.';
  const scopes = (query.get('scope') ?? '').split(' ').filter(Boolean);
  if (scopes.length === 0 || !scopes.every((scope) => KNOWN_SCOPES.includes(scope))) return 'A scope is not known.';
  return { scopes: [...new Set(scopes)], redirectUri, state };
}

function consentForm(query: URLSearchParams, { scopes }: AuthorizationRequest): string {
  return `<p>A simulated LinkedIn. Nothing leaves this machine. Sign in with any name; you run a page of the same name.</p>
<form method="post" action="?${escapeHtml(query.toString())}">
<label>User name <input name="username" required maxlength="64" autocomplete="off" autofocus></label>
<p>The application asks for:</p><ul>${scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('')}</ul>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny" formnovalidate>Cancel</button></p>
</form>`;
}
