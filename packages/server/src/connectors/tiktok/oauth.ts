/** OAuth for TikTok (Login Kit). */
import { createHash, randomBytes } from 'node:crypto';
import type { HttpAnswer } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { readTokenAnswer, tokenAnswer } from '../kit/token-answer.ts';
import { tameWords } from '../kit/words.ts';

const SCOPES = ['user.info.basic', 'user.info.profile', 'video.list', 'video.publish'] as const;
/** Access token lifetime if the response states none: the shortest one documented, in seconds. */
const SHORTEST_LIFE_SECONDS = 7_200;

/**
 * Login Kit sends `client_key` instead of `client_id` and separates scopes with commas. Login Kit for Web has no PKCE.
 * A loopback redirect URI selects Login Kit for Desktop, which requires PKCE with a hexadecimal challenge.
 */
export const oauth: OAuthFlow = {
  needsApp: true,
  appIdVariable: 'CLIENT_KEY',
  asks: [],
  scopes: SCOPES,
  async authorize(context, { state, redirectUri }) {
    const verifier = isLocal(redirectUri) ? randomBytes(32).toString('base64url') : '';
    const query = new URLSearchParams({
      client_key: appOf(context).clientId,
      response_type: 'code',
      scope: SCOPES.join(','),
      redirect_uri: redirectUri,
      state,
      // Without it, a browser with an earlier consent is redirected back at once, so no second account could be
      // connected.
      disable_auto_auth: '1',
      ...(verifier ? { code_challenge: challengeOf(verifier), code_challenge_method: 'S256' } : {}),
    });
    return { url: `${context.endpoints.www}/v2/auth/authorize/?${query}`, kept: { verifier } };
  },
  async exchange(context, { query, redirectUri, kept }) {
    // The code contains characters that URLs escape ("*0!6410"). The form needs it decoded, as the query returns it.
    const code = query.get('code');
    if (!code) throw new PlatformError({ kind: 'transient', detail: 'TikTok came back without a code. Try again.' });
    const verifier = textAt(kept, 'verifier');
    const form = { code, grant_type: 'authorization_code', redirect_uri: redirectUri };
    return token(context, { ...form, ...(verifier ? { code_verifier: verifier } : {}) });
  },
  /** A refresh token works once. It is invalid as soon as TikTok issues a new one, even if that response is lost. */
  async refresh(context, tokens) {
    const refreshToken = textAt(tokens.secret, 'refreshToken');
    if (!refreshToken) throw new PlatformError(NO_LONGER_ACCEPTED);
    return token(context, { grant_type: 'refresh_token', refresh_token: refreshToken });
  },
  async revoke(context, tokens) {
    const answer = await post(context, 'revoke', { token: textAt(tokens.secret, 'accessToken') });
    // If the token is already invalid, or TikTok refuses for another permanent reason, nothing is left to revoke.
    const failure = textAt(answer.tryJson(), 'error') || answer.status >= 400 ? tokenFailure(answer) : null;
    if (failure?.kind === 'transient' || failure?.kind === 'rateLimited') throw new PlatformError(failure);
  },
  tokensFrom,
};

const NO_LONGER_ACCEPTED: Failure = {
  kind: 'reconnect',
  detail: 'TikTok no longer accepts this connection. Connect the account again.',
};

/**
 * Token lifetimes have changed before and differ between apps, so they are read from each response. @throws
 * PlatformError
 */
function tokensFrom(answer: JsonObject): Tokens {
  return readTokenAnswer(answer, {
    name: 'TikTok',
    lifeSeconds: SHORTEST_LIFE_SECONDS,
    refreshLife: 'refresh_expires_in',
  });
}

/** Errors arrive with any status, including 200. Only the presence of a token means success. @throws PlatformError */
async function token(context: ConnectContext, form: Record<string, string>): Promise<Tokens> {
  const answer = await post(context, 'token', form);
  const body = tokenAnswer(answer.tryJson());
  if (!body) throw new PlatformError(tokenFailure(answer));
  return tokensFrom(body);
}

function post(context: ConnectContext, path: 'token' | 'revoke', form: Record<string, string>): Promise<HttpAnswer> {
  const { clientId, clientSecret } = appOf(context);
  return context.http({
    method: 'POST',
    url: `${context.endpoints.api}/v2/oauth/${path}/`,
    form: { client_key: clientId, client_secret: clientSecret, ...form },
  });
}

const APPLICATION_ERRORS = [
  'invalid_client',
  'unauthorized_client',
  'invalid_request',
  'invalid_scope',
  'unsupported_grant_type',
  'unsupported_response_type',
];

/** Converts a response without a token to a failure (RFC 6749, 5.2, in TikTok's flat form). Never throws. */
export function tokenFailure(answer: HttpAnswer): Failure {
  const body = answer.tryJson();
  const code = textAt(body, 'error');
  const requestId = textAt(body, 'log_id');
  const known = {
    status: answer.status,
    ...(code ? { platformCode: code } : {}),
    ...(requestId ? { requestId } : {}),
  };
  if (code === 'invalid_grant' || code === 'access_denied') return { ...NO_LONGER_ACCEPTED, ...known };
  if (APPLICATION_ERRORS.includes(code)) {
    const said = tameWords(textAt(body, 'error_description'));
    return { kind: 'setup', detail: `TikTok refused the application's request (${code}). ${said}`.trim(), ...known };
  }
  if (answer.status === 429)
    return {
      kind: 'rateLimited',
      waitMs: 60_000,
      scope: 'app',
      window: 'rate',
      detail: 'TikTok asks for fewer requests.',
      ...known,
    };
  return { kind: 'transient', detail: `TikTok's sign-in answered ${tameWords(code) || answer.status}.`, ...known };
}

/** Whether a redirect URI belongs to Login Kit for Desktop. */
function isLocal(redirectUri: string): boolean {
  const url = URL.parse(redirectUri);
  return url?.protocol === 'http:' || url?.hostname === 'localhost' || url?.hostname === '127.0.0.1';
}

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('hex');
}

function appOf(context: Pick<ConnectContext, 'app'>): { clientId: string; clientSecret: string } {
  if (context.app) return context.app;
  throw new PlatformError({
    kind: 'setup',
    detail: 'No TikTok application is configured: set TIKTOK_CLIENT_KEY and TIKTOK_CLIENT_SECRET.',
  });
}
