/** OAuth for X. */
import { createHash, randomBytes } from 'node:crypto';
import type { HttpAnswer } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { App, ConnectContext, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { readTokenAnswer, tokenAnswer } from '../kit/token-answer.ts';
import { tameWords } from '../kit/words.ts';

/** `offline.access` is required for a refresh token, `media.write` for uploads. */
const SCOPES = ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'] as const;
/** Access token lifetime if the response states none, seconds. */
const LIFE_SECONDS = 7_200;

/** OAuth 2.0 with PKCE for a confidential client (docs.x.com, "OAuth 2.0 Authorization Code Flow with PKCE"). */
export const oauth: OAuthFlow = {
  needsApp: true,
  asks: [],
  scopes: SCOPES,
  async authorize(context, { state, redirectUri }) {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: appOf(context).clientId,
      redirect_uri: redirectUri,
      scope: SCOPES.join(' '),
      state,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    return { url: `${context.endpoints.www}/i/oauth2/authorize?${query}`, kept: { verifier } };
  },
  /** The code expires after 30 seconds. */
  async exchange(context, { query, redirectUri, kept }) {
    const code = query.get('code');
    if (!code) throw new PlatformError({ kind: 'transient', detail: 'X came back without a code. Try again.' });
    const verifier = textAt(kept, 'verifier');
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
    return token(context, form, []);
  },
  /** A refresh token works once. It is invalid as soon as X issues a new one, even if that response is lost. */
  async refresh(context, tokens) {
    const refreshToken = textAt(tokens.secret, 'refreshToken');
    if (!refreshToken) throw new PlatformError(NO_LONGER_ACCEPTED);
    return token(context, { grant_type: 'refresh_token', refresh_token: refreshToken }, tokens.scopes);
  },
  /** Tokens are revoked separately. The refresh token comes first, because it could create new tokens. */
  async revoke(context, tokens) {
    for (const name of ['refreshToken', 'accessToken']) {
      const given = textAt(tokens.secret, name);
      const answer = given && (await post(context, 'revoke', { token: given }));
      // If the token is already invalid, or X refuses for another permanent reason, nothing is left to revoke.
      const failure = answer && answer.status >= 300 ? tokenFailure(answer) : null;
      if (failure?.kind === 'transient' || failure?.kind === 'rateLimited') throw new PlatformError(failure);
    }
  },
  tokensFrom: (answer) => tokensFrom(answer, []),
};

const NO_LONGER_ACCEPTED: Failure = {
  kind: 'reconnect',
  detail: 'X no longer accepts this connection. Connect the account again.',
};

/** @param scopes used if the response names none @throws PlatformError */
function tokensFrom(answer: JsonObject, scopes: readonly string[]): Tokens {
  // Refresh tokens reportedly last about half a year, but no response states it.
  const tokens = readTokenAnswer(answer, { name: 'X', lifeSeconds: LIFE_SECONDS });
  return tokens.scopes.length > 0 ? tokens : { ...tokens, scopes };
}

/** @throws PlatformError */
async function token(context: ConnectContext, form: Record<string, string>, scopes: readonly string[]) {
  const answer = await post(context, 'token', form);
  const body = answer.status === 200 ? tokenAnswer(answer.tryJson()) : null;
  if (!body) throw new PlatformError(tokenFailure(answer));
  return tokensFrom(body, scopes);
}

function post(context: ConnectContext, path: 'token' | 'revoke', form: Record<string, string>): Promise<HttpAnswer> {
  const { clientId, clientSecret } = appOf(context);
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  return context.http({
    method: 'POST',
    url: `${context.endpoints.api}/2/oauth2/${path}`,
    headers: { authorization: `Basic ${basic}` },
    form,
  });
}

const APPLICATION_ERRORS = [
  'invalid_client',
  'unauthorized_client',
  'invalid_scope',
  'unsupported_grant_type',
  'unsupported_response_type',
];

/**
 * Converts a response without a token to a failure (RFC 6749, 5.2). X uses `invalid_request` instead of
 * `invalid_grant`. Its description distinguishes an invalid token or code from a malformed request. Never throws.
 */
export function tokenFailure(answer: HttpAnswer): Failure {
  const body = answer.tryJson();
  const code = tameWords(textAt(body, 'error')).slice(0, 60);
  const said = tameWords(textAt(body, 'error_description'));
  const known = { status: answer.status, ...(code ? { platformCode: code } : {}) };
  const isDead = code === 'invalid_request' && /\b(?:token|authorization code) was invalid/i.test(said);
  if (code === 'invalid_grant' || code === 'access_denied' || isDead) return { ...NO_LONGER_ACCEPTED, ...known };
  if (APPLICATION_ERRORS.includes(code) || code === 'invalid_request')
    return { kind: 'setup', detail: `X refused the application's request (${code}). ${said}`.trim(), ...known };
  if (answer.status === 429)
    return {
      kind: 'rateLimited',
      waitMs: 60_000,
      scope: 'app',
      window: 'rate',
      detail: 'X asks for fewer requests.',
      ...known,
    };
  return { kind: 'transient', detail: `X's sign-in answered ${code || answer.status}.`, ...known };
}

function appOf({ app }: Pick<ConnectContext, 'app'>): App {
  if (app) return app;
  throw new PlatformError({
    kind: 'setup',
    detail: 'No X application is configured: set X_CLIENT_ID and X_CLIENT_SECRET.',
  });
}
