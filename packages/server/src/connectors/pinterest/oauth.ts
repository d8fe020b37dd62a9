/** OAuth for Pinterest. */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { readTokenAnswer, tokenAnswer } from '../kit/token-answer.ts';
import { failureOf, NO_LONGER_ACCEPTED } from './classify.ts';

const SCOPES = ['boards:read', 'boards:write', 'pins:read', 'pins:write', 'user_accounts:read'] as const;
/** Lifetime of an access token in seconds if the response gives none. */
const USUAL_LIFE_SECONDS = 86_400;

/**
 * OAuth 2.0 of the v5 API: comma-separated scopes, Basic authentication of the application, no PKCE, no revocation
 * endpoint (the user revokes access in Pinterest's settings).
 */
export const oauth: OAuthFlow = {
  needsApp: true,
  appIdVariable: 'APP_ID',
  asks: [],
  scopes: SCOPES,
  async authorize(context, { state, redirectUri }) {
    const query = new URLSearchParams({
      client_id: appOf(context).clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: SCOPES.join(','),
      state,
    });
    return { url: `${context.endpoints.www}/oauth/?${query}`, kept: {} };
  },
  async exchange(context, { query, redirectUri }) {
    const code = query.get('code');
    if (!code) throw new PlatformError({ kind: 'transient', detail: 'Pinterest came back without a code. Try again.' });
    // Applications created before September 2025 get a continuously renewable refresh token only if they request it.
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, continuous_refresh: 'true' };
    return token(context, form);
  },
  async refresh(context, tokens) {
    const refreshToken = textAt(tokens.secret, 'refreshToken');
    if (!refreshToken) throw new PlatformError(NO_LONGER_ACCEPTED);
    return token(context, { grant_type: 'refresh_token', refresh_token: refreshToken });
  },
  tokensFrom,
};

/** Parses a token response. @throws PlatformError */
function tokensFrom(answer: JsonObject): Tokens {
  return readTokenAnswer(answer, {
    name: 'Pinterest',
    lifeSeconds: USUAL_LIFE_SECONDS,
    refreshLife: 'refresh_token_expires_in',
  });
}

/** Requests tokens. @throws PlatformError */
async function token(context: ConnectContext, form: Record<string, string>): Promise<Tokens> {
  const { clientId, clientSecret } = appOf(context);
  const answer = await context.http({
    method: 'POST',
    url: `${context.endpoints.api}/v5/oauth/token`,
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    form,
  });
  const body = answer.status === 200 || answer.status === 201 ? tokenAnswer(answer.tryJson()) : null;
  if (!body) throw new PlatformError(tokenFailure(answer));
  return tokensFrom(body);
}

const APPLICATION_ERRORS = ['invalid_client', 'unauthorized_client', 'invalid_request', 'invalid_scope'];

/**
 * Maps an error response of the token endpoint: code 283 needs a new consent; any other rejection concerns the
 * application. Standard error codes (RFC 6749, 5.2), which Pinterest is not known to use, keep their standard meaning.
 * Never throws.
 */
export function tokenFailure(answer: HttpAnswer): Failure {
  const failure = failureOf(answer);
  const error = textAt(answer.tryJson(), 'error');
  const isStandard = answer.status >= 400 && answer.status < 500 && failure.platformCode === undefined;
  if (isStandard && error === 'invalid_grant')
    return { ...NO_LONGER_ACCEPTED, status: answer.status, platformCode: error };
  if (isStandard && APPLICATION_ERRORS.includes(error))
    return {
      kind: 'setup',
      detail: `Pinterest refused the application’s request (${error}).`,
      status: answer.status,
      platformCode: error,
    };
  const { kind, platformCode, status = 0 } = failure;
  if (kind === 'rateLimited') return { ...failure, scope: 'app' };
  if (platformCode === undefined || platformCode === '283' || status >= 500 || status < 400)
    return kind === 'tokenExpired' ? { ...failure, kind: 'transient', detail: 'Pinterest answered 401.' } : failure;
  return { ...failure, kind: 'setup', detail: `Pinterest refused the application’s request (${platformCode}).` };
}

function appOf(context: Pick<ConnectContext, 'app'>): { clientId: string; clientSecret: string } {
  if (context.app) return context.app;
  throw new PlatformError({
    kind: 'setup',
    detail: 'No Pinterest application is configured: set PINTEREST_APP_ID and PINTEREST_APP_SECRET.',
  });
}
