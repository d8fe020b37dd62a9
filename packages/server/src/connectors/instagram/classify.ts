/**
 * Maps Instagram's own error codes to failures (Instagram Platform, "Error codes"). The kit handles the general ones.
 */

import { HOUR, SECOND } from '../../lib/time.ts';
import { flaw } from '../../messages/media.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import { type Failure, PlatformError } from '../../outbound/platform-error.ts';
import { type ErrorRow, findFailure } from '../kit/classify.ts';
import { isFailure, rateLimited, rejected, stillProcessing, transient } from '../kit/failures.ts';
import { type GraphError, graphError, graphFailure } from '../kit/graph.ts';
import { noLongerAccepted } from '../kit/oauth.ts';
import { MAX_MENTIONS } from './limits.ts';
import { say } from './messages.ts';

const NOT_READY_MS = 30 * SECOND;

/** Converts an error response to a {@link Failure}. Never throws. */
export function failureOf(response: HttpResponse): Failure {
  return graphFailure(response, 'Instagram', ownMeaning);
}

/** An invalid token that cannot be refreshed requires a new consent. Returns any other error unchanged. */
export function asEnded(error: unknown, platform: string): unknown {
  if (!isFailure(error, 'tokenExpired')) return error;
  return new PlatformError({ ...error.failure, ...noLongerAccepted(platform) }, { cause: error });
}

/**
 * Returns the code that {@link CommitPlan.responses} matches for `media_publish`. If all subcodes of a code prove the
 * same, it is the code alone. "" if the error is not the Graph API's. Never throws.
 */
export function codeOf(response: HttpResponse): string {
  const error = graphError(response);
  if (!error) return '';
  if (ownSubcode(error.subcode) !== null) return error.name;
  if (error.code >= 200 && error.code <= 299) return '200';
  return [4, 10, 17, 32, 102, 190, 341, 368, 613, 80002].includes(error.code) ? String(error.code) : error.name;
}

/** Why a container failed, from the code in its `status` text; null if unknown. */
export function containerFailure(status: string): Failure | null {
  const subcode = /\b(2207\d{3})\b/.exec(status)?.[1];
  const meaning = subcode === undefined ? null : ownSubcode(Number(subcode));
  return meaning && subcode !== undefined ? { ...meaning, platformCode: subcode } : null;
}

/** Whether the platform could not fetch the video from us. */
export function isUnfetched(failure: Failure): boolean {
  return /(^|\/)(2207052|2207003|2207077)$/.test(failure.platformCode ?? '');
}

/** The daily posts are used up. The window is moving, so the wait is an hour. */
export const DAY_IS_FULL: Failure = rateLimited('account', 'daily', HOUR, say('daily_limit'));

/** Rows by subcode. A missing or unknown subcode is replaced by the one that its code alone stands for. */
const SUBCODES: readonly ErrorRow[] = [
  { code: ['2207003', '2207052', '2207077'], failure: transient(say('video_not_fetched')) },
  {
    code: ['2207001', '2207020', '2207032', '2207053', '2207076', '2207082', '2207085'],
    failure: ({ code }) => transient(say('error_temporary', { code })),
  },
  { code: ['2207006', '2207008'], failure: transient(say('container_unknown'), NOT_READY_MS) },
  { code: '2207027', failure: stillProcessing(say('processing'), NOT_READY_MS) },
  {
    code: ['2207004', '2207005', '2207009', '2207026'],
    failure: rejected('video', say('video_rejected_for', { flaw: flaw('file_format') })),
  },
  { code: '2207010', failure: rejected('caption', say('text_rejected')) },
  { code: '2207040', failure: rejected('caption', say('too_many_mentions', { limit: MAX_MENTIONS })) },
  { code: '2207042', failure: DAY_IS_FULL },
  { code: '2207050', failure: rejected('permission', say('account_restricted')) },
  { code: '2207051', failure: rejected('policy', say('spam_rejected')) },
  { code: '2207081', failure: rejected('other', say('trials_not_allowed')) },
  { code: ['2207023', '2207057'], failure: ({ code }) => rejected('other', say('request_rejected', { code })) },
];

const SUBCODE_OF: Readonly<Record<number, number>> = {
  9: 2207042,
  24: 2207008,
  25: 2207050,
  352: 2207026,
  9004: 2207052,
  9007: 2207027,
  36004: 2207010,
};

function ownMeaning({ code, subcode }: GraphError): Failure | null {
  return ownSubcode(subcode) ?? ownSubcode(SUBCODE_OF[code] ?? null);
}

function ownSubcode(subcode: number | null): Failure | null {
  return subcode === null ? null : findFailure(SUBCODES, { code: String(subcode), message: '' });
}
