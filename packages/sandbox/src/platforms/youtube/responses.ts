/** Response builders in the format of Google APIs: resources, lists, the Data API's error body and OAuth's flat one. */
import type { SimulatorRequest, SimulatorResponse } from '../../contract.ts';
import type { Json, JsonObject } from '../../json.ts';
import { Refused } from '../../refused.ts';

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

/** The project's uploads of the day are used. The reason is that of a short limit; only the message names the day. */
export function uploadsExhausted(): SimulatorResponse {
  const message =
    "Quota exceeded for quota metric 'Video Uploads' and limit 'Video Uploads per day' of service 'youtube.googleapis.com' for consumer 'project_number:1234567890'.";
  const errors = [{ message, domain: 'global', reason: 'rateLimitExceeded' }];
  return { status: 429, headers: { 'cache-control': 'no-store' }, body: { error: { code: 429, message, errors } } };
}

/** An OAuth error (RFC 6749, 5.2). */
export function refuseOAuth(error: string, description: string, status = 400): SimulatorResponse {
  return { status, headers: { 'cache-control': 'no-store' }, body: { error, error_description: description } };
}

/** The values of a list parameter, which is separated by commas or repeated. */
export function valuesOf({ query }: SimulatorRequest, name: string): string[] {
  const values = query.getAll(name).flatMap((value) => value.split(','));
  return values.map((value) => value.trim()).filter(Boolean);
}

/** The requested parts; null if no part is requested or one is unknown. */
export function partsOf(request: SimulatorRequest, known: readonly string[]): string[] | null {
  const parts = valuesOf(request, 'part');
  return parts.length > 0 && parts.every((part) => known.includes(part)) ? parts : null;
}

/** Parameters of every method (discovery document). `fields` is served by `caller.ts`; the others have no effect here. */
const STANDARD = [
  'access_token',
  'alt',
  'fields',
  'key',
  'oauth_token',
  'prettyPrint',
  'quotaUser',
  'userIp',
  '$.xgafv',
];

/** @throws Refused if a query parameter is unknown */
export function onlyParameters(request: SimulatorRequest, known: readonly string[]): void {
  const unknown = [...request.query.keys()].find((name) => !known.includes(name) && !STANDARD.includes(name));
  if (unknown !== undefined) throw new Refused(badRequest(`Unknown name "${unknown}".`));
}

export function badRequest(message: string): SimulatorResponse {
  return refuse('badRequest', message, { status: 'INVALID_ARGUMENT' });
}

/** The requested parts of a resource, plus the fields that every resource has. */
export function resource(kind: string, id: string, all: Record<string, Json>, parts: readonly string[]): JsonObject {
  // A part without content is omitted.
  const shown = Object.fromEntries(parts.flatMap((part) => (all[part] === undefined ? [] : [[part, all[part]]])));
  return { kind: `youtube#${kind}`, etag: `e-${id}`, id, ...shown };
}

/** @param items null omits `items` entirely, instead of returning an empty list */
export function listResponse(kind: string, items: JsonObject[] | null, page: JsonObject = {}): SimulatorResponse {
  const pageInfo = { totalResults: items?.length ?? 0, resultsPerPage: items?.length ?? 5 };
  const body = { kind: `youtube#${kind}`, etag: 'e', pageInfo, ...page, ...(items ? { items } : {}) };
  return { status: 200, headers: { 'cache-control': 'private' }, body };
}
