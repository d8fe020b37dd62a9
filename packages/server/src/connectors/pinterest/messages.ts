/** Messages that only Pinterest uses. */
import { platformMessages } from '../kit/messages.ts';

export const { say, messages, own } = platformMessages(
  { id: 'pinterest', name: 'Pinterest' },
  {
    board_forbidden: 'The account may not post to this board. Choose another one.',
    board_gone: 'The board no longer exists. Choose another one.',
    board_missing:
      'The account has no board of the chosen kind, or did not grant access to it. Choose another one, or reconnect the account.',
    board_unknown: 'The board that the pin would be on is unknown.',
    consumer_forbidden: '{platform} does not allow this application or account to post.',
    cover_unusable: '{platform} rejected the picture of the cover.',
    file_too_large: 'The file is too large for {platform}.',
    match_of_unclear_age: '{platform} shows a pin with this text whose age is unclear.',
    match_with_other_link: '{platform} shows a pin with this text but with another link.',
    trial_access:
      'The operator’s application has only Trial access, which does not allow pins. It needs Standard access.',
    url_unreachable: '{platform} could not fetch a URL.',
    video_unusable: '{platform} cannot use the video yet.',
  },
);
