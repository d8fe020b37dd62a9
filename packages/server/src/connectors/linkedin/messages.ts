/** Messages that only LinkedIn uses. */
import { platformMessages } from '../kit/messages.ts';

export const { say, messages, own } = platformMessages(
  { id: 'linkedin', name: 'LinkedIn' },
  {
    api_version_outdated:
      '{platform} no longer supports the configured version of its API. Set LINKEDIN_API_VERSION to a newer month.',
    cover_awaited: '{platform} may be waiting for the cover that it rejected.',
    escaped_text_too_long:
      'The text has {value} {value|character|characters} in {platform}’s format. The maximum is {limit}.',
    finalize_repeated: '{platform} has not joined the parts of the video. Finalizing the upload again.',
    member_posts_hidden: '{platform} does not let applications read the posts of a member.',
    page_missing:
      '{platform} returned no page that you may post as. You need the role of super admin or content admin.',
    page_visibility: 'A page has no connections. Choose another visibility.',
    parts_mismatch: '{platform} opened an upload whose parts do not match the video.',
    role_missing: 'A permission or the role on the page is missing. Reconnect the account.',
    sends_exhausted: '{platform} created no post in {sends} {sends|attempt|attempts} and gave no reason.',
    text_too_long: 'The text is too long for {platform}.',
    video_hidden: '{platform} does not show this account its own video. Posting without its status.',
    video_not_shown_yet: '{platform} does not show the video yet.',
  },
);
