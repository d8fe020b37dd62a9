/** A minimal client for Snapchat's Public Profile API, and the profile of a token. */
import type { HttpBody, HttpRequest, HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Json, JsonObject, Session, Tokens } from '../contract.ts';
import { setup } from '../kit/failures.ts';
import { at, listAt, textAt } from '../kit/json.ts';
import { bearer } from '../kit/requests.ts';
import { failureOf } from './classify.ts';
import { capabilities } from './limits.ts';
import { say } from './messages.ts';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret'>;

/**
 * Makes a call that may be repeated.
 * @param path path on the API's host @throws PlatformError unless the body reports full or (for a list) partial success
 */
export async function request(
  caller: Caller,
  method: HttpRequest['method'],
  path: string,
  content: { json?: JsonObject; body?: HttpBody; deadlineMs?: number } = {},
): Promise<HttpResponse> {
  const url = `${caller.endpoints.api}${path}`;
  const response = await caller.http({ method, url, headers: bearer(caller.secret), ...content });
  const body = response.status >= 200 && response.status < 300 ? response.tryJson() : null;
  if (!['SUCCESS', 'PARTIAL'].includes(textAt(body, 'request_status'))) throw new PlatformError(failureOf(response));
  return response;
}

/** The body of a {@link request}. @throws PlatformError */
export async function call(...given: Parameters<typeof request>): Promise<Json> {
  return (await request(...given)).json();
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
  if (!/^[\w-]+$/.test(remoteId)) throw new PlatformError(setup(say('profile_missing')));
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
  const [first] = listAt(body, 'public_profiles').filter(isGood);
  return at(first, 'public_profile') ?? first;
}

/** Whether a list entry is valid. It may have its own status. */
export function isGood(entry: unknown): boolean {
  return ['', 'SUCCESS'].includes(textAt(entry, 'sub_request_status'));
}
