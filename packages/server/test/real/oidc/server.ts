/**
 * An independent authorization server: oidc-provider on 127.0.0.1, strictly standard. It supports PKCE with S256 where
 * requested, revocation (RFC 7009), introspection (RFC 7662), and one protected resource, `/me`. Redirect URIs must
 * match exactly. Refresh tokens work once; reuse ends the whole grant.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Provider, { interactionPolicy } from 'oidc-provider';
import { createMemory } from './memory.ts';

/** Client authentication methods of RFC 6749 (2.3.1). */
export type ClientKind = 'basic' | 'post';

export interface OidcOptions {
  redirectUri: string;
  scopes: readonly string[];
  /** False for platforms without PKCE. */
  pkce?: boolean;
  /** Paths that replace the server's own. */
  routes?: { authorization?: string; token?: string; revocation?: string };
  /** Additional clients besides the two default ones, as RFC 7591 metadata. */
  applications?: readonly Record<string, unknown>[];
  /**
   * AT Protocol requirements for authorization servers: only pushed requests, DPoP with nonces, `sub` in token
   * responses.
   */
  atproto?: boolean;
  /**
   * JSON documents by path.
   * @param url the server's own URL
   */
  documents?(url: string): Record<string, unknown>;
}

/** A fault for the next request to the token endpoint. */
export type Trouble =
  /** Rejected before anything is done. */
  | { kind: 'unavailable'; body: string }
  /** Executed, but the connection breaks before the response. */
  | { kind: 'lost' }
  /** Not started before the promise resolves. */
  | { kind: 'held'; until: Promise<void> };

export interface Oidc {
  url: string;
  clients: Record<ClientKind, { clientId: string; clientSecret: string }>;
  /** Requested paths in order of arrival. */
  requests: string[];
  /** Number of requests to the token endpoint. */
  tokenCalls(): number;
  troubleNext(trouble: Trouble): void;
  /** Ages all tokens and grants by `ms`. */
  age(ms: number): void;
  /** Revokes all access, as a user does in the settings. */
  revokeAll(): void;
  /** Whether the server considers a token active. */
  isActive(token: unknown): Promise<boolean>;
  /** Unexpected errors. */
  errors: unknown[];
  close(): Promise<void>;
}

/** Lifetime of an access token as stated in the response, in seconds. */
export const LIFE_SECONDS = 3_600;
const INTROSPECTION = '/introspection';
const DAY_SECONDS = 86_400;

export async function startOidc(options: OidcOptions): Promise<Oidc> {
  const server = http.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients = { basic: newClient('basic'), post: newClient('post') };
  const memory = createMemory();
  const provider = new Provider(url, configurationOf(options, clients, memory.drawer));
  const tokenPath = options.routes?.token ?? '/token';
  if (options.atproto) nameSubject(provider);
  const handle = provider.callback();
  const requests: string[] = [];
  const errors: unknown[] = [];
  const troubles: Trouble[] = [];
  provider.on('server_error', (_context, error) => errors.push(error));
  const documents = options.documents?.(url) ?? {};

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '', url);
    requests.push(pathname);
    if (pathname.startsWith('/interaction/')) return interact(provider, request, response);
    if (pathname === '/me') return showAccount(provider, request, response);
    if (pathname in documents) return show(response, documents[pathname]);
    const trouble = pathname === tokenPath ? troubles.shift() : undefined;
    if (trouble?.kind === 'unavailable') return void response.writeHead(503).end(trouble.body);
    if (trouble?.kind === 'held') await trouble.until;
    if (trouble?.kind === 'lost') response.end = () => response.destroy();
    return handle(request, response);
  };
  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      errors.push(error);
      response.destroy();
    });
  });
  return {
    url,
    clients,
    requests,
    errors,
    tokenCalls: () => requests.filter((path) => path === tokenPath).length,
    troubleNext: (trouble) => void troubles.push(trouble),
    age: memory.age,
    revokeAll: memory.revokeAll,
    async isActive(token) {
      const { clientId, clientSecret } = clients.post;
      const body = new URLSearchParams({ token: String(token), client_id: clientId, client_secret: clientSecret });
      const answered = await fetch(`${url}${INTROSPECTION}`, { method: 'POST', body });
      return ((await answered.json()) as { active: boolean }).active;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function newClient(kind: ClientKind) {
  return { clientId: `client-${kind}`, clientSecret: randomBytes(24).toString('hex') };
}

function configurationOf(
  { redirectUri, scopes, routes = {}, pkce = true, applications = [], atproto = false }: OidcOptions,
  clients: Oidc['clients'],
  adapter: ReturnType<typeof createMemory>['drawer'],
) {
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  return {
    adapter,
    clients: [
      ...Object.entries(clients).map(([kind, { clientId, clientSecret }]) => ({
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: `client_secret_${kind}`,
      })),
      ...applications,
    ],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256',
    },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
    cookies: { keys: [randomBytes(16).toString('hex')] },
    jwks: { keys: [{ ...key, kid: 'one', alg: 'ES256', use: 'sig' }] },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: { enabled: true, allowedPolicy: (_: unknown, client: Named, token: Named) => isOwn(client, token) },
      introspection: { enabled: true, allowedPolicy: () => true },
      rpInitiatedLogout: { enabled: false },
      dPoP: { enabled: atproto, nonceSecret: randomBytes(32), requireNonce: () => true },
      pushedAuthorizationRequests: { enabled: atproto, requirePushedAuthorizationRequests: atproto },
    },
    findAccount: async (_: unknown, id: string) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    interactions: { policy: prompts(), url: async (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    issueRefreshToken: async () => true,
    expiresWithSession: async () => false,
    rotateRefreshToken: true,
    pkce: { required: () => pkce },
    renderError: async (
      context: { type: string; body: string },
      out: { error: string; error_description?: string },
    ) => {
      context.type = 'text';
      context.body = `${out.error}: ${out.error_description ?? ''}`;
    },
    responseTypes: ['code'],
    routes: { ...routes, introspection: INTROSPECTION },
    scopes: [...scopes],
    ttl: {
      AccessToken: LIFE_SECONDS,
      AuthorizationCode: 60,
      ClientCredentials: LIFE_SECONDS,
      Grant: 14 * DAY_SECONDS,
      IdToken: LIFE_SECONDS,
      Interaction: LIFE_SECONDS,
      RefreshToken: 14 * DAY_SECONDS,
      Session: DAY_SECONDS,
    },
  };
}

/** The usual prompts, and the choice of an account, which OpenID Connect Core 3.1.2.1 names too. */
function prompts(): unknown {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }));
  return policy;
}

interface Named {
  clientId: string;
}

function isOwn(client: Named, token: Named): boolean {
  return client.clientId === token.clientId;
}

/** Sign-in and consent on one page: GET shows it, POST submits the checked scopes. */
async function interact(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const asked = (params.scope ?? '').split(' ');
  if (request.method === 'GET') return show(response, { asked });
  const form = new URLSearchParams(await text(request));
  const finish = (result: Record<string, unknown>) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  if (form.get('decision') !== 'allow')
    return finish({ error: 'access_denied', error_description: 'The owner of the account said no.' });
  const accountId = form.get('username') ?? '';
  const ticked = form.getAll('granted');
  const grant = new provider.Grant({ accountId, clientId: params.client_id ?? '' });
  grant.addOIDCScope(asked.filter((scope) => ticked.includes(scope)).join(' '));
  grant.rejectOIDCScope(asked.filter((scope) => !ticked.includes(scope)).join(' '));
  return finish({ select_account: {}, login: { accountId }, consent: { grantId: await grant.save() } });
}

/** Returns the owner of an access token. */
async function showAccount(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const token = await provider.AccessToken.find((request.headers.authorization ?? '').replace(/^Bearer /, ''));
  const good = token !== undefined && !token.isExpired;
  show(response, good ? { user: token.accountId } : { error: 'invalid_token' }, good ? 200 : 401);
}

function show(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Adds the account to token responses, which is not part of RFC 6749. */
function nameSubject(provider: Provider): void {
  provider.use(async (context, next) => {
    await next();
    const account = context.oidc?.entities.Account;
    if (context.oidc?.route === 'token' && account && context.status === 200)
      context.body = { ...context.body, sub: account.accountId };
  });
}
