/** What is known before a post is sent: reasons of `POST /post/check` that are not errors, and warnings. */
import { messagesOf } from './message.ts';

export const CHECK_MESSAGES = {
  daily_limit: 'The daily limit of the platform is reached. The post waits until it resets.',
  rate_limit: 'The platform limits requests at the moment. The post waits.',
  permission_missing: '{platform} did not grant every required permission ({scopes}). Reconnect the account.',
  access_ends: 'Access to this account expires on {endAt}, before the post is due. Reconnect the account before then.',
  video_unfit: 'The platform does not accept this video. {reason}',
} as const;

export const explain = messagesOf(CHECK_MESSAGES, {}, 'check.');
