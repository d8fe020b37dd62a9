/** OAuth for YouTube (Google). */
import { createHash, randomBytes } from 'node:crypto';
import type { HttpAnswer } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { App, ConnectContext, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { readTokenAnswer, tokenAnswer } from '../kit/token-answer.ts';
import { wordsOf } from './classify.ts';

/** The minimal scopes for uploading and for reading the channel and the state of videos. */
const SCOPES = [
  'https://www.googleapis.com/auth/youtube.upload',
  'https://www.googleapis.com/auth/youtube.readonly',
] as const;
/** Access token lifetime if the response states none, seconds. */
const USUAL_LIFE_SECONDS = 3_600;

/**
 * Google's OAuth 2.0 for web servers, with PKCE.
 *
 * `access_type=offline` requests a refresh token. `prompt=consent` also issues one to an account that was connected
 * before. Refreshing does not replace the refresh token.
 */
export const oauth: OAuthFlow = {
  needsApp: true,
  appName: 'google',
  asks: [],
  scopes: SCOPES,
  async authorize(context, { state, redirectUri }) {
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: appOf(context).clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: SCOPES.join(' '),
      state,
      access_type: 'offline',
      prompt: 'consent',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    return { url: `${context.endpoints.accounts}/o/oauth2/v2/auth?${query}`, kept: { verifier } };
  },
  async exchange(context, { query, redirectUri, kept }) {
    const code = query.get('code');
    if (!code) throw new PlatformError({ kind: 'transient', detail: 'Google came back without a code. Try again.' });
    const verifier = textAt(kept, 'verifier');
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
    const tokens = await token(context, form);
    if (textAt(tokens.secret, 'refreshToken')) return tokens;
    throw new PlatformError({
      kind: 'reconnect',
      detail:
        'Google gave access for an hour only. Take the access back at myaccount.google.com/permissions, then connect again.',
    });
  },
  async refresh(context, tokens) {
    const refreshToken = textAt(tokens.secret, 'refreshToken');
    if (!refreshToken) throw new PlatformError(NO_LONGER_ACCEPTED);
    return token(context, { grant_type: 'refresh_token', refresh_token: refreshToken });
  },
  /**
   * Google revokes everything that the user has granted to the app, including access to other channels of the same
   * user.
   */
  async revoke(context, tokens) {
    const { secret } = tokens;
    const answer = await context.http({
      method: 'POST',
      url: `${context.endpoints.oauth}/revoke`,
      form: { token: textAt(secret, 'refreshToken') || textAt(secret, 'accessToken') },
    });
    // If the token is already invalid, or Google refuses for another permanent reason, nothing is left to revoke.
    const failure = answer.status === 200 ? null : tokenFailure(answer);
    if (failure?.kind === 'transient' || failure?.kind === 'rateLimited') throw new PlatformError(failure);
  },
  tokensFrom,
};

const NO_LONGER_ACCEPTED: Failure = {
  kind: 'reconnect',
  detail: 'Google no longer accepts this connection. Connect the account again.',
};

/** @throws PlatformError */
function tokensFrom(answer: JsonObject): Tokens {
  return readTokenAnswer(answer, {
    name: 'Google',
    lifeSeconds: USUAL_LIFE_SECONDS,
    refreshLife: 'refresh_token_expires_in',
  });
}

/** @throws PlatformError */
async function token(context: ConnectContext, form: Record<string, string>): Promise<Tokens> {
  const { clientId, clientSecret } = appOf(context);
  const answer = await context.http({
    method: 'POST',
    url: `${context.endpoints.oauth}/token`,
    form: { client_id: clientId, client_secret: clientSecret, ...form },
  });
  const body = answer.status === 200 ? tokenAnswer(answer.tryJson()) : null;
  if (!body) throw new PlatformError(tokenFailure(answer));
  return tokensFrom(body);
}

const APPLICATION_ERRORS = [
  'invalid_client',
  'deleted_client',
  'disabled_client',
  'unauthorized_client',
  'invalid_request',
  'invalid_scope',
  'redirect_uri_mismatch',
  'unsupported_grant_type',
  'org_internal',
];

/** Converts a response without a token to a failure (RFC 6749, 5.2). Never throws. */
export function tokenFailure(answer: HttpAnswer): Failure {
  const body = answer.tryJson();
  const given = textAt(body, 'error');
  const code = /^[\w.-]{1,60}$/.test(given) ? given : '';
  const known = { status: answer.status, ...(code ? { platformCode: code } : {}) };
  if (['invalid_grant', 'invalid_token', 'access_denied', 'admin_policy_enforced'].includes(code))
    return { ...NO_LONGER_ACCEPTED, ...known };
  if (APPLICATION_ERRORS.includes(code)) {
    const said = wordsOf(textAt(body, 'error_description'));
    return { kind: 'setup', detail: `Google refused the application's request (${code}). ${said}`.trim(), ...known };
  }
  if (answer.status === 429 || code === 'rate_limit_exceeded')
    return {
      kind: 'rateLimited',
      waitMs: 60_000,
      scope: 'app',
      window: 'rate',
      detail: 'Google asks for fewer requests.',
      ...known,
    };
  return { kind: 'transient', detail: `Google's sign-in answered ${code || answer.status}.`, ...known };
}

/** @throws PlatformError `setup` */
function appOf(context: Pick<ConnectContext, 'app'>): App {
  if (context.app) return context.app;
  throw new PlatformError({
    kind: 'setup',
    detail: 'No Google application is configured: set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET.',
  });
}
