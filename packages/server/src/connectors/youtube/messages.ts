/** The messages that only YouTube uses. */
import { platformMessages } from '../kit/messages.ts';

export const { say, messages, own } = platformMessages(
  { id: 'youtube', name: 'YouTube' },
  {
    api_disabled: 'The YouTube Data API v3 is not enabled for the Google project.',
    channel_closed: 'YouTube suspended or closed the channel.',
    channel_missing: 'This Google account has no YouTube channel. Create one at YouTube, then connect again.',
    field_rejected: 'YouTube rejected a field of the video: {field}.',
    no_progress: 'YouTube stored no more of the video.',
    not_found: 'YouTube did not find the video or the playlist.',
    offline_access_missing:
      'Google granted access for only one hour. Remove the access at myaccount.google.com/permissions, then connect again.',
    offset_query: '{reason} Asking YouTube how much of the video it has.',
    part_unconfirmed: 'YouTube did not say that it stored the part.',
    processing_failed: 'YouTube could not process the video ({code}).',
    upload_empty: 'YouTube found no video in the upload.',
    upload_reserved: 'Reserved one of the uploads of the day.',
    video_deleted: 'The video was deleted at YouTube.',
    visibility_changed: 'YouTube made the video “{visible}” instead of “{requested}”.',
    visibility_locked:
      'YouTube made the video “{visible}” instead of “{requested}”. Uploads of a Google project that YouTube has not audited are locked to private.',
  },
);
