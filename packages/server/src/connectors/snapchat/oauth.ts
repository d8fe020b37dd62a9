/** OAuth for Snapchat. */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { readTokenAnswer, tokenAnswer } from '../kit/token-answer.ts';
import { tameWords } from '../kit/words.ts';

const SCOPES = ['snapchat-profile-api'] as const;
/** Lifetime of an access token in seconds if the response gives none; the shortest documented lifetime. */
const SHORTEST_LIFE_SECONDS = 1_800;

/** OAuth of Snapchat's business API, for allowlisted applications. No PKCE; no known revocation endpoint. */
export const oauth: OAuthFlow = {
  needsApp: true,
  asks: [],
  scopes: SCOPES,
  async authorize(context, { state, redirectUri }) {
    const query = new URLSearchParams({
      client_id: appOf(context).clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: SCOPES.join(' '),
      state,
    });
    return { url: `${context.endpoints.accounts}/login/oauth2/authorize?${query}`, kept: {} };
  },
  async exchange(context, { query, redirectUri }) {
    const code = query.get('code');
    if (!code) throw new PlatformError({ kind: 'transient', detail: 'Snapchat came back without a code. Try again.' });
    return token(context, { grant_type: 'authorization_code', code, redirect_uri: redirectUri });
  },
  /** Keeps the old refresh token if the response has none. Reports differ on whether it rotates. */
  async refresh(context, tokens) {
    const refreshToken = textAt(tokens.secret, 'refreshToken');
    if (!refreshToken) throw new PlatformError(NO_LONGER_ACCEPTED);
    return token(context, { grant_type: 'refresh_token', refresh_token: refreshToken });
  },
  tokensFrom,
};

const NO_LONGER_ACCEPTED: Failure = {
  kind: 'reconnect',
  detail: 'Snapchat no longer accepts this connection. Connect the account again.',
};

/** Treats a missing `scope` as a grant of all requested scopes (RFC 6749, 5.1). @throws PlatformError */
function tokensFrom(answer: JsonObject): Tokens {
  const tokens = readTokenAnswer(answer, {
    name: 'Snapchat',
    lifeSeconds: SHORTEST_LIFE_SECONDS,
    refreshLife: 'refresh_expires_in',
  });
  return answer.scope === undefined ? { ...tokens, scopes: SCOPES } : tokens;
}

/** Requests tokens. @throws PlatformError */
async function token(context: ConnectContext, form: Record<string, string>): Promise<Tokens> {
  const { clientId, clientSecret } = appOf(context);
  const answer = await context.http({
    method: 'POST',
    url: `${context.endpoints.accounts}/login/oauth2/access_token`,
    form: { client_id: clientId, client_secret: clientSecret, ...form },
  });
  const body = answer.status === 200 ? tokenAnswer(answer.tryJson()) : null;
  if (!body) throw new PlatformError(tokenFailure(answer));
  return tokensFrom(body);
}

/** Maps an error response of the token endpoint (RFC 6749, 5.2). Never throws. */
export function tokenFailure(answer: HttpAnswer): Failure {
  const { status } = answer;
  const code = textAt(answer.tryJson(), 'error').slice(0, 60);
  const known = { status, ...(code ? { platformCode: code } : {}) };
  if (status === 429)
    return {
      ...known,
      kind: 'rateLimited',
      waitMs: 60_000,
      scope: 'app',
      window: 'rate',
      detail: 'Snapchat asks for fewer requests.',
    };
  if (code === 'invalid_grant' || code === 'access_denied') return { ...NO_LONGER_ACCEPTED, ...known };
  if (code !== '' && status >= 400 && status < 500) {
    const said = tameWords(textAt(answer.tryJson(), 'error_description'));
    const detail = `Snapchat refused the application’s request (${tameWords(code)}). ${said}`.trim();
    return { ...known, kind: 'setup', detail };
  }
  return { ...known, kind: 'transient', detail: `Snapchat’s sign-in answered ${status}.` };
}

function appOf(context: Pick<ConnectContext, 'app'>): { clientId: string; clientSecret: string } {
  if (context.app) return context.app;
  throw new PlatformError({
    kind: 'setup',
    detail: 'No Snapchat application is configured: set SNAPCHAT_CLIENT_ID and SNAPCHAT_CLIENT_SECRET.',
  });
}
