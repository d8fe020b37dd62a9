/** Odd responses that any platform may give, for the tables of `PLATFORM-reading.test.ts`. */
import type { HttpResponse } from '../../src/outbound/http-client.ts';
import { parseJson } from '../../src/outbound/json.ts';

/**
 * Builds a response as connectors receive it. @param body a string is used unchanged, anything else is serialized as
 * JSON
 */
export function responseOf(status: number, body: unknown, headers: Record<string, string> = {}): HttpResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const tryJson = () => {
    try {
      return parseJson(text);
    } catch {
      return null;
    }
  };
  return { status, headers, text, json: () => parseJson(text), tryJson };
}
