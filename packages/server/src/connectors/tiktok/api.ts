import type { Json, Session } from '../contract.ts';
import { type Failure, PlatformError } from '../kit/failure.ts';
import type { HttpAnswer, HttpRequest } from '../kit/http.ts';
import { at, textAt } from '../kit/json.ts';

/** One call of the v2 API: success is `error.code === "ok"`, whatever the HTTP status says. @throws PlatformError */
export async function call(
  session: Pick<Session, 'http' | 'endpoints' | 'secret'>,
  method: HttpRequest['method'],
  path: string,
  json?: unknown,
): Promise<Json> {
  const answer = await session.http({
    method,
    url: `${session.endpoints.api}${path}`,
    headers: { authorization: `Bearer ${String(session.secret.accessToken)}` },
    ...(json === undefined ? {} : { json }),
  });
  const body = answer.tryJson();
  if (textAt(body, 'error', 'code') === 'ok') return at(body, 'data') as Json;
  throw new PlatformError(failureOf(answer));
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Brings an answer of the v2 API to the closed set ("Error handling" of the Content Posting API). Never throws. */
export function failureOf(answer: HttpAnswer): Failure {
  const body = answer.tryJson();
  const code = textAt(body, 'error', 'code');
  const message = textAt(body, 'error', 'message');
  const known = {
    status: answer.status,
    ...(code ? { platformCode: code } : {}),
    ...(textAt(body, 'error', 'log_id') ? { requestId: textAt(body, 'error', 'log_id') } : {}),
  };
  return { ...classify(code, message, answer.status), ...known };
}

function classify(code: string, message: string, status: number): Failure {
  const said = message ? ` It said: ${message}` : '';
  switch (code) {
    case 'access_token_invalid':
      return { kind: 'tokenExpired', detail: 'TikTok did not accept the access token.' };
    case 'scope_not_authorized':
    case 'scope_permission_missed':
      return {
        kind: 'rejected',
        what: 'permission',
        detail: 'The account did not allow posting videos. Connect it again and allow everything asked for.',
      };
    case 'rate_limit_exceeded':
      return {
        kind: 'rateLimited',
        waitMs: MINUTE_MS,
        scope: 'account',
        window: 'rate',
        detail: 'TikTok asks for fewer requests.',
      };
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
        waitMs: DAY_MS / 4,
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
      return { kind: 'setup', detail: 'Until TikTok has audited the application, the account must be private.' };
    case 'url_ownership_unverified':
      return { kind: 'setup', detail: 'The address is not verified for the application.' };
    case 'privacy_level_option_mismatch':
      return { kind: 'setup', detail: 'The account does not allow the chosen privacy. Choose again in its settings.' };
    case 'invalid_file_upload':
      return { kind: 'rejected', what: 'video', detail: `TikTok refused the file.${said}` };
    case 'invalid_param':
    case 'invalid_params':
      return { kind: 'rejected', what: 'other', detail: `TikTok refused the request.${said}` };
    case 'invalid_publish_id':
    case 'token_not_authorized_for_specified_publish_id':
      return { kind: 'rejected', what: 'other', detail: 'TikTok does not know this upload.' };
    case 'app_version_check_failed':
      return { kind: 'setup', detail: 'The TikTok app of the account is too old.' };
    default:
      if (status === 429)
        return {
          kind: 'rateLimited',
          waitMs: MINUTE_MS,
          scope: 'account',
          window: 'rate',
          detail: 'TikTok asks for fewer requests.',
        };
      if (status === 401) return { kind: 'tokenExpired', detail: 'TikTok did not accept the access token.' };
      if (status >= 400 && status < 500 && code)
        return { kind: 'rejected', what: 'other', detail: `TikTok refused the request (${code}).${said}` };
      return { kind: 'transient', detail: `TikTok answered ${code || status}.` };
  }
}

/** What a `fail_reason` of a publish means: it is certain that nothing appeared. */
export function failReason(reason: string): Failure {
  const known = { platformCode: reason };
  if (
    [
      'file_format_check_failed',
      'duration_check_failed',
      'frame_rate_check_failed',
      'picture_size_check_failed',
    ].includes(reason)
  )
    return { kind: 'rejected', what: 'video', detail: 'TikTok could not take this video.', ...known };
  if (reason === 'auth_removed')
    return { kind: 'reconnect', detail: 'The access was removed on TikTok while posting.', ...known };
  if (reason === 'internal' || reason === 'video_pull_failed' || reason === 'publish_cancelled')
    return { kind: 'transient', detail: 'TikTok failed to process the video and lets it be sent again.', ...known };
  return { ...classify(reason, '', 403), ...known };
}
