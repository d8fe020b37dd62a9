/** The messages that only TikTok uses. */
import { platformMessages } from '../kit/messages.ts';

export const { say, messages, own } = platformMessages(
  { id: 'tiktok', name: 'TikTok' },
  {
    app_outdated: 'The account’s TikTok app is too old. Update it, then retry.',
    app_unaudited:
      'TikTok has not audited the application. Until then, the account must be private and post only for itself.',
    branded_private: 'Branded content cannot be visible only to yourself.',
    drafts_pending: 'Too many drafts are pending in the TikTok app. Publish or delete them there.',
    part_rejected: 'TikTok rejected a part of the video that it had requested.',
    post_canceled: 'The post was canceled at TikTok.',
    privacy_mismatch: 'The account does not allow the chosen privacy. Choose again in its settings.',
    privacy_not_allowed: 'The account does not allow the privacy “{privacy}”. Choose again in its settings.',
    url_unverified: 'The URL is not verified for the application.',
  },
);
