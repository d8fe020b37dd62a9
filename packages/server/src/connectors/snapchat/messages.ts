/** Messages that only Snapchat uses. */
import { platformMessages } from '../kit/messages.ts';

export const { say, messages, own } = platformMessages(
  { id: 'snapchat', name: 'Snapchat' },
  {
    already_posting: '{platform} reports that this video is already being posted.',
    app_not_allowed:
      '{platform} does not allow the operator’s application, or the account no longer owns the profile. Resolve this, then reconnect the account.',
    list_forbidden: '{platform} does not show its list of spotlights. A send without a response cannot be verified.',
    list_read: 'The list of spotlights was read.',
    match_of_unknown_text: '{platform} shows a new spotlight without its text.',
    part_response_early: '{platform} responded before it had the whole part.',
    profile_missing: 'The account has no public profile. Only public profiles can be posted to.',
    review_unreadable: '{platform} accepted the video, but the result of its review could not be read.',
  },
);
