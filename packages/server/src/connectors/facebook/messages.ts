import { platformMessages } from '../kit/messages.ts';

export const { say, messages, own } = platformMessages(
  { id: 'facebook', name: 'Facebook' },
  {
    page_not_allowed: 'The connection may not post to this Page. Reconnect it as a user who may.',
    pages_missing:
      'The sign-in includes no Page that you may post to. Connect again, select the Page, and check your role on it.',
    page_authorization_missing: 'The Page needs “Page publishing authorization”. Complete it at Facebook.',
    owner_action_required: 'Facebook requires an action by the Page’s owner. Resolve this at Facebook.',
    posting_too_fast: 'Facebook limits this Page because it posts too often.',
    offset_rejected: 'Facebook expects another part of the video. Continuing from there.',
    upload_incomplete: 'Facebook does not have the whole video.',
  },
);
