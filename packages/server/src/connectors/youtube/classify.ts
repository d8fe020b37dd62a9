/** Maps error reasons of the Data API to failures ("Errors", and "Errors" of each method). */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { at, textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';
import { untilPacificMidnight } from './pacific.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Delay where the documentation says "retry with backoff", ms. */
const BACKOFF_MS = 30_000;
/** Margin after midnight for clock differences, ms. */
const AFTER_MIDNIGHT_MS = 60_000;

/** Converts an error response to a {@link Failure}. Never throws. @param now ms since the epoch */
export function failureOf(answer: HttpAnswer, now: number): Failure {
  const reason = reasonOf(answer);
  return {
    ...meaningOf(answer, reason, now),
    status: answer.status,
    ...(reason ? { platformCode: reason } : {}),
  };
}

/** Returns the reason in an error body, or "". Some responses have it only in `details` or as `status`. */
export function reasonOf(answer: HttpAnswer): string {
  const error = at(answer.tryJson(), 'error');
  const details = at(error, 'details');
  const reasons = Array.isArray(details) ? details.map((detail: unknown) => textAt(detail, 'reason')) : [];
  const found = textAt(error, 'errors', 0, 'reason') || reasons.find(Boolean) || textAt(error, 'status');
  return /^[\w.-]{1,60}$/.test(found) ? found : '';
}

/** Shortens YouTube's message and removes markup, URLs and possible tokens. */
export function wordsOf(text: string): string {
  return tameWords(text.replace(/<[^<>]*>/g, ''));
}

const TOKEN: Failure = { kind: 'tokenExpired', detail: 'YouTube did not accept the access token.' };

function meaningOf(answer: HttpAnswer, reason: string, now: number): Failure {
  const { status } = answer;
  const words = wordsOf(textAt(answer.tryJson(), 'error', 'message'));
  const said = words && ` It said: ${words}`;
  const known = limitOf(answer, reason, now) ?? refusalOf(reason, said);
  if (known) return known;
  if (status === 401) return TOKEN;
  if (status === 429) return tooFast(answer, 'account');
  // A 4xx without a reason comes from an intermediary, not from the API.
  if (status >= 400 && status < 500 && status !== 408 && reason)
    return { kind: 'rejected', what: 'other', detail: `YouTube refused the request (${reason}).${said}` };
  return { kind: 'transient', detail: `YouTube answered ${reason || status}.` };
}

function limitOf(answer: HttpAnswer, reason: string, now: number): Failure | null {
  switch (reason) {
    case 'quotaExceeded':
    case 'dailyLimitExceeded':
      return {
        kind: 'rateLimited',
        waitMs: untilPacificMidnight(now) + AFTER_MIDNIGHT_MS,
        scope: 'app',
        window: 'daily',
        detail: 'The application has used up what YouTube allows it a day.',
      };
    case 'uploadLimitExceeded':
      return {
        kind: 'rateLimited',
        waitMs: DAY_MS,
        scope: 'account',
        window: 'daily',
        detail: 'YouTube allows no more uploads on this channel for a day.',
      };
    case 'rateLimitExceeded':
      return tooFast(answer, 'app');
    case 'userRateLimitExceeded':
    case 'RESOURCE_EXHAUSTED':
      return tooFast(answer, 'account');
    default:
      return null;
  }
}

/** YouTube documents no Retry-After header; if one is present, it is respected. */
function tooFast(answer: HttpAnswer, scope: 'account' | 'app'): Failure {
  const asked = Number(answer.headers['retry-after'] ?? Number.NaN);
  const waitMs = asked > 0 ? Math.min(asked * 1000, DAY_MS) : BACKOFF_MS;
  return { kind: 'rateLimited', waitMs, scope, window: 'rate', detail: 'YouTube asks for fewer requests.' };
}

const METADATA: Record<string, string> = {
  invalidTitle: 'the title',
  invalidDescription: 'the text',
  invalidTags: 'the tags',
  invalidCategoryId: 'the category',
  invalidVideoMetadata: 'what is said of the video',
  invalidPublishAt: 'the time to publish',
  invalidFilename: 'the file name',
  invalidRecordingDetails: 'the recording details',
  invalidVideoGameRating: 'the game rating',
  defaultLanguageNotSet: 'the language',
};

function refusalOf(reason: string, said: string): Failure | null {
  const wrong = METADATA[reason];
  if (wrong) return { kind: 'rejected', what: 'caption', detail: `YouTube refused ${wrong}.${said}` };
  switch (reason) {
    case 'authError':
    case 'UNAUTHENTICATED':
      return TOKEN;
    case 'youtubeSignupRequired':
      return { kind: 'rejected', what: 'permission', detail: 'There is no YouTube channel behind this account.' };
    case 'insufficientPermissions':
    case 'ACCESS_TOKEN_SCOPE_INSUFFICIENT':
      return { kind: 'reconnect', detail: 'A permission is missing. Connect the account again and leave all allowed.' };
    case 'accessNotConfigured':
    case 'SERVICE_DISABLED':
      return { kind: 'setup', detail: 'The YouTube Data API v3 is not switched on for the Google project.' };
    case 'forbiddenPrivacySetting':
    case 'forbiddenLicenseSetting':
      return { kind: 'rejected', what: 'permission', detail: `YouTube does not let the channel do this.${said}` };
    case 'forbidden':
    case 'PERMISSION_DENIED':
      return { kind: 'rejected', what: 'permission', detail: `YouTube does not let the account do this.${said}` };
    case 'channelSuspended':
    case 'accountClosed':
    case 'channelClosed':
      return { kind: 'rejected', what: 'policy', detail: 'YouTube has suspended or closed the channel.' };
    case 'mediaBodyRequired':
      return { kind: 'rejected', what: 'other', detail: 'YouTube found no video in the upload.' };
    case 'videoNotFound':
    case 'playlistNotFound':
      return { kind: 'rejected', what: 'other', detail: 'YouTube does not have it (any more).' };
    case 'backendError':
    case 'internalError':
      return { kind: 'transient', detail: 'YouTube had a passing trouble.' };
    default:
      return null;
  }
}
