/**
 * The authorization endpoint. Web redirect URIs use https. A loopback redirect URI selects Login Kit for Desktop, which
 * requires PKCE with the challenge in hexadecimal. For the web, PKCE is optional; libraries send base64url.
 */
import type { Route, SimulatorOptions } from '../../contract.ts';
import { type AuthorizationRequest, authorizationRoutes, readScopes } from '../../oauth/authorization.ts';
import { addCode } from '../../oauth/codes.ts';
import { consentForm, grantedScopes, refusalPage } from '../../oauth/consent.ts';
import { newPlainSecret } from '../../oauth/tokens.ts';
import { Refused } from '../../refused.ts';
import { MINUTE } from '../../time.ts';
import { type AuthCode, appSettings, enrolAccount, KNOWN_SCOPES } from './records.ts';

const CODE_LIFE_MS = 10 * MINUTE;
const FIXED = ['user.info.basic'];

type Asked = AuthorizationRequest & Pick<AuthCode, 'challenge'>;

/** Libraries omit the final slash of the path. */
export function consentRoutes(options: SimulatorOptions): Route[] {
  return ['/v2/auth/authorize/', '/v2/auth/authorize'].flatMap((path) => routesAt(options, path));
}

function routesAt(options: SimulatorOptions, path: string): Route[] {
  return authorizationRoutes<Asked>(path, {
    title: 'Log in with TikTok (sandbox)',
    read: ({ query }) => readRequest(query, options.app.clientId),
    form: (query, { scopes }) =>
      consentForm(query, {
        intro: '<p>A simulated TikTok. Nothing leaves this machine. Sign in with any name.</p>\n',
        scopes,
        fixed: FIXED,
      }),
    deny: () => ({ error: 'access_denied', error_description: 'The user denied access.' }),
    async allow(asked, form) {
      const { requiresChallenge = false } = await appSettings(options);
      if (requiresChallenge && asked.challenge === null)
        throw new Refused(refusalPage('Something went wrong. errCode: 10007, error_type: code_challenge'));
      const { openId } = await enrolAccount(options, form.get('username') ?? '');
      const scopes = grantedScopes(form, asked.scopes, FIXED);
      const code = `${newPlainSecret(24)}*0!${6000 + Math.floor(Math.random() * 1000)}`;
      const granted = { openId, scopes, redirectUri: asked.redirectUri, challenge: asked.challenge };
      await addCode<AuthCode>(options, code, CODE_LIFE_MS, granted, openId);
      return { code, scopes: scopes.join(',') };
    },
  });
}

/** Parses the authorization request, or returns the error message for the page. */
function readRequest(query: URLSearchParams, clientKey: string): Asked | string {
  if (query.get('client_key') !== clientKey) return 'client_key: there is no such application.';
  const redirectUri = query.get('redirect_uri') ?? '';
  const kind = kindOfRedirect(redirectUri);
  if (!kind) return 'redirect_uri: it is missing or not allowed.';
  if (query.get('response_type') !== 'code') return 'response_type: it must be "code".';
  const state = query.get('state');
  if (!state) return 'state: it is missing.';
  const scopes = readScopes(query, KNOWN_SCOPES, ',');
  if (typeof scopes === 'string') return scopes;
  const challenge = query.get('code_challenge');
  if (challenge === null && kind === 'desktop') return 'code_challenge: it is missing.';
  if (challenge !== null && query.get('code_challenge_method') !== 'S256')
    return 'code_challenge_method: it must be "S256".';
  const isHex = /^[0-9a-f]{64}$/i.test(challenge ?? '');
  if (challenge !== null && !isHex && (kind === 'desktop' || !/^[\w-]{43}$/.test(challenge)))
    return 'code_challenge: it must be the SHA-256 of the verifier in hexadecimal.';
  return { scopes, redirectUri, state, challenge: isHex ? (challenge?.toLowerCase() ?? null) : challenge };
}

function kindOfRedirect(text: string): 'web' | 'desktop' | null {
  const url = URL.parse(text);
  if (!url || text.length >= 512 || text.includes('?') || text.includes('#')) return null;
  const local = url.hostname === 'localhost' || url.hostname === '127.0.0.1';
  if (local && url.port !== '' && /^https?:$/.test(url.protocol)) return 'desktop';
  return url.protocol === 'https:' ? 'web' : null;
}
