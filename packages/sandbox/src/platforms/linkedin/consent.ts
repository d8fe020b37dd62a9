/** The authorization endpoint. All requested scopes are granted together or not at all. */
import type { Route, SimulatorOptions } from '../../contract.ts';
import { escapeHtml } from '../../http/pages.ts';
import { type AuthorizationRequest, authorizationRoutes } from '../../oauth/authorization.ts';
import { addCode } from '../../oauth/codes.ts';
import { isRedirect } from '../../oauth/consent.ts';
import { newPlainSecret } from '../../oauth/tokens.ts';
import { MINUTE } from '../../time.ts';
import { type AuthCode, KNOWN_SCOPES, memberNamed, SCOPES, settingsOf } from './records.ts';

const CODE_LIFE_MS = 30 * MINUTE;

export function consentRoutes(options: SimulatorOptions): Route[] {
  return authorizationRoutes<Request>('/oauth/v2/authorization', {
    title: 'Sign in to LinkedIn (sandbox)',
    errorTitle: 'Bummer, something went wrong',
    read: ({ query }) => readRequest(query, options.app.clientId),
    form: consentForm,
    deny: (_asked, form) =>
      form.get('decision') === 'leave'
        ? { error: 'user_cancelled_login', error_description: 'The user cancelled LinkedIn login' }
        : { error: 'user_cancelled_authorize', error_description: 'The user cancelled the authorization' },
    async allow({ scopes, redirectUri, nonce }, form): Promise<Record<string, string>> {
      const stray = await unauthorizedScope(options, scopes);
      if (stray !== undefined)
        return {
          error: 'unauthorized_scope_error',
          error_description: `Scope "${stray}" is not authorized for your application`,
        };
      const { id: personId } = await memberNamed(options, form.get('username') ?? '');
      const granted = { personId, scopes, redirectUri, nonce };
      return { code: await addCode<AuthCode>(options, `AQ${newPlainSecret(48)}`, CODE_LIFE_MS, granted, personId) };
    },
  });
}

/** Returns a scope of a product that an application with the other requested scopes cannot have. */
async function unauthorizedScope(options: SimulatorOptions, scopes: readonly string[]): Promise<string | undefined> {
  const { allProducts } = await settingsOf(options);
  const among = (product: readonly string[]) => scopes.find((scope) => product.includes(scope));
  return allProducts || !among(SCOPES.identity) ? undefined : among(SCOPES.community);
}

interface Request extends AuthorizationRequest {
  nonce: string | null;
}

/** Parses the authorization request. Returns an error message for the page if it is invalid. */
function readRequest(query: URLSearchParams, clientId: string): Request | string {
  if (query.get('client_id') !== clientId) return 'The passed in client_id is invalid.';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isRedirect(redirectUri)) return 'The redirect_uri does not match the registered value.';
  if (query.get('response_type') !== 'code') return 'The response_type must be "code".';
  // LinkedIn's own client separates scopes by commas, the documentation by spaces.
  const scopes = (query.get('scope') ?? '').split(/[\s,]+/).filter(Boolean);
  if (scopes.length === 0 || !scopes.every((scope) => KNOWN_SCOPES.includes(scope))) return 'A scope is not known.';
  return { scopes: [...new Set(scopes)], redirectUri, state: query.get('state'), nonce: query.get('nonce') };
}

function consentForm(query: URLSearchParams, { scopes }: AuthorizationRequest): string {
  return `<p>A simulated LinkedIn. Nothing leaves this machine. Sign in with any name; you run a page of the same name.</p>
<form method="post" action="?${escapeHtml(query.toString())}">
<label>User name <input name="username" required maxlength="64" autocomplete="off" autofocus></label>
<p>The application asks for:</p><ul>${scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('')}</ul>
<p><button name="decision" value="allow">Allow</button> <button name="decision" value="deny" formnovalidate>Cancel</button></p>
</form>`;
}
