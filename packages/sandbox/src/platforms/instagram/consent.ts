/** The authorization endpoints of both logins. */
import type { Route, SimulatorOptions, SimulatorRequest } from '../../contract.ts';
import { type AuthorizationRequest, authorizationRoutes } from '../../oauth/authorization.ts';
import { addCode } from '../../oauth/codes.ts';
import { consentForm, grantedScopes, isRedirect } from '../../oauth/consent.ts';
import { newPlainSecret } from '../../oauth/tokens.ts';
import { ownedBy } from '../../store/records.ts';
import { HOUR, MINUTE } from '../../time.ts';
import {
  type AuthCode,
  enrolAccount,
  type Grant,
  KNOWN_SCOPES,
  type Login,
  personOf,
  SCOPES,
  settingsOf,
  VERSIONS,
} from './records.ts';

const CODE_LIFE_MS: Record<Login, number> = { instagram: HOUR, facebook: 10 * MINUTE };
const PATHS: Record<Login, string> = {
  instagram: '/www-instagram/oauth/authorize',
  facebook: '/www-facebook/:version/dialog/oauth',
};
const NAMES: Record<Login, string> = { instagram: 'Instagram', facebook: 'Facebook' };
const LABELS: Record<Login, string> = {
  instagram: 'User name',
  facebook: 'Instagram accounts of your Pages, parted by commas',
};

export function consentRoutes(options: SimulatorOptions, login: Login): Route[] {
  const [always = ''] = SCOPES[login];
  return authorizationRoutes(PATHS[login], {
    title: `Log in with ${NAMES[login]} (sandbox)`,
    // Appended to the redirect URL; browsers do not send it.
    fragment: login === 'instagram' ? '_' : '_=_',
    read: (request) => readRequest(request, options.app.clientId, login),
    form: (query, { scopes }) =>
      consentForm(query, {
        intro: `<p>A simulated ${NAMES[login]}. Nothing leaves this machine. Sign in with any name.</p>\n`,
        label: LABELS[login],
        maxLength: 200,
        fields:
          login === 'facebook' ? '<label>Person (default: the names of the accounts)<input name="person"></label>' : '',
        scopes,
        fixed: [always],
      }),
    deny: () => ({
      error: 'access_denied',
      error_reason: 'user_denied',
      error_description: 'The user denied your request.',
    }),
    async allow({ scopes, redirectUri, again }, form) {
      const { signedIn } = await settingsOf(options);
      const given = (login === 'instagram' && !again && signedIn) || (form.get('username') ?? '');
      const names = login === 'facebook' ? given.split(',').filter((name) => name.trim() !== '') : [given];
      const igIds: string[] = [];
      for (const name of names) igIds.push((await enrolAccount(options, name)).igId);
      const person = personOf((login === 'facebook' && form.get('person')) || given);
      const [before] = login === 'facebook' ? await ownedBy<Grant>(options, 'grant', person) : [];
      // A permission that was declined is not shown again, unless the request asks for that.
      const shown = scopes.filter((scope) => again || !before?.declined.includes(scope));
      const allowed = grantedScopes(form, shown, [always]);
      const declined = scopes.filter((scope) => !allowed.includes(scope));
      const granted = { login, person, igIds, scopes: allowed, declined, redirectUri };
      return { code: await addCode<AuthCode>(options, `AQ${newPlainSecret(48)}`, CODE_LIFE_MS[login], granted) };
    },
  });
}

interface DialogRequest extends AuthorizationRequest {
  /** Facebook shows declined permissions again, and Instagram its sign-in. */
  again: boolean;
}

/** Parses the authorization request, or returns the error message for the page. */
function readRequest({ query, params }: SimulatorRequest, clientId: string, login: Login): DialogRequest | string {
  if (params.version !== undefined && !VERSIONS.includes(params.version)) return 'This version is not available.';
  if (query.get('client_id') !== clientId) return 'Invalid platform app: client_id is unknown.';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isRedirect(redirectUri)) return 'Invalid redirect_uri.';
  if (query.get('response_type') !== 'code') return 'response_type must be "code".';
  const scopes = (query.get('scope') ?? '').split(/[\s,]+/);
  if (!scopes.every((scope) => KNOWN_SCOPES[login].includes(scope))) return 'Invalid Scopes.';
  const again = query.get(login === 'facebook' ? 'auth_type' : 'force_reauth');
  return {
    scopes: [...new Set(scopes)],
    redirectUri,
    state: query.get('state'),
    again: again === 'rerequest' || again === 'true',
  };
}
