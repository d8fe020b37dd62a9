/** A minimal client for X API v2, and the account of a token. */
import type { HttpRequest, HttpResponse } from '../../outbound/http-client.ts';
import { PlatformError } from '../../outbound/platform-error.ts';
import type { AccountFacts, ConnectContext, Json, Session, Tokens } from '../contract.ts';
import { transient } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { bearer } from '../kit/requests.ts';
import { failureOf, type Purpose } from './classify.ts';
import { capabilitiesOf } from './limits.ts';
import { say } from './messages.ts';

export type Caller = Pick<Session, 'http' | 'endpoints' | 'secret' | 'now'>;

/** Calls API v2 and returns the response, even if it is an error. */
export function ask(
  caller: Caller,
  method: HttpRequest['method'],
  path: string,
  more: Pick<HttpRequest, 'json' | 'body' | 'deadlineMs' | 'maxResponseBytes'> = {},
): Promise<HttpResponse> {
  return caller.http({ method, url: `${caller.endpoints.api}${path}`, headers: bearer(caller.secret), ...more });
}

export const isSuccess = ({ status }: HttpResponse) => status >= 200 && status < 300;

/** Returns the `data` of a response. A 200 may also contain nothing but `errors`. @throws PlatformError */
export function dataOf(response: HttpResponse, now: number, purpose: Purpose): Json {
  const data = at(response.tryJson(), 'data');
  if (isSuccess(response) && data !== undefined && data !== null) return data as Json;
  throw new PlatformError(failureOf(response, now, purpose));
}

/** Whether a text is a valid id: 64 bits in decimal digits. */
export const isId = (text: string) => /^[0-9]{1,19}$/.test(text);

const ME = '/2/users/me?user.fields=profile_image_url,subscription_type,protected';

/** Reads the account, and its limits from the subscription. @throws PlatformError */
export async function identify(context: ConnectContext, tokens: Tokens): Promise<AccountFacts> {
  const response = await ask({ ...context, secret: tokens.secret }, 'GET', ME);
  const data = dataOf(response, context.now(), 'other');
  const remoteId = textAt(data, 'id');
  if (!isId(remoteId)) throw new PlatformError(transient(say('account_missing')));
  const username = textAt(data, 'username');
  const isProtected = at(data, 'protected');
  return {
    remoteId,
    username,
    displayName: textAt(data, 'name') || username,
    avatarUrl: textAt(data, 'profile_image_url'),
    capabilities: capabilitiesOf(textAt(data, 'subscription_type')),
    extra: typeof isProtected === 'boolean' ? { protected: isProtected } : {},
  };
}
