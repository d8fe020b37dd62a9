/** Maps TikTok's error codes to failures (Content Posting API, "Error handling"). */

import { DAY, HOUR, MINUTE } from '../../lib/time.ts';
import { type FlawName, flaw } from '../../messages/media.ts';
import type { HttpResponse } from '../../outbound/http-client.ts';
import type { Failure } from '../../outbound/platform-error.ts';
import { ANY_CODE, classify, type ErrorRow, type ErrorTable, rowsOf, tooManyRequests } from '../kit/classify.ts';
import { PERMISSION_MISSING, rateLimited, rejected, revoked, setup, tokenExpired, transient } from '../kit/failures.ts';
import { textAt } from '../kit/json.ts';
import { tameWords } from '../kit/words.ts';
import { say } from './messages.ts';

const TOKEN = tokenExpired(say('token_rejected'));

const postRejected = (code: string) => say('post_rejected', { code: tameWords(code) });

/** Codes of an error response and of a failed publish. */
const CODES: readonly ErrorRow[] = [
  { code: 'access_token_invalid', failure: TOKEN },
  { code: ['scope_not_authorized', 'scope_permission_missed'], failure: PERMISSION_MISSING },
  { code: 'spam_risk_too_many_posts', failure: rateLimited('account', 'daily', DAY, say('daily_limit')) },
  { code: 'reached_active_user_cap', failure: rateLimited('app', 'daily', 6 * HOUR, say('app_daily_limit')) },
  { code: 'spam_risk_user_banned_from_posting', failure: rejected('policy', say('account_restricted')) },
  { code: 'spam_risk', failure: rejected('policy', say('spam_rejected')) },
  { code: 'spam_risk_text', failure: rejected('caption', say('spam_rejected')) },
  ...rowsOf(setup, {
    spam_risk_too_many_pending_share: say('drafts_pending'),
    unaudited_client_can_only_post_to_private_accounts: say('app_unaudited'),
    url_ownership_unverified: say('url_unverified'),
    privacy_level_option_mismatch: say('privacy_mismatch'),
    app_version_check_failed: say('app_outdated'),
  }),
  { code: 'invalid_file_upload', failure: rejected('video', say('video_rejected')) },
  { code: /^invalid_params?$/, failure: ({ code }) => rejected('other', say('request_rejected', { code })) },
  {
    code: ['invalid_publish_id', 'token_not_authorized_for_specified_publish_id'],
    failure: rejected('other', say('upload_unknown')),
  },
  { code: /^spam_risk/, failure: ({ code }) => rejected('policy', postRejected(code)) },
];

const RESPONSES: ErrorTable = [
  ...CODES,
  // TikTok documents no Retry-After header; if one is present, it is respected.
  {
    when: ({ code, response }) => code === 'rate_limit_exceeded' || response?.status === 429,
    failure: tooManyRequests('TikTok', MINUTE),
  },
  { status: 401, failure: TOKEN },
  // A 4xx without a code comes from an intermediary, not from TikTok's API.
  {
    status: [400, 499],
    code: ANY_CODE,
    failure: ({ code }) => rejected('other', say('request_rejected', { code: tameWords(code) })),
  },
  { failure: ({ code, status }) => transient(say('status_unexpected', { status: tameWords(code) || status })) },
];

/** Converts an error response of the v2 API or the upload URL to a {@link Failure}. Never throws. */
export function failureOf(response: HttpResponse): Failure {
  const body = response.tryJson();
  return classify(RESPONSES, {
    response,
    code: textAt(body, 'error', 'code').slice(0, 100),
    message: textAt(body, 'error', 'message'),
    requestId: textAt(body, 'error', 'log_id'),
  });
}

const rejectedFor = (name: FlawName) => say('video_rejected_for', { flaw: flaw(name) });

const FAIL_REASONS: ErrorTable = [
  ...rowsOf((detail) => rejected('video', detail), {
    file_format_check_failed: rejectedFor('file_format'),
    duration_check_failed: rejectedFor('duration'),
    frame_rate_check_failed: rejectedFor('frame_rate'),
    picture_size_check_failed: rejectedFor('frame_size'),
  }),
  {
    code: ['internal', 'video_pull_failed', 'photo_pull_failed'],
    failure: transient(say('video_not_processed'), 10 * MINUTE),
  },
  { code: 'auth_removed', failure: revoked(say('access_revoked')) },
  { code: 'publish_cancelled', failure: rejected('other', say('post_canceled')) },
  ...CODES,
  { failure: ({ code }) => rejected('other', postRejected(code)) },
];

/** Converts the `fail_reason` of a publish to a failure. With any reason, nothing was posted. */
export function failReason(reason: string): Failure {
  return classify(FAIL_REASONS, { code: reason || 'internal', message: '' });
}
