import { createHash, randomBytes } from 'node:crypto';
import type { AccountFacts, ConnectContext, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { type Failure, PlatformError } from '../kit/failure.ts';
import type { HttpAnswer } from '../kit/http.ts';
import { at, numberAt, textAt } from '../kit/json.ts';
import { call } from './api.ts';
import { capabilities } from './limits.ts';

const SCOPES = ['user.info.basic', 'user.info.profile', 'video.list', 'video.publish'] as const;

/**
 * Login Kit: `client_key` where OAuth says `client_id`, scopes parted by commas. For the web there is no PKCE; a redirect
 * address on this machine is the desktop kit, which wants it, with the challenge in hexadecimal.
 */
export const oauth: OAuthFlow = {
  needsApp: true,
  asks: [],
  scopes: SCOPES,
  async authorize(context, { state, redirectUri }) {
    const verifier = redirectUri.startsWith('http:') ? randomBytes(32).toString('base64url') : '';
    const challenge = createHash('sha256').update(verifier).digest('hex');
    const query = new URLSearchParams({
      client_key: appOf(context).clientId,
      response_type: 'code',
      scope: SCOPES.join(','),
      redirect_uri: redirectUri,
      state,
      ...(verifier ? { code_challenge: challenge, code_challenge_method: 'S256' } : {}),
    });
    return { url: `${context.endpoints.www}/v2/auth/authorize/?${query}`, kept: { verifier } };
  },
  async exchange(context, { query, redirectUri, kept }) {
    const verifier = textAt(kept, 'verifier');
    const answer = await token(context, {
      ...(verifier ? { code_verifier: verifier } : {}),
      code: query.get('code') ?? '',
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
    });
    return tokensFrom(answer);
  },
  async refresh(context, tokens) {
    const refreshToken = textAt(tokens.secret, 'refreshToken');
    return tokensFrom(await token(context, { grant_type: 'refresh_token', refresh_token: refreshToken }));
  },
  async revoke(context, tokens) {
    const app = appOf(context);
    await context.http({
      method: 'POST',
      url: `${context.endpoints.api}/v2/oauth/revoke/`,
      form: { client_key: app.clientId, client_secret: app.clientSecret, token: textAt(tokens.secret, 'accessToken') },
    });
  },
  tokensFrom: (answer) => tokensFrom(answer),
};

/** Lifetimes have changed before and differ between applications, so only the answer's own count. */
function tokensFrom(answer: JsonObject): Tokens {
  const refreshToken = textAt(answer, 'refresh_token');
  return {
    secret: {
      accessToken: textAt(answer, 'access_token'),
      openId: textAt(answer, 'open_id'),
      ...(refreshToken ? { refreshToken } : {}),
    },
    scopes: textAt(answer, 'scope')
      .split(',')
      .map((scope) => scope.trim())
      .filter(Boolean),
    expiresIn: numberAt(answer, 'expires_in'),
    refreshExpiresIn: numberAt(answer, 'refresh_expires_in'),
    service: '',
  };
}

/** Errors may come with status 200: what counts is whether there is a token. @throws PlatformError */
async function token(context: ConnectContext, form: Record<string, string>): Promise<JsonObject> {
  const app = appOf(context);
  const answer = await context.http({
    method: 'POST',
    url: `${context.endpoints.api}/v2/oauth/token/`,
    form: { client_key: app.clientId, client_secret: app.clientSecret, ...form },
  });
  const body = answer.tryJson();
  if (textAt(body, 'access_token')) return body as JsonObject;
  throw new PlatformError(tokenFailure(answer));
}

function tokenFailure(answer: HttpAnswer): Failure {
  const body = answer.tryJson();
  const code = textAt(body, 'error');
  const known = {
    status: answer.status,
    ...(code ? { platformCode: code } : {}),
    ...(textAt(body, 'log_id') ? { requestId: textAt(body, 'log_id') } : {}),
  };
  const said = textAt(body, 'error_description');
  if (code === 'invalid_grant' || code === 'access_denied')
    return {
      kind: 'reconnect',
      detail: 'TikTok no longer accepts this connection. Connect the account again.',
      ...known,
    };
  if (
    ['invalid_client', 'unauthorized_client', 'invalid_request', 'invalid_scope', 'unsupported_grant_type'].includes(
      code,
    )
  )
    return { kind: 'setup', detail: `TikTok refused the application's settings (${code}). ${said}`.trim(), ...known };
  if (answer.status === 429)
    return {
      kind: 'rateLimited',
      waitMs: 60_000,
      scope: 'app',
      window: 'rate',
      detail: 'TikTok asks for fewer requests.',
      ...known,
    };
  return { kind: 'transient', detail: `TikTok's sign-in answered ${code || answer.status}.`, ...known };
}

function appOf(context: Pick<ConnectContext, 'app'>): { clientId: string; clientSecret: string } {
  if (!context.app)
    throw new PlatformError({
      kind: 'setup',
      detail: 'No TikTok application is configured: set TIKTOK_CLIENT_KEY and TIKTOK_CLIENT_SECRET.',
    });
  return context.app;
}

/** Who the account is, and what TikTok lets it do (`creator_info`). */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const session = { http: context.http, endpoints: context.endpoints, secret: tokens.secret };
  const fields = 'open_id,union_id,avatar_url,display_name,username';
  const info = await call(session, 'GET', `/v2/user/info/?fields=${fields}`);
  const creator = await call(session, 'POST', '/v2/post/publish/creator_info/query/', {});
  const options = at(creator, 'privacy_level_options');
  const maxSeconds = numberAt(creator, 'max_video_post_duration_sec');
  return {
    remoteId: textAt(info, 'user', 'open_id'),
    username: textAt(info, 'user', 'username') || textAt(creator, 'creator_username'),
    displayName: textAt(info, 'user', 'display_name') || textAt(creator, 'creator_nickname'),
    avatarUrl: textAt(info, 'user', 'avatar_url'),
    capabilities: maxSeconds ? { ...capabilities, video: { ...capabilities.video, maxSeconds } } : capabilities,
    choices: { privacy: Array.isArray(options) ? options.map(String) : [] },
  };
}
