/** Headers of the sandbox's own responses, and the check against forms of other sites. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** No scripts, no frames, nothing from other hosts. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
};
export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' };

/** Whether another site made the browser send this request. */
export function isForeignSite(request: IncomingMessage): boolean {
  return !['same-origin', 'none', undefined].includes(request.headers['sec-fetch-site'] as string | undefined);
}

export function sendNotFound(response: ServerResponse): void {
  const body = { success: false, code: 'not_found', message: 'Not found.' };
  response.writeHead(404, JSON_HEADERS).end(JSON.stringify(body));
}
