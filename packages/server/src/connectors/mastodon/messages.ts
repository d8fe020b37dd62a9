/** The messages that only Mastodon uses. */
import { platformMessages } from '../kit/messages.ts';

export const { say, messages, own } = platformMessages(
  { id: 'mastodon', name: 'Mastodon' },
  {
    server_invalid: 'Name the account’s server, for example mastodon.social.',
    not_mastodon:
      '{host} rejected the registration of this application ({status}). Check that it is a Mastodon server.',
    registration_too_long:
      '{host} registered this application with an id or a secret of more than {limit} characters, which cannot be stored.',
    app_forgotten: 'The server had deleted this application. It is registered again. Connect again.',
    without_cover: 'The video keeps its own preview image. {reason}',
    becomes_gifv: 'The video has no sound. Mastodon shows it as a looping animation (GIFV).',
    post_dropped: 'The server accepted the post but did not keep it. Its filters may have taken it for spam.',
    post_unreadable: 'The server accepted the post, but it can no longer be read.',
    video_unused: 'The server does not show the post, and its video is unused.',
    video_gone: 'The server does not show the post, and its video is gone.',
    video_used_or_gone: 'The server does not show the post, but its video is used or gone.',
  },
);
