/** The authorization endpoint. Scopes are comma-separated; the user can deselect any of them. */
import type { Route, SimulatorOptions } from '../../contract.ts';
import { authorizationRoutes, readAuthorizationRequest } from '../../oauth/authorization.ts';
import { addCode } from '../../oauth/codes.ts';
import { consentForm, grantedScopes } from '../../oauth/consent.ts';
import { newSecret } from '../../oauth/tokens.ts';
import { MINUTE } from '../../time.ts';
import { type AuthCode, enrolAccount, KNOWN_SCOPES } from './records.ts';

const CODE_LIFE_MS = 10 * MINUTE;

/** Libraries omit the final slash of the path. */
export function consentRoutes(options: SimulatorOptions): Route[] {
  return ['/oauth/', '/oauth'].flatMap((path) => routesAt(options, path));
}

function routesAt(options: SimulatorOptions, path: string): Route[] {
  return authorizationRoutes(path, {
    title: 'Pinterest (sandbox)',
    read: ({ query }) => readAuthorizationRequest(query, options.app.clientId, KNOWN_SCOPES, ','),
    form(query, { scopes }) {
      const intro = '<p>A simulated Pinterest. Nothing leaves this machine. Sign in with any name.</p>';
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
