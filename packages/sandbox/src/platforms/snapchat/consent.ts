/** The authorization endpoint. Scopes are space-separated, and the user can deselect any of them. */
import type { Route, SimulatorOptions } from '../../contract.ts';
import { authorizationRoutes, readAuthorizationRequest } from '../../oauth/authorization.ts';
import { addCode } from '../../oauth/codes.ts';
import { consentForm, grantedScopes } from '../../oauth/consent.ts';
import { newSecret } from '../../oauth/tokens.ts';
import { MINUTE } from '../../time.ts';
import { type AuthCode, enrolProfile, KNOWN_SCOPES } from './records.ts';

const CODE_LIFE_MS = 10 * MINUTE;

export function consentRoutes(options: SimulatorOptions): Route[] {
  return authorizationRoutes('/login/oauth2/authorize', {
    title: 'Snapchat (sandbox)',
    // The platform requires https. Localhost is also allowed, so that the simulator can be used locally.
    read: ({ query }) => readAuthorizationRequest(query, options.app.clientId, KNOWN_SCOPES, ' '),
    form(query, { scopes }) {
      const intro = '<p>A simulated Snapchat. Nothing leaves this machine. Sign in with any name.</p>';
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
