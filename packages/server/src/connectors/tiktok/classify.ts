/** Maps TikTok's error codes to failures (Content Posting API, "Error handling"). */
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { DAY, HOUR, MINUTE } from '../../time.ts';
import {
  ANY_CODE,
  classify,
  type ErrorRow,
  type ErrorTable,
  type PlatformProblem,
  rowsOf,
  tooManyRequests,
} from '../kit/classify.ts';
import { PERMISSION_MISSING, rateLimited, rejected, revoked, setup, tokenExpired, transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';

/** Delay before resending a video that TikTok failed to process, ms. */
const PROCESS_AGAIN_MS = 600_000;

const CAP_REACHED = 'The application has reached its number of posting accounts for today.';
const TOKEN = tokenExpired('TikTok did not accept the access token.');

/** Codes of an error response and of a failed publish. */
const CODES: readonly ErrorRow[] = [
  { code: 'access_token_invalid', failure: TOKEN },
  { code: ['scope_not_authorized', 'scope_permission_missed'], failure: PERMISSION_MISSING },
  {
    code: 'spam_risk_too_many_posts',
    failure: rateLimited('account', 'daily', DAY, 'TikTok allows no more posts on this account today.'),
  },
  { code: 'reached_active_user_cap', failure: rateLimited('app', 'daily', 6 * HOUR, CAP_REACHED) },
  ...rowsOf((detail) => rejected('policy', detail), {
    spam_risk_user_banned_from_posting: 'TikTok has barred this account from posting.',
    spam_risk: 'TikTok refused the post as spam.',
  }),
  { code: 'spam_risk_text', failure: rejected('caption', 'TikTok refused the text as spam.') },
  ...rowsOf(setup, {
    spam_risk_too_many_pending_share: 'Too many drafts wait in the TikTok app. Publish or delete them there.',
    unaudited_client_can_only_post_to_private_accounts:
      'Until TikTok has audited the application, the account must be private and post for itself only.',
    url_ownership_unverified: 'The address is not verified for the application.',
    privacy_level_option_mismatch: 'The account does not allow the chosen privacy. Choose again in its settings.',
    app_version_check_failed: 'The TikTok app of the account is too old.',
  }),
  { code: 'invalid_file_upload', failure: ({ said }) => rejected('video', `TikTok refused the file.${said}`) },
  { code: /^invalid_params?$/, failure: ({ said }) => rejected('other', `TikTok refused the request.${said}`) },
  {
    code: ['invalid_publish_id', 'token_not_authorized_for_specified_publish_id'],
    failure: rejected('other', 'TikTok does not know this upload.'),
  },
];

// TikTok documents no Retry-After header; if one is present, it is respected.
const TOO_FAST = tooManyRequests('TikTok', MINUTE);

const RESPONSES: ErrorTable = [
  ...CODES,
  { code: 'rate_limit_exceeded', failure: TOO_FAST },
  { status: 429, failure: TOO_FAST },
  { status: 401, failure: TOKEN },
  { code: /^spam_risk/, failure: ({ said }) => rejected('policy', `TikTok refused it.${said}`) },
  // A 4xx without a code comes from an intermediary, not from TikTok's API.
  {
    status: [400, 499],
    code: ANY_CODE,
    failure: ({ code, said }) => rejected('other', `TikTok refused the request (${tameWords(code)}).${said}`),
  },
  { failure: ({ code, status }) => transient(`TikTok answered ${tameWords(code) || status}.`) },
];

/** Converts an error response of the v2 API or the upload URL to a {@link Failure}. Never throws. */
export function failureOf(response: HttpResponse): Failure {
  const body = response.tryJson();
  return classify(RESPONSES, {
    answer: response,
    code: textAt(body, 'error', 'code').slice(0, 100),
    message: textAt(body, 'error', 'message'),
    requestId: textAt(body, 'error', 'log_id'),
  });
}

const unpublished = ({ code }: PlatformProblem) => `TikTok did not publish the video (${tameWords(code)}).`;

const FAIL_REASONS: ErrorTable = [
  ...rowsOf((flaw) => rejected('video', `TikTok could not take this video: ${flaw}.`), {
    file_format_check_failed: 'its format',
    duration_check_failed: 'its length',
    frame_rate_check_failed: 'its frame rate',
    picture_size_check_failed: 'its picture size',
  }),
  {
    code: ['internal', 'video_pull_failed', 'photo_pull_failed'],
    failure: transient('TikTok failed to process the video and lets it be sent again.', PROCESS_AGAIN_MS),
  },
  { code: 'auth_removed', failure: revoked('The access was removed on TikTok while posting.') },
  { code: 'publish_cancelled', failure: rejected('other', 'The post was cancelled at TikTok.') },
  ...CODES,
  { code: /^spam_risk/, failure: (problem) => rejected('policy', unpublished(problem)) },
  { failure: (problem) => rejected('other', unpublished(problem)) },
];

/** Converts the `fail_reason` of a publish to a failure. With any reason, nothing was posted. */
export function failReason(reason: string): Failure {
  return classify(FAIL_REASONS, { code: reason, message: '' });
}
