/** Connects oauth4webapi to our HTTP client. */
import type { HttpClient } from '../../outbound/http-client.ts';
import { storableJson } from '../../text.ts';

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
