/** A minimal client for the Mastodon API, and what it says about an account and its server. */
import type { HttpClient, HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Endpoints, Json, JsonObject, Session, Tokens } from '../contract.ts';
import { setup } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { withNetworkFailures } from '../kit/network-failures.ts';
import { bearer } from '../kit/requests.ts';
import { failureOf } from './classify.ts';
import { capabilitiesOf } from './limits.ts';
import { say } from './messages.ts';

/** Returns the base URL of the API: the simulator's if configured, else the account's server. */
export function baseOf(endpoints: Endpoints, service: string): string {
  return endpoints.instance ?? service;
}

/** Sends an authenticated GET request. @param path starts with "/" and includes the query @throws NetworkError */
export function ask(session: Session, path: string): Promise<HttpResponse> {
  return session.http({
    method: 'GET',
    url: `${baseOf(session.endpoints, session.service)}${path}`,
    headers: bearer(session.secret),
  });
}

/** Reads the account of the token and its server's limits. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const service = baseOf(context.endpoints, tokens.service);
  const http = withNetworkFailures(context.http);
  const response = await http({
    method: 'GET',
    url: `${service}/api/v1/accounts/verify_credentials`,
    headers: bearer(tokens.secret),
  });
  const account = response.status === 200 ? response.tryJson() : null;
  const [remoteId, username] = [textAt(account, 'id'), textAt(account, 'username')];
  if (!remoteId || !username) throw new PlatformError(failureOf(response, context.now(), 'other'));
  const instance = await describe(http, service);
  const domain = textAt(instance, 'domain') || textAt(instance, 'uri').replace(/^https?:\/\//, '');
  return {
    remoteId,
    username: `@${username}@${handleDomain(service, domain)}`,
    displayName: textAt(account, 'display_name') || username,
    avatarUrl: pictureOf(account),
    capabilities: capabilitiesOf(instance),
    extra: extraOf(account),
    service,
  };
}

/** Returns the instance description, version 2 or 1; null if neither is available. */
export async function describe(http: HttpClient, service: string): Promise<Json> {
  for (const version of ['v2', 'v1']) {
    const response = await http({ method: 'GET', url: `${service}/api/${version}/instance` });
    const instance = response.status === 200 ? response.tryJson() : null;
    if (at(instance, 'configuration') || version === 'v1') return instance;
  }
  return null;
}

function pictureOf(account: Json): string {
  const url = URL.parse(textAt(account, 'avatar'));
  return url && /^https?:$/.test(url.protocol) ? url.href : '';
}

/** Returns the user's default visibility. `direct` is not supported as a default. */
function extraOf(account: Json): JsonObject {
  const privacy = textAt(account, 'source', 'privacy');
  return ['public', 'unlisted', 'private'].includes(privacy) ? { privacy } : {};
}

/**
 * Returns the server's origin from "mastodon.social", "@nora@mastodon.social", or a URL on the server.
 * @throws PlatformError `setup` if the input is not a server
 */
export function serviceFrom(input: string): string {
  const given = input.trim().replace(/^acct:/i, '');
  const host = /^@?[^@/\s]+@([^@/\s]+)$/.exec(given)?.[1] ?? given;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(host) ? host : `https://${host}`);
  // The address guard refuses plain HTTP, except for hosts that the operator allows.
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || !url.hostname || given === '')
    throw new PlatformError(setup(say('server_invalid')));
  return url.origin;
}

/**
 * Returns the domain of an account's handle. A server may use a parent domain of its own host (host social.example.org,
 * handles @nora@example.org). Any other claimed domain is ignored.
 */
export function handleDomain(service: string, claimed: string): string {
  const host = new URL(service).host;
  const domain = claimed.trim().toLowerCase();
  return domain.includes('.') && host.endsWith(`.${domain}`) ? domain : host;
}
