/** Maps Facebook's own error codes to failures, on top of the Graph API's ("Reels Publishing", "Handling errors"). */

import { HOUR, SECOND } from '../../lib/time.ts';
import { type FlawName, flaw } from '../../messages/media.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { type ErrorRow, findFailure, rowsOf } from '../kit/classify.ts';
import { rateLimited, rejected, setup, transient, withWords } from '../kit/failures.ts';
import { graphFailure, graphTokenFailure, isUnauthorized, uploadRefusal } from '../kit/graph.ts';
import { say } from './messages.ts';

const NAME = 'Facebook';
/** "Video Upload Is Missing": the finish arrived before the upload was complete. */
const NOT_UPLOADED = '1363130';
const NOT_UPLOADED_WAIT_MS = 10 * SECOND;

/** Converts an error response of the Graph API to a {@link Failure}. Never throws. */
export function failureOf(response: HttpResponse): Failure {
  return graphFailure(response, NAME, (error) => ownMeaning([error.code, error.subcode ?? 0], error.words));
}

/** Converts the error of a phase to a failure. It has a code or only a message. With any error, nothing was posted. */
export function failureOfPhase(code: number, words: string): Failure {
  const failure = ownMeaning([code], words) ?? rejected('video', say('video_not_processed'));
  return { ...withWords(failure, words), ...(code ? { platformCode: String(code) } : {}) };
}

/** Converts an error of the token endpoint. Never throws. */
export function tokenFailure(response: HttpResponse): Failure {
  return graphTokenFailure(
    response,
    NAME,
    ({ code, subcode }) => code === 190 || subcode === 36_007 || subcode === 36_009,
  );
}

/**
 * Why the upload host did not accept a transfer. `stray`: its offset differs from ours. `lost`: this upload cannot
 * complete.
 */
export type TransferRefusal = { is: 'stray' | 'token' } | { is: 'lost' | 'other'; failure: Failure };

/** Parses a response of the upload host, which has its own error format. Never throws. */
export function transferRefusal(response: HttpResponse): TransferRefusal {
  const refusal = uploadRefusal(response);
  if (!refusal) {
    const failure = failureOf(response);
    return failure.kind === 'tokenExpired' ? { is: 'token' } : { is: 'other', failure };
  }
  const { type, words, retriable } = refusal;
  const { status } = response;
  if (isUnauthorized(refusal)) return { is: 'token' };
  if (type === 'OffsetInvalidError' || type === 'PartialRequestError') return { is: 'stray' };
  if (type === 'ProcessingFailedError' || (type && !retriable))
    return { is: 'lost', failure: withWords(transient(say('upload_failed')), words) };
  const failure = transient(type ? say('error_temporary', { code: type }) : say('status_unexpected', { status }));
  return { is: 'other', failure: { ...failure, status } };
}

/** Error numbers for video problems. They appear as code or as subcode. */
export const VIDEO_FLAWS: Readonly<Record<number, FlawName>> = {
  1363040: 'aspect_ratio',
  1363127: 'frame_size',
  1363128: 'duration',
  1363129: 'frame_rate',
};

const NUMBERS: readonly ErrorRow[] = [
  ...Object.entries(VIDEO_FLAWS).map(([code, name]) => ({
    code,
    failure: rejected('video', say('video_rejected_for', { flaw: flaw(name) })),
  })),
  // Facebook does not have the upload yet, or has just lost it. Nothing was published.
  { code: [NOT_UPLOADED], failure: transient(say('upload_incomplete'), NOT_UPLOADED_WAIT_MS) },
  {
    code: ['1363030', '1363047', '1609010'],
    failure: ({ code }) => transient(say('error_temporary', { code })),
  },
  { code: ['1346003', '1404102'], failure: rejected('policy', say('policy_rejected')) },
  { code: '1404082', failure: rejected('duplicate', say('duplicate_rejected')) },
  { code: '1390008', failure: rateLimited('account', 'daily', 12 * HOUR, say('posting_too_fast')) },
  ...rowsOf(setup, {
    1404078: say('page_authorization_missing'),
    1404006: say('owner_action_required'),
    1404112: say('owner_action_required'),
    4854002: say('owner_action_required'),
  }),
];

/** @param numbers the code, and the subcode if there is one */
function ownMeaning(numbers: readonly number[], message: string): Failure | null {
  for (const number of numbers) {
    const known = findFailure(NUMBERS, { code: String(number), message });
    if (known) return known;
  }
  // This error has no number of its own.
  const mayNotPublish = numbers[0] === 100 && /permission to publish/i.test(message);
  return mayNotPublish ? rejected('permission', say('page_not_allowed')) : null;
}
