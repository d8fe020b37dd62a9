/** Client for the versioned API. */
import type { HttpRequest, HttpResponse } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import type { Session } from '../contract.ts';
import { textAt } from '../kit/json.ts';
import { bearer } from '../kit/requests.ts';
import { failureOf } from './classify.ts';

/**
 * Default version (a month) of the API; the operator may set another. Each version is served for at least a year ("API
 * versioning").
 */
const VERSION = '202609';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret' | 'settings' | 'now'>;

/** Builds the headers that every call of the versioned API needs. */
export function headersFor({ secret, settings }: Pick<Session, 'secret' | 'settings'>): Record<string, string> {
  return {
    ...bearer(secret),
    'LinkedIn-Version': settings.apiVersion ?? VERSION,
    'X-Restli-Protocol-Version': '2.0.0',
  };
}

/** @param path includes the query, with URNs escaped @throws PlatformError if the response is not 2xx */
export async function call(
  caller: Caller,
  method: HttpRequest['method'],
  path: string,
  more: { json?: Record<string, unknown>; headers?: Record<string, string> } = {},
): Promise<HttpResponse> {
  const response = await caller.http({
    method,
    url: `${caller.endpoints.api}${path}`,
    headers: { ...headersFor(caller), ...more.headers },
    ...(more.json ? { json: more.json } : {}),
  });
  if (response.status < 200 || response.status > 299)
    throw new PlatformError(forCaller(failureOf(response, caller.now()), caller));
  return response;
}

/** Turns an expired access token into `reconnect` if there is no refresh token. Most applications have none. */
function forCaller(failure: Failure, { secret }: Pick<Session, 'secret'>): Failure {
  if (failure.platformCode !== 'EXPIRED_ACCESS_TOKEN' || textAt(secret, 'refreshToken')) return failure;
  return { ...failure, kind: 'reconnect', detail: 'The access to LinkedIn has run out. Connect the account again.' };
}

export const isOrganization = (urn: string) => urn.startsWith('urn:li:organization:');
