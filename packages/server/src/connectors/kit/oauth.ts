/**
 * The authorization code flow (RFC 6749, 4.1) as most platforms implement it, declared as data. A platform that
 * deviates more builds its flow from {@link codeIn}, {@link appOf} and its own requests.
 */
import { createHash, randomBytes } from 'node:crypto';
import { sayOf } from '../../messages/timeline.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { App, ConnectContext, Endpoints, JsonObject, OAuthFlow, Tokens } from '../contract.ts';
import { type AppProbe, probeApp } from './app-check.ts';
import { reconnect, setup, transient } from './failures.ts';
import { textAt } from './json.ts';
import { readTokenResponse, type TokenResponseRules, tokenResponse } from './token-response.ts';

interface AppNames {
  /** Name in messages. */
  name: string;
  /** Prefix of the operator's variables if it is not the connector's id. */
  appName?: string;
  appIdVariable?: OAuthFlow['appIdVariable'];
}

export interface OAuthSpec extends AppNames, TokenResponseRules {
  /** Required scopes. */
  scopes: readonly string[];
  /** Requested too, but an account works without them. */
  optionalScopes?: readonly string[];
  separator: ' ' | ',';
  /** URL of the consent page. */
  consent: (endpoints: Endpoints) => string;
  /** URL of the token endpoint. */
  token: (endpoints: Endpoints) => string;
  /** Further parameters of the consent page and of the code exchange. */
  extra?: { consent?: Record<string, string>; exchange?: Record<string, string> };
  /** Encoding of the SHA-256 challenge (RFC 7636); null: no PKCE for this redirect URI. Absent: no PKCE. */
  pkce?: (redirectUri: string) => 'base64url' | 'hex' | null;
  /** How the application authenticates: with form fields, or with Basic authentication. */
  client: 'form' | 'basic';
  /** Name of the parameter with the application's id. Defaults to `client_id`. */
  idParameter?: string;
  /** Statuses with which a token counts. Defaults to 200. */
  accepts?: (status: number) => boolean;
  /** Corrects the tokens read from a response. */
  adjust?: (tokens: Tokens, response: JsonObject) => Tokens;
  /** Maps a response without a token to a failure. Never throws. */
  failureOf: (response: HttpResponse) => Failure;
  /** How to verify the application without a user. Absent: not possible. */
  probe?: AppProbe;
  /** The revocation endpoint, and the tokens to revoke one after another. Absent: the platform has none. */
  revocation?: { url: (endpoints: Endpoints) => string; tokens: readonly ('accessToken' | 'refreshToken')[] };
}

/** A flow with the functions that a platform may wrap. */
export type DefinedOAuth = OAuthFlow & Required<Pick<OAuthFlow, 'refresh' | 'tokensFrom'>>;

/** Declares the OAuth flow of a platform. */
export function defineOAuth(spec: OAuthSpec): DefinedOAuth {
  const { name, scopes, idParameter = 'client_id', accepts = (status) => status === 200 } = spec;
  const { adjust = (tokens) => tokens, optionalScopes = [] } = spec;
  const requested = [...scopes, ...optionalScopes];
  const tokensFrom = (response: JsonObject): Tokens => adjust(readTokenResponse(response, spec), response);

  function post(
    context: Pick<ConnectContext, 'http' | 'app'>,
    url: string,
    form: Record<string, string>,
  ): Promise<HttpResponse> {
    const { clientId, clientSecret } = appOf(context, spec);
    const request = { method: 'POST', url } as const;
    if (spec.client === 'basic')
      return context.http({ ...request, headers: { authorization: basic(clientId, clientSecret) }, form });
    return context.http({ ...request, form: { [idParameter]: clientId, client_secret: clientSecret, ...form } });
  }

  function sendProbe(
    { http, endpoints }: Pick<ConnectContext, 'http' | 'endpoints'>,
    { method, form }: AppProbe,
    app: App,
  ): Promise<HttpResponse> {
    const url = spec.token(endpoints);
    if (method !== 'GET') return post({ http, app }, url, { ...form });
    const query = { [idParameter]: app.clientId, client_secret: app.clientSecret, ...form };
    return http({ method, url: `${url}?${new URLSearchParams(query)}` });
  }

  async function requestTokens(context: ConnectContext, form: Record<string, string>): Promise<Tokens> {
    const response = await post(context, spec.token(context.endpoints), form);
    const body = accepts(response.status) ? tokenResponse(response.tryJson()) : null;
    if (!body) throw new PlatformError(spec.failureOf(response));
    return tokensFrom(body);
  }

  return {
    needsApp: true,
    ...(spec.appName ? { appName: spec.appName } : {}),
    ...(spec.appIdVariable ? { appIdVariable: spec.appIdVariable } : {}),
    asks: [],
    scopes: requested,
    missingScopes: (granted) => scopes.filter((scope) => !granted.includes(scope)),
    async authorize(context, { state, redirectUri }) {
      const encoding = spec.pkce?.(redirectUri) ?? null;
      const verifier = encoding ? randomBytes(32).toString('base64url') : '';
      const kept: JsonObject = spec.pkce ? { verifier } : {};
      const query = new URLSearchParams({
        [idParameter]: appOf(context, spec).clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: requested.join(spec.separator),
        state,
        ...spec.extra?.consent,
        ...(encoding ? { code_challenge: challengeOf(verifier, encoding), code_challenge_method: 'S256' } : {}),
      });
      return { url: `${spec.consent(context.endpoints)}?${query}`, kept };
    },
    async exchange(context, { query, redirectUri, kept }) {
      const verifier = spec.pkce ? textAt(kept, 'verifier') : '';
      return requestTokens(context, {
        grant_type: 'authorization_code',
        code: codeIn(query, name),
        redirect_uri: redirectUri,
        ...(verifier ? { code_verifier: verifier } : {}),
        ...spec.extra?.exchange,
      });
    },
    async refresh(context, { secret }) {
      const refreshToken = textAt(secret, 'refreshToken');
      if (!refreshToken) throw new PlatformError(noLongerAccepted(name));
      return requestTokens(context, { grant_type: 'refresh_token', refresh_token: refreshToken });
    },
    ...(spec.probe ? { checkApp: checker(spec.probe) } : {}),
    ...(spec.revocation ? { revoke: revoker(spec.revocation) } : {}),
    tokensFrom,
  };

  function checker(probe: AppProbe): NonNullable<OAuthFlow['checkApp']> {
    return (context, app) => probeApp(name, probe, app, (given) => sendProbe(context, probe, given));
  }

  function revoker({ url, tokens }: NonNullable<OAuthSpec['revocation']>): OAuthFlow['revoke'] {
    return async (context, { secret }) => {
      for (const token of tokens.map((each) => textAt(secret, each)).filter(Boolean))
        checkRevocation(await post(context, url(context.endpoints), { token }), spec.failureOf);
    };
  }
}

/** Returns the callback's code. @throws PlatformError if the user returned without one */
export function codeIn(query: URLSearchParams, name: string): string {
  const code = query.get('code');
  if (!code) throw new PlatformError(transient(sayOf(name)('code_missing')));
  return code;
}

/** Returns the operator's application. @throws PlatformError `setup` if none is configured */
export function appOf({ app }: Pick<ConnectContext, 'app'>, { name, appName = name, appIdVariable }: AppNames): App {
  if (app) return app;
  const prefix = appName.toUpperCase();
  const secret = appIdVariable === 'APP_ID' ? 'APP_SECRET' : 'CLIENT_SECRET';
  const idVariable = `${prefix}_${appIdVariable ?? 'CLIENT_ID'}`;
  throw new PlatformError(setup(sayOf(name)('app_missing', { idVariable, secretVariable: `${prefix}_${secret}` })));
}

/** For a consent that only the user can renew. */
export function noLongerAccepted(name: string): Failure {
  return reconnect(sayOf(name)('connection_ended'));
}

/**
 * Checks the response of a revocation endpoint. If the token is already invalid, or the platform refuses for another
 * permanent reason, nothing is left to revoke. @throws PlatformError after a temporary failure
 */
export function checkRevocation(response: HttpResponse, failureOf: (response: HttpResponse) => Failure): void {
  if (response.status < 300 && !textAt(response.tryJson(), 'error')) return;
  const failure = failureOf(response);
  if (failure.kind === 'transient' || failure.kind === 'rateLimited') throw new PlatformError(failure);
}

function basic(clientId: string, clientSecret: string): string {
  return `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
}

function challengeOf(verifier: string, encoding: 'base64url' | 'hex'): string {
  return createHash('sha256').update(verifier).digest(encoding);
}
