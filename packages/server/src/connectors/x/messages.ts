/** The messages that only X uses. */
import { platformMessages } from '../kit/messages.ts';

export const { say, messages, own } = platformMessages(
  { id: 'x', name: 'X' },
  {
    account_protected: 'The account is protected. Only its followers see the post.',
    attempt_follows: 'The last send had no effect. Preparing another one.',
    authentication_unsupported: 'X requires another kind of access token for this.',
    credits_used: 'The application has no X credits left.',
    never_accepted: 'X did not accept the post after several attempts and does not show it.',
    not_permitted: 'X did not permit this post. Its text may be too long or look like spam.',
    same_text_shown: 'X did not accept the post. The account shows another post with the same text.',
    segments_too_large: 'X requires smaller segments.',
    sends_rejected: 'X rejected every send with this upload.',
    too_many_cashtags: 'X allows one cashtag in a post at most. Remove the “$” of the others.',
    url_invalid: 'X rejected the text because of an invalid URL.',
    video_incomplete: 'X did not receive the whole video.',
    video_of_another_post: 'The video belongs to another post.',
  },
);
