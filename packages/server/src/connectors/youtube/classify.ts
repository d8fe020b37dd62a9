/** Maps error reasons of the Data API to failures ("Errors", and "Errors" of each method). */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../time.ts';
import { ANY_CODE, classify, type ErrorTable, type PlatformProblem, tooManyRequests } from '../kit/classify.ts';
import { PERMISSION_MISSING, rateLimited, rejected, setup, tokenExpired, transient } from '../kit/failures.ts';
import { at, textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';

/** Delay where the documentation says "retry with backoff", ms. */
const BACKOFF_MS = 30_000;
/** Margin after midnight for clock differences, ms. */
const AFTER_MIDNIGHT_MS = MINUTE;

type Problem = PlatformProblem & { now: number };

const TOKEN = tokenExpired('YouTube did not accept the access token.');

// YouTube documents no Retry-After header; if one is present, it is respected.
const TOO_FAST = tooManyRequests('YouTube', BACKOFF_MS);
const refused = (what: string) => (problem: { said: string }) =>
  rejected('caption', `YouTube refused ${what}.${problem.said}`);

const ERRORS: ErrorTable<Problem> = [
  {
    code: ['quotaExceeded', 'dailyLimitExceeded'],
    failure: ({ now }) =>
      rateLimited(
        'app',
        'daily',
        untilPacificMidnight(now) + AFTER_MIDNIGHT_MS,
        'The application has used up what YouTube allows it a day.',
      ),
  },
  {
    code: 'uploadLimitExceeded',
    failure: rateLimited('account', 'daily', DAY, 'YouTube allows no more uploads on this channel for a day.'),
  },
  { code: 'rateLimitExceeded', failure: tooManyRequests('YouTube', BACKOFF_MS, 'app') },
  { code: ['userRateLimitExceeded', 'RESOURCE_EXHAUSTED'], failure: TOO_FAST },
  { code: 'invalidTitle', failure: refused('the title') },
  { code: 'invalidDescription', failure: refused('the text') },
  { code: 'invalidTags', failure: refused('the tags') },
  { code: 'invalidCategoryId', failure: refused('the category') },
  { code: 'invalidVideoMetadata', failure: refused('what is said of the video') },
  { code: 'invalidPublishAt', failure: refused('the time to publish') },
  { code: 'invalidFilename', failure: refused('the file name') },
  { code: 'invalidRecordingDetails', failure: refused('the recording details') },
  { code: 'invalidVideoGameRating', failure: refused('the game rating') },
  { code: 'defaultLanguageNotSet', failure: refused('the language') },
  { code: ['authError', 'UNAUTHENTICATED'], failure: TOKEN },
  { code: ['insufficientPermissions', 'ACCESS_TOKEN_SCOPE_INSUFFICIENT'], failure: PERMISSION_MISSING },
  {
    code: ['accessNotConfigured', 'SERVICE_DISABLED'],
    failure: setup('The YouTube Data API v3 is not switched on for the Google project.'),
  },
  {
    code: ['forbiddenPrivacySetting', 'forbiddenLicenseSetting'],
    failure: ({ said }) => rejected('permission', `YouTube does not let the channel do this.${said}`),
  },
  {
    code: ['forbidden', 'PERMISSION_DENIED'],
    failure: ({ said }) => rejected('permission', `YouTube does not let the account do this.${said}`),
  },
  {
    code: 'youtubeSignupRequired',
    failure: rejected('permission', 'There is no YouTube channel behind this account.'),
  },
  {
    code: ['channelSuspended', 'accountClosed', 'channelClosed'],
    failure: rejected('policy', 'YouTube has suspended or closed the channel.'),
  },
  { code: 'mediaBodyRequired', failure: rejected('other', 'YouTube found no video in the upload.') },
  { code: ['videoNotFound', 'playlistNotFound'], failure: rejected('other', 'YouTube does not have it (any more).') },
  { code: ['backendError', 'internalError'], failure: transient('YouTube had a passing trouble.') },
  { status: 401, failure: TOKEN },
  { status: 429, failure: TOO_FAST },
  // A 4xx without a reason comes from an intermediary, not from the API.
  {
    status: [400, 499],
    code: ANY_CODE,
    when: ({ answer }) => answer?.status !== 408,
    failure: ({ code, said }) => rejected('other', `YouTube refused the request (${code}).${said}`),
  },
  { failure: ({ code, status }) => transient(`YouTube answered ${code || status}.`) },
];

/** Converts an error response to a {@link Failure}. Never throws. @param now ms since the epoch */
export function failureOf(response: HttpResponse, now: number): Failure {
  const message = wordsOf(textAt(response.tryJson(), 'error', 'message'));
  return classify(ERRORS, { answer: response, now, code: reasonOf(response), message });
}

/** Returns the reason in an error body, or "". Some responses have it only in `details` or as `status`. */
export function reasonOf(response: HttpResponse): string {
  const error = at(response.tryJson(), 'error');
  const details = at(error, 'details');
  const reasons = Array.isArray(details) ? details.map((detail: unknown) => textAt(detail, 'reason')) : [];
  const found = textAt(error, 'errors', 0, 'reason') || reasons.find(Boolean) || textAt(error, 'status');
  return /^[\w.-]{1,60}$/.test(found) ? found : '';
}

/** Shortens YouTube's message and removes markup, URLs and possible tokens. */
export function wordsOf(text: string): string {
  return tameWords(text.replace(/<[^<>]*>/g, ''));
}

const PACIFIC_CLOCK = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Los_Angeles',
  hourCycle: 'h23',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

/** Time until the quota reset at midnight Pacific Time ("Quota usage"), ms. @param now ms since the epoch */
export function untilPacificMidnight(now: number): number {
  const midnight = now + DAY - sinceMidnight(now);
  // On the two days per year with 23 or 25 hours, the estimate is off by one hour.
  const shown = sinceMidnight(midnight);
  return midnight - now + (shown >= DAY / 2 ? DAY - shown : -shown);
}

/** Local time since midnight, ms. */
function sinceMidnight(now: number): number {
  const parts = Object.fromEntries(PACIFIC_CLOCK.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  const { hour = 0, minute = 0, second = 0 } = parts;
  return hour * HOUR + minute * MINUTE + second * SECOND + (((now % 1_000) + 1_000) % 1_000);
}
