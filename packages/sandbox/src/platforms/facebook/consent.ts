/** The login dialog, where the user selects permissions and Pages. */
import type { Route, SimulatorOptions } from '../../contract.ts';
import { type AuthorizationRequest, authorizationRoutes } from '../../oauth/authorization.ts';
import { consentForm, grantedScopes, isRedirect } from '../../oauth/consent.ts';
import { ownedBy } from '../../store/records.ts';
import { enrolUser, type Grant, KNOWN_PERMISSIONS } from './records.ts';
import { makeCode, makeGrant } from './tokens.ts';

export function dialogRoutes(options: SimulatorOptions): Route[] {
  return authorizationRoutes('/:version/dialog/oauth', {
    title: 'Log in with Facebook (sandbox)',
    errorTitle: 'Sorry, something went wrong.',
    // The redirect URL ends with `#_=_`, a fragment that browsers do not send.
    fragment: '_=_',
    read: ({ query }) => readRequest(query, options.app.clientId),
    form(query, { scopes }) {
      const fields = '<label>Pages, separated by commas (default: one page with your name)<input name="pages"></label>';
      return consentForm(query, { fields, scopes });
    },
    deny: () => ({
      error: 'access_denied',
      error_code: '200',
      error_description: 'Permissions error',
      error_reason: 'user_denied',
    }),
    async allow({ scopes: asked, redirectUri, rerequests }, form) {
      const names = (form.get('pages') ?? '').split(',').filter((name) => name.trim());
      const { userId, pages } = await enrolUser(options, form.get('username') ?? '', names);
      const grants = await ownedBy<Grant>(options, 'grant', userId);
      // A permission that the user has declined is not shown again, unless the request asks for that.
      const declined = (scope: string) => !rerequests && grants[0]?.declined.includes(scope);
      const scopes = grantedScopes(form, asked, ['public_profile']).filter((scope) => !declined(scope));
      const grantId = await makeGrant(options, {
        userId,
        scopes,
        declined: asked.filter((scope) => !scopes.includes(scope)),
        pageIds: pages.map(({ id }) => id),
      });
      return { code: await makeCode(options, grantId, redirectUri) };
    },
  });
}

interface DialogRequest extends AuthorizationRequest {
  /** Whether declined permissions are shown again. */
  rerequests: boolean;
}

/** Parses the dialog request, or returns the error message for the page. */
function readRequest(query: URLSearchParams, clientId: string): DialogRequest | string {
  if (query.get('client_id') !== clientId)
    return 'Invalid App ID: The provided app ID does not look like a valid app ID.';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isRedirect(redirectUri))
    return "URL Blocked: This redirect failed because the redirect URI is not allowed in the app's settings.";
  if ((query.get('response_type') ?? 'code') !== 'code') return 'response_type: this application uses "code".';
  const scopes = (query.get('scope') ?? '').split(/[\s,]+/).filter(Boolean);
  const unknown = scopes.filter((scope) => !KNOWN_PERMISSIONS.includes(scope));
  if (unknown.length > 0) return `Invalid Scopes: ${unknown.join(', ')}.`;
  const state = query.get('state');
  if (!state) return 'state: it is missing.';
  const rerequests = query.get('auth_type') === 'rerequest';
  return { scopes: [...new Set(['public_profile', ...scopes])], redirectUri, state, rerequests };
}
