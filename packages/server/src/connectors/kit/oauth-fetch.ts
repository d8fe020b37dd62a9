/** Connects oauth4webapi to our HTTP client and our failures. */
import * as oauth from 'oauth4webapi';
import { storableJson } from '../../lib/text.ts';
import { sayOf } from '../../messages/timeline.ts';
import type { HttpClient } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { rejected, setup, transient, withWords } from './failures.ts';
import { tameWords } from './words.ts';

/** Options that oauth4webapi passes to `customFetch`. */
export interface OAuthFetchInit {
  body?: unknown;
  headers: Record<string, string>;
  method: string;
}

/**
 * Adapts our HTTP client to oauth4webapi. Its requests then also have a deadline and the address guard, and follow no
 * redirects. Supports only form and text bodies, which is all that token endpoints need.
 */
export function oauthFetch(http: HttpClient): (url: string, init: OAuthFetchInit) => Promise<Response> {
  return async (url, { method, headers, body }) => {
    const text = body === undefined || body === null ? null : String(body);
    const response = await http({
      method: method as 'GET' | 'POST',
      url,
      headers: { ...headers },
      ...(text === null
        ? {}
        : { body: { kind: 'bytes', bytes: text, type: 'application/x-www-form-urlencoded;charset=UTF-8' } }),
    });
    const empty = response.status === 204 || response.status === 205 || response.status === 304;
    return new Response(empty ? null : storableText(response.text), {
      status: response.status,
      headers: response.headers,
    });
  };
}

/** Removes U+0000 and lone surrogates from JSON. Other text is unchanged. */
function storableText(text: string): string {
  try {
    return JSON.stringify(storableJson(JSON.parse(text)));
  } catch {
    return text;
  }
}

/**
 * Maps an error of oauth4webapi to a failure. A response that is not OAuth is transient.
 * @param bodyFailure maps the error body of a token endpoint
 */
export function libraryFailure(
  error: unknown,
  platform: string,
  bodyFailure: (error: oauth.ResponseBodyError) => Failure,
): Failure {
  const say = sayOf(platform);
  if (error instanceof oauth.AuthorizationResponseError) {
    const { error: code } = error;
    const denied = code === 'access_denied';
    const failure = denied ? rejected('permission', say('access_denied')) : setup(say('app_rejected', { code }));
    return { ...failure, platformCode: code };
  }
  if (error instanceof oauth.ResponseBodyError) {
    const failure = withWords(bodyFailure(error), tameWords(error.error_description ?? ''));
    return { ...failure, platformCode: error.error, status: error.status };
  }
  return transient(say('platform_response_invalid'));
}
