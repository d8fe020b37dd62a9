/** Maps TikTok's error codes to failures (Content Posting API, "Error handling"). */
import type { HttpAnswer } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Delay before resending a video that TikTok failed to process, ms. */
const PROCESS_AGAIN_MS = 600_000;

/** Converts an error response of the v2 API or the upload URL to a {@link Failure}. Never throws. */
export function failureOf(answer: HttpAnswer): Failure {
  const body = answer.tryJson();
  const code = textAt(body, 'error', 'code').slice(0, 100);
  const requestId = textAt(body, 'error', 'log_id');
  return {
    ...meaningOf(code, answer, tameWords(textAt(body, 'error', 'message'))),
    status: answer.status,
    ...(code ? { platformCode: code } : {}),
    ...(requestId ? { requestId } : {}),
  };
}

/** Converts the `fail_reason` of a publish to a failure. With any reason, nothing was posted. */
export function failReason(reason: string): Failure {
  return { ...meaningOfReason(reason), platformCode: reason };
}

function quoted(words: string): string {
  return words && ` It said: ${words}`;
}

function meaningOf(code: string, answer: HttpAnswer, words: string): Failure {
  const { status } = answer;
  const known = meaningOfCode(code, words);
  if (known) return known;
  if (code === 'rate_limit_exceeded' || status === 429) return tooFast(answer);
  if (status === 401) return TOKEN;
  const said = quoted(words);
  if (code.startsWith('spam_risk')) return { kind: 'rejected', what: 'policy', detail: `TikTok refused it.${said}` };
  // A 4xx without a code comes from an intermediary, not from TikTok's API.
  if (status >= 400 && status < 500 && code)
    return { kind: 'rejected', what: 'other', detail: `TikTok refused the request (${tameWords(code)}).${said}` };
  return { kind: 'transient', detail: `TikTok answered ${tameWords(code) || status}.` };
}

const TOKEN: Failure = { kind: 'tokenExpired', detail: 'TikTok did not accept the access token.' };

/** TikTok documents no Retry-After header; if one is present, it is respected. */
function tooFast(answer: HttpAnswer): Failure {
  const asked = Number(answer.headers['retry-after'] ?? Number.NaN);
  return {
    kind: 'rateLimited',
    waitMs: asked > 0 ? Math.min(asked * 1000, DAY_MS) : MINUTE_MS,
    scope: 'account',
    window: 'rate',
    detail: 'TikTok asks for fewer requests.',
  };
}

function meaningOfCode(code: string, words: string): Failure | null {
  const said = quoted(words);
  switch (code) {
    case 'access_token_invalid':
      return TOKEN;
    case 'scope_not_authorized':
    case 'scope_permission_missed':
      return { kind: 'reconnect', detail: 'A permission is missing. Connect the account again and leave all allowed.' };
    case 'spam_risk_too_many_posts':
      return {
        kind: 'rateLimited',
        waitMs: DAY_MS,
        scope: 'account',
        window: 'daily',
        detail: 'TikTok allows no more posts on this account today.',
      };
    case 'reached_active_user_cap':
      return {
        kind: 'rateLimited',
        waitMs: 6 * HOUR_MS,
        scope: 'app',
        window: 'daily',
        detail: 'The application has reached its number of posting accounts for today.',
      };
    case 'spam_risk_user_banned_from_posting':
      return { kind: 'rejected', what: 'policy', detail: 'TikTok has barred this account from posting.' };
    case 'spam_risk_text':
      return { kind: 'rejected', what: 'caption', detail: 'TikTok refused the text as spam.' };
    case 'spam_risk':
      return { kind: 'rejected', what: 'policy', detail: 'TikTok refused the post as spam.' };
    case 'spam_risk_too_many_pending_share':
      return { kind: 'setup', detail: 'Too many drafts wait in the TikTok app. Publish or delete them there.' };
    case 'unaudited_client_can_only_post_to_private_accounts':
      return {
        kind: 'setup',
        detail: 'Until TikTok has audited the application, the account must be private and post for itself only.',
      };
    case 'url_ownership_unverified':
      return { kind: 'setup', detail: 'The address is not verified for the application.' };
    case 'privacy_level_option_mismatch':
      return { kind: 'setup', detail: 'The account does not allow the chosen privacy. Choose again in its settings.' };
    case 'app_version_check_failed':
      return { kind: 'setup', detail: 'The TikTok app of the account is too old.' };
    case 'invalid_file_upload':
      return { kind: 'rejected', what: 'video', detail: `TikTok refused the file.${said}` };
    case 'invalid_param':
    case 'invalid_params':
      return { kind: 'rejected', what: 'other', detail: `TikTok refused the request.${said}` };
    case 'invalid_publish_id':
    case 'token_not_authorized_for_specified_publish_id':
      return { kind: 'rejected', what: 'other', detail: 'TikTok does not know this upload.' };
    default:
      return null;
  }
}

const VIDEO_REASONS: Record<string, string> = {
  file_format_check_failed: 'its format',
  duration_check_failed: 'its length',
  frame_rate_check_failed: 'its frame rate',
  picture_size_check_failed: 'its picture size',
};

function meaningOfReason(reason: string): Failure {
  const flaw = VIDEO_REASONS[reason];
  if (flaw) return { kind: 'rejected', what: 'video', detail: `TikTok could not take this video: ${flaw}.` };
  switch (reason) {
    case 'internal':
    case 'video_pull_failed':
    case 'photo_pull_failed':
      return {
        kind: 'transient',
        waitMs: PROCESS_AGAIN_MS,
        detail: 'TikTok failed to process the video and lets it be sent again.',
      };
    case 'auth_removed':
      return { kind: 'reconnect', revoked: true, detail: 'The access was removed on TikTok while posting.' };
    case 'publish_cancelled':
      return { kind: 'rejected', what: 'other', detail: 'The post was cancelled at TikTok.' };
    default: {
      const known = meaningOfCode(reason, '');
      if (known) return known;
      const what = reason.startsWith('spam_risk') ? 'policy' : 'other';
      return { kind: 'rejected', what, detail: `TikTok did not publish the video (${tameWords(reason)}).` };
    }
  }
}
