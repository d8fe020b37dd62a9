/** A minimal client for Snapchat's Public Profile API, and the profile of a token. */
import type { HttpBody, HttpRequest, HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Json, JsonObject, Session, Tokens } from '../contract.ts';
import { saidAt } from '../kit/clock.ts';
import { setup } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { bearer } from '../kit/requests.ts';
import { failureOf } from './classify.ts';
import { capabilities } from './limits.ts';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret'>;

/** The body returned by {@link callDated}. @throws PlatformError */
export async function call(...request: Parameters<typeof callDated>): Promise<Json> {
  return (await callDated(...request)).body;
}

/**
 * Makes a call that may be repeated. `saidAt` is the time of the response by Snapchat's clock in ms since the epoch, or
 * null. @param path path on the API's host @throws PlatformError unless it reports SUCCESS
 */
export async function callDated(
  caller: Caller,
  method: HttpRequest['method'],
  path: string,
  content: { json?: JsonObject; body?: HttpBody; deadlineMs?: number } = {},
): Promise<{ body: Json; saidAt: number | null }> {
  const url = `${caller.endpoints.api}${path}`;
  const response = await caller.http({ method, url, headers: bearer(caller.secret), ...content });
  return { body: succeeded(response), saidAt: saidAt(response) };
}

/** Returns the body of a response that reports full or (for a list) partial success. @throws PlatformError */
function succeeded(response: HttpResponse): Json {
  const body = response.status >= 200 && response.status < 300 ? response.tryJson() : null;
  const status = textAt(body, 'request_status');
  if (status !== 'SUCCESS' && status !== 'PARTIAL') throw new PlatformError(failureOf(response));
  return body;
}

/**
 * Returns the path of a URL from Snapchat, relative or on the API's host; "" for any other, so that no request goes to
 * another host.
 * @param api base URL of the API
 */
export function ownPath(given: string, api: string): string {
  const path = given.startsWith(`${api}/`) ? given.slice(api.length) : given;
  if (!/^\/[\w!$&'()*+,;=:@%./?~-]+$/.test(path) || path.startsWith('//')) return '';
  return path.split(/[/?]/).some((part) => /^(\.|%2e){1,2}$/i.test(part)) ? '' : path;
}

/** Reads the public profile of the token's account. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const profile = profileIn(await call({ ...context, secret: tokens.secret }, 'GET', '/v1/public_profiles/my_profile'));
  const remoteId = textAt(profile, 'id');
  if (!/^[\w-]+$/.test(remoteId))
    throw new PlatformError(setup('The account has no public profile; only those can be posted to.'));
  const displayName = textAt(profile, 'display_name');
  const username = textAt(profile, 'snap_user_name') || displayName || remoteId;
  return {
    remoteId,
    username,
    displayName: displayName || username,
    avatarUrl: textAt(profile, 'logo_urls', 'original_logo_url'),
    capabilities,
  };
}

/** Extracts the profile from a single object or from a list whose entries have their own status; both forms occur. */
export function profileIn(body: unknown): unknown {
  const alone = at(body, 'public_profile');
  if (alone !== undefined) return alone;
  const listed = at(body, 'public_profiles');
  const found = Array.isArray(listed) ? listed.filter((each) => isGood(each)) : [];
  return at(found[0], 'public_profile') ?? found[0];
}

/** Whether a list entry is valid. It may have its own status. */
export function isGood(entry: unknown): boolean {
  const status = textAt(entry, 'sub_request_status');
  return status === '' || status === 'SUCCESS';
}
