/** Response builders in the format of Google APIs: the Data API's error body and OAuth's flat one. */

import type { SimulatorResponse } from '../../contract.ts';
import { Refused } from '../../http/refused.ts';
import type { JsonObject } from '../../json.ts';

/** HTTP status and domain by reason (Data API, "Errors"). */
const REASONS = {
  authError: [401, 'global'],
  youtubeSignupRequired: [401, 'youtube.header'],
  quotaExceeded: [403, 'youtube.quota'],
  rateLimitExceeded: [403, 'usageLimits'],
  userRateLimitExceeded: [403, 'usageLimits'],
  uploadLimitExceeded: [400, 'youtube.video'],
  invalidTitle: [400, 'youtube.video'],
  invalidDescription: [400, 'youtube.video'],
  invalidTags: [400, 'youtube.video'],
  invalidCategoryId: [400, 'youtube.video'],
  invalidVideoMetadata: [400, 'youtube.video'],
  invalidPublishAt: [400, 'youtube.video'],
  invalidFilename: [400, 'youtube.video'],
  mediaBodyRequired: [400, 'youtube.video'],
  badRequest: [400, 'global'],
  forbidden: [403, 'youtube.common'],
  insufficientPermissions: [403, 'global'],
  accessNotConfigured: [403, 'usageLimits'],
  channelSuspended: [403, 'youtube.channel'],
  notFound: [404, 'global'],
  videoNotFound: [404, 'youtube.thumbnail'],
  mediaBodyInvalid: [400, 'youtube.thumbnail'],
  playlistNotFound: [404, 'youtube.playlistItem'],
  backendError: [503, 'global'],
  internalError: [500, 'global'],
} as const;
type Reason = keyof typeof REASONS;

/** @param extra additional members of `error`, such as `status` and `details`, which only some responses have */
export function refuse(reason: Reason, message: string, extra: JsonObject = {}): SimulatorResponse {
  const [status, domain] = REASONS[reason];
  const error = { code: status, message, errors: [{ message, domain, reason }], ...extra };
  return { status, headers: { 'cache-control': 'no-store' }, body: { error } };
}

/** An error to throw, for validation. */
export function refused(reason: Reason, message: string, extra: JsonObject = {}): Refused {
  return new Refused(refuse(reason, message, extra));
}

export function unauthenticated(): SimulatorResponse {
  return refuse('authError', 'Invalid Credentials', { status: 'UNAUTHENTICATED' });
}

export function backendError(): SimulatorResponse {
  return refuse('backendError', 'Backend Error');
}

export function rateLimited(): SimulatorResponse {
  return refuse('userRateLimitExceeded', 'The request cannot be completed: too many requests at once.');
}

/** The 429 of Google's frontends, which state the reason only in `status`. */
export function exhausted(): SimulatorResponse {
  const message = 'Resource has been exhausted (e.g. check quota).';
  return { status: 429, body: { error: { code: 429, message, status: 'RESOURCE_EXHAUSTED' } } };
}

/** An OAuth error (RFC 6749, 5.2). */
export function refuseOAuth(error: string, description: string, status = 400): SimulatorResponse {
  return { status, headers: { 'cache-control': 'no-store' }, body: { error, error_description: description } };
}
