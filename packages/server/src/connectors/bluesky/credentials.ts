/**
 * Login with an app password (docs.bsky.app, createSession). The password is not stored; a session can be refreshed for
 * 90 days.
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { ConnectContext, CredentialsFlow, Json, JsonObject, Tokens } from '../contract.ts';
import { reconnect, rejected, revoked, setup, transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { withNetworkFailures } from '../kit/network-failures.ts';
import { codeOf, failureOf } from './classify.ts';
import { identifierFrom, resolveDid, resolveIdentity, serviceFrom } from './identity.ts';
import { say } from './messages.ts';
import { xrpcUrl } from './pds.ts';

/** Lifetime of an access token in seconds if its claims cannot be read. */
const USUAL_LIFE_SECONDS = 7_200;

export const flow: CredentialsFlow = {
  fields: [
    {
      name: 'identifier',
      title: { en: 'Handle', de: 'Handle' },
      hint: { en: 'For example nora.bsky.social.', de: 'Zum Beispiel nora.bsky.social.' },
      secret: false,
      required: true,
    },
    {
      name: 'secret',
      title: { en: 'App password', de: 'App-Passwort' },
      hint: {
        en: 'Not the password that you sign in with: [create an app password](https://bsky.app/settings/app-passwords).',
        de: 'Nicht das Passwort, mit dem du dich anmeldest: [App-Passwort anlegen](https://bsky.app/settings/app-passwords).',
      },
      secret: true,
      required: true,
    },
    {
      name: 'service',
      title: { en: 'Server', de: 'Server' },
      hint: { en: 'Only if the handle does not lead to it.', de: 'Nur falls der Handle nicht zu ihm führt.' },
      secret: false,
      required: false,
    },
  ],
  open,
  refresh,
  revoke,
};

async function open(context: ConnectContext, input: Record<string, string>): Promise<Tokens> {
  const identifier = identifierFrom(input.identifier ?? '');
  const named = input.service ? serviceFrom(input.service) : undefined;
  const found = await resolveIdentity(context, identifier, named);
  const response = await withNetworkFailures(context.http)({
    method: 'POST',
    url: xrpcUrl(found.pds, 'com.atproto.server.createSession'),
    json: { identifier: found.did, password: input.secret ?? '' },
  });
  if (response.status !== 200) throw new PlatformError(loginFailure(response, context.now()));
  const tokens = tokensFrom(response.tryJson(), found.pds);
  if (textAt(tokens.secret, 'did') === found.did) return tokens;
  throw new PlatformError(setup(say('other_account')));
}

async function refresh(context: ConnectContext, tokens: Tokens): Promise<Tokens> {
  const renewAt = (service: string) =>
    withNetworkFailures(context.http)({
      method: 'POST',
      url: xrpcUrl(service, 'com.atproto.server.refreshSession'),
      headers: { authorization: `Bearer ${textAt(tokens.secret, 'refreshToken')}` },
    });
  const response = await renewAt(tokens.service);
  if (response.status === 200) return tokensFrom(response.tryJson(), tokens.service);
  if (response.status === 429 || response.status >= 500) throw new PlatformError(failureOf(response, context.now()));
  // Accounts move between servers. Within Bluesky's hosts their sessions remain valid.
  const { pds } = await resolveDid(context, textAt(tokens.secret, 'did'));
  const moved = pds !== tokens.service;
  const second = moved ? await renewAt(pds) : response;
  if (second.status === 200) return tokensFrom(second.tryJson(), pds);
  const failure = failureOf(second, context.now());
  // An invalid refresh token cannot be renewed.
  if (failure.kind !== 'tokenExpired' && failure.kind !== 'reconnect') throw new PlatformError(failure);
  const wasRevoked = /revoked/i.test(textAt(second.tryJson(), 'message'));
  const detail = say(moved ? 'session_moved' : 'connection_ended');
  throw new PlatformError({ ...failure, ...(wasRevoked ? revoked(detail) : reconnect(detail)) });
}

async function revoke(context: ConnectContext, tokens: Tokens): Promise<void> {
  const response = await withNetworkFailures(context.http)({
    method: 'POST',
    url: xrpcUrl(tokens.service, 'com.atproto.server.deleteSession'),
    headers: { authorization: `Bearer ${textAt(tokens.secret, 'refreshToken')}` },
  });
  const failure = response.status === 200 ? null : failureOf(response, context.now());
  if (failure && failure.kind !== 'tokenExpired' && failure.kind !== 'reconnect') throw new PlatformError(failure);
}

/** @throws PlatformError if the response has no access token */
function tokensFrom(response: Json, service: string): Tokens {
  const accessToken = textAt(response, 'accessJwt');
  const refreshToken = textAt(response, 'refreshJwt');
  if (!accessToken) throw new PlatformError(transient(say('token_missing')));
  const secret: JsonObject = { accessToken, did: textAt(response, 'did') };
  if (refreshToken) secret.refreshToken = refreshToken;
  return {
    secret,
    scopes: [],
    expiresIn: lifeOf(accessToken) ?? USUAL_LIFE_SECONDS,
    refreshExpiresIn: lifeOf(refreshToken),
    service,
  };
}

/** Returns a JWT's lifetime in seconds from its claims; null if it is not such a JWT. */
function lifeOf(token: string): number | null {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'));
    const { iat, exp } = claims as { iat?: unknown; exp?: unknown };
    return typeof iat === 'number' && typeof exp === 'number' && exp > iat ? exp - iat : null;
  } catch {
    return null;
  }
}

function loginFailure(response: HttpResponse, now: number): Failure {
  const code = codeOf(response);
  const common = { status: response.status, ...(code ? { platformCode: code } : {}) };
  if (code === 'AuthFactorTokenRequired') return { ...common, ...setup(say('app_password_required')) };
  if (code === 'AuthenticationRequired') return { ...common, ...rejected('permission', say('login_rejected')) };
  const failure = failureOf(response, now);
  return failure.kind === 'tokenExpired' ? { ...common, ...setup(failure.detail) } : failure;
}
