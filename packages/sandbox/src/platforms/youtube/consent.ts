/** Google's authorization endpoint, where the user can deselect scopes. */
import type { Route, SimulatorOptions } from '../../contract.ts';
import { type AuthorizationRequest, authorizationRoutes, readScopes } from '../../oauth/authorization.ts';
import { addCode } from '../../oauth/codes.ts';
import { consentForm, grantedScopes, isRedirect, refusalPage } from '../../oauth/consent.ts';
import { newSecret } from '../../oauth/tokens.ts';
import { Refused } from '../../refused.ts';
import { MINUTE } from '../../time.ts';
import { type AuthCode, enrolAccount, type Grant, KNOWN_SCOPES, SCOPE_ALIASES } from './records.ts';

const CODE_LIFE_MS = 10 * MINUTE;
const KNOWN_PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'access_type',
  'prompt',
  'include_granted_scopes',
  'enable_granular_consent',
  'login_hint',
  'hd',
  'nonce',
  'code_challenge',
  'code_challenge_method',
];

interface Asked extends AuthorizationRequest {
  challenge: string | null;
  nonce: string | null;
  offline: boolean;
  /** Issues a refresh token even after an earlier consent. */
  anew: boolean;
}

export function consentRoutes(options: SimulatorOptions): Route[] {
  return authorizationRoutes<Asked>('/o/oauth2/v2/auth', {
    title: 'Sign in with Google (sandbox)',
    errorTitle: 'Access blocked',
    read: ({ query }) => readRequest(query, options.app.clientId),
    form: (query, { scopes }) =>
      consentForm(query, {
        intro: '<p>A simulated Google. Nothing leaves this machine. Sign in as any channel.</p>\n',
        label: 'Channel',
        legend: 'Select what the application can access',
        scopes,
        allow: 'Continue',
        deny: 'Cancel',
      }),
    deny: () => ({ error: 'access_denied' }),
    async allow(asked, form): Promise<Record<string, string>> {
      const scopes = grantedScopes(form, asked.scopes);
      if (scopes.length === 0) return { error: 'access_denied' };
      const { channelId } = await enrolAccount(options, form.get('username') ?? '').catch(() => {
        throw new Refused(refusalPage('invalid_request: The user name is missing or cannot be one.', 'Access blocked'));
      });
      const grants = await options.store.list<Grant>('grant', { owner: channelId, limit: 1000 });
      const isFirst = !grants.some(({ value }) => !value.dead);
      const lasting = asked.offline && (asked.anew || isFirst);
      const { redirectUri, challenge, nonce } = asked;
      const granted = { channelId, scopes, redirectUri, challenge, nonce, lasting };
      const code = await addCode<AuthCode>(options, `4/0A${newSecret(36)}`, CODE_LIFE_MS, granted, channelId);
      return { code, scope: scopes.join(' ') };
    },
  });
}

/** Parses the authorization request, or returns the error message for the page. */
function readRequest(query: URLSearchParams, clientId: string): Asked | string {
  const stray = [...query.keys()].find((name) => !KNOWN_PARAMETERS.includes(name));
  if (stray !== undefined) return `invalid_request: ${stray} is not known.`;
  if (query.get('client_id') !== clientId) return 'invalid_client: there is no such client_id.';
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isRedirect(redirectUri)) return 'redirect_uri_mismatch: redirect_uri is missing or not registered.';
  if (query.get('response_type') !== 'code') return 'unsupported_response_type: response_type must be "code".';
  const scopes = readScopes(query, KNOWN_SCOPES, ' ');
  if (typeof scopes === 'string') return `invalid_scope: ${scopes}`;
  if (!['online', 'offline', null].includes(query.get('access_type')))
    return 'invalid_request: access_type must be "online" or "offline".';
  const prompts = (query.get('prompt') ?? '').split(' ').filter(Boolean);
  if (!prompts.every((prompt) => prompt === 'consent' || prompt === 'select_account'))
    return 'invalid_request: prompt must be "consent" or "select_account".';
  const challenge = query.get('code_challenge');
  if (challenge !== null && query.get('code_challenge_method') !== 'S256')
    return 'invalid_request: code_challenge_method must be "S256".';
  if (challenge !== null && !/^[A-Za-z0-9_-]{43}$/.test(challenge))
    return 'invalid_request: code_challenge must be a SHA-256 in base64url.';
  return {
    scopes: scopes.map((scope) => SCOPE_ALIASES[scope] ?? scope),
    nonce: query.get('nonce'),
    redirectUri,
    state: query.get('state'),
    challenge,
    offline: query.get('access_type') === 'offline',
    anew: prompts.includes('consent'),
  };
}
