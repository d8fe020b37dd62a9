/**
 * Maps an instance's responses to failures. Messages are in the language of the user's settings, regardless of
 * `Accept-Language` (Mastodon source). Status and format decide; messages count only if they are known to be English.
 */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { platformNow } from '../kit/clock.ts';
import { textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';

/** Wait in ms if no header gives one. */
const UNKNOWN_WAIT_MS = 300_000;
/** Maximum wait in ms. */
const MAX_WAIT_MS = 86_400_000;

/** Kind of request. The same status means different things for an upload and for a status. */
export type Asked = 'media' | 'status' | 'other';

/**
 * Returns a short code for a response to the creation of a status; "" if it is not in the API's format. Only an error
 * that is recognized for certain gets a code that proves something. A message in another language is `api`, and its
 * outcome is verified like a lost response.
 * - `invalid`: the text or the file failed validation. Other records are written after the status, so their "Validation
 *   failed" does not prove that nothing was posted.
 * - `not_processed`: the video is still being processed.
 * - `media_taken`: our video is attached to a post, so an earlier send succeeded, or it is gone.
 */
export function codeOf(response: HttpResponse): string {
  const error = textAt(response.tryJson(), 'error');
  if (error === '') return '';
  if (response.status !== 422) return 'api';
  if (/already attached/i.test(error)) return 'media_taken';
  if (/^Validation failed: (Text|File)\b/.test(error)) return 'invalid';
  return /not finished processing/i.test(error) ? 'not_processed' : 'api';
}

/** Returns the ms to wait, from `Retry-After` or `X-RateLimit-Reset` (ISO 8601 or Unix seconds). */
export function waitOf(response: HttpResponse, now: number): number {
  const after = Number(response.headers['retry-after'] ?? Number.NaN);
  if (Number.isFinite(after) && after >= 0) return Math.min(after * 1000, MAX_WAIT_MS);
  const reset = response.headers['x-ratelimit-reset'] ?? '';
  const at = /^\d+$/.test(reset) ? Number(reset) * 1000 : Date.parse(reset);
  if (Number.isNaN(at)) return UNKNOWN_WAIT_MS;
  const wait = at - platformNow(response, now);
  return Math.min(Math.max(wait, 1_000), MAX_WAIT_MS);
}

/** @param now ms since the epoch */
export function failureOf(response: HttpResponse, now: number, asked: Asked): Failure {
  const error = textAt(response.tryJson(), 'error');
  const said = tameWords(error);
  const requestId = response.headers['x-request-id'] ?? '';
  const common = {
    status: response.status,
    platformCode: String(response.status),
    ...(/^[\w-]{1,64}$/.test(requestId) ? { requestId } : {}),
    detail: `The server answered ${response.status}${said ? `: ${said}` : ''}.`,
  };
  switch (response.status) {
    case 401:
      return { ...common, kind: 'reconnect', ...(/revoked/i.test(error) ? { revoked: true } : {}) };
    case 403:
      return /scope/i.test(error)
        ? { ...common, kind: 'reconnect' }
        : { ...common, kind: 'rejected', what: 'permission' };
    case 413:
      return {
        ...common,
        kind: 'rejected',
        what: asked === 'status' ? 'caption' : 'video',
        detail: 'The file is too large for this server.',
      };
    case 429:
      return { ...common, kind: 'rateLimited', waitMs: waitOf(response, now), scope: 'account', window: 'rate' };
    case 400:
    case 415:
    case 422:
      return refused(common, response, error, asked);
    default:
      return { ...common, kind: 'transient' };
  }
}

function refused(
  common: Pick<Failure, 'detail' | 'status' | 'platformCode' | 'requestId'>,
  response: HttpResponse,
  error: string,
  asked: Asked,
): Failure {
  if (asked === 'media') return { ...common, kind: 'rejected', what: 'video' };
  if (asked === 'other' || codeOf(response) !== 'invalid') return { ...common, kind: 'transient' };
  return { ...common, kind: 'rejected', what: /^Validation failed: File\b/.test(error) ? 'video' : 'caption' };
}
