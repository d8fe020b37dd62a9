/** The messages about checks of watched accounts. */
import { messagesOf } from './message.ts';

export const WATCHING_MESSAGES = {
  too_many_posts: 'The account has more new posts than one check reads. The oldest of them are not seen.',
  too_many_posts_a_day:
    'The account has more than {limit} new {limit|post|posts} a day. The oldest of them are not seen.',
  list_repeats: 'The platform returned the same posts again and again.',
  list_too_slow: 'The server answered so slowly that only the newest posts were read.',
  file_reference_too_large: 'The server describes the file of this post with more data than can be stored.',
  /** Only in rows of earlier versions. */
  watch_unreachable: 'The platform could not be reached ({reason}).',
  watch_waits: 'The budget for reading this platform is used up. The next check is at {untilAt}.',
  watch_internal: 'Internal error. The check is repeated.',
} as const;

export const say = messagesOf(WATCHING_MESSAGES);
