/**
 * Maps an instance's responses to failures. Messages are in the language of the user's settings, regardless of
 * `Accept-Language` (Mastodon source). Status and format decide; messages count only if they are known to be English.
 */

import { flaw } from '../../messages/media.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { classify, type ErrorTable } from '../kit/classify.ts';
import { waitUntilReset } from '../kit/clock.ts';
import { PERMISSION_MISSING, rateLimited, reconnect, rejected, revoked, transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { say } from './messages.ts';

/** Kind of request. The same status means different things for an upload and for a status. */
export type RequestKind = 'media' | 'status' | 'other';

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

/** Returns the ms to wait. */
export function waitOf(response: HttpResponse, now: number): number {
  return waitUntilReset(response, now, 'x-ratelimit-reset');
}

interface Problem {
  response: HttpResponse;
  code: string;
  message: string;
  kind: RequestKind;
  now: number;
}

const INVALID_STATUSES = [400, 415, 422];
/** Statuses of a request that the server rejects before it acts. */
export const UNACCEPTABLE = [400, 405, 406, 415] as const;

const ERRORS: ErrorTable<Problem> = [
  { status: 401, message: /revoked/i, failure: revoked(say('access_revoked')) },
  { status: 401, failure: reconnect(say('connection_ended')) },
  { status: 403, message: /scope/i, failure: PERMISSION_MISSING },
  { status: 403, failure: rejected('permission', say('account_restricted')) },
  { status: 413, when: ({ kind }) => kind === 'status', failure: rejected('caption', say('text_rejected')) },
  { status: 413, failure: rejected('video', say('video_rejected_for', { flaw: flaw('file_size') })) },
  {
    status: 429,
    failure: ({ response, now }) => rateLimited('account', 'rate', waitOf(response, now), say('rate_limited')),
  },
  {
    when: ({ kind, response }) => kind === 'media' && INVALID_STATUSES.includes(response.status),
    failure: rejected('video', say('video_rejected')),
  },
  {
    code: 'invalid',
    message: /^Validation failed: File\b/,
    when: ({ kind }) => kind === 'status',
    failure: rejected('video', say('video_rejected')),
  },
  { code: 'invalid', when: ({ kind }) => kind === 'status', failure: rejected('caption', say('text_rejected')) },
  {
    code: 'api',
    when: ({ kind, response }) => kind === 'status' && UNACCEPTABLE.some((status) => status === response.status),
    failure: ({ status }) => rejected('other', say('post_rejected', { code: status })),
  },
  { failure: ({ status }) => transient(say('status_unexpected', { status })) },
];

/** Maps a response to a failure. Never throws. @param now ms since the epoch */
export function failureOf(response: HttpResponse, now: number, kind: RequestKind): Failure {
  const message = textAt(response.tryJson(), 'error');
  const requestId = response.headers['x-request-id'] ?? '';
  const problem = { response, code: codeOf(response), message, kind, now };
  return {
    ...classify(ERRORS, /^[\w-]{1,64}$/.test(requestId) ? { ...problem, requestId } : problem),
    platformCode: String(response.status),
  };
}
