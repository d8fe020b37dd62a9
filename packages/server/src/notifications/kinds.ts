/** The kinds of notifications, and where each is delivered. */

export const KINDS = ['post_failed', 'post_trouble', 'account_reconnect', 'access_ends', 'source_unread'] as const;
export type NotificationKind = (typeof KINDS)[number];

/** Where a kind is delivered. */
export interface Delivery {
  /** In the dashboard. */
  page: boolean;
  mail: boolean;
  /** To the user's devices and chats. */
  push: boolean;
}

/**
 * What applies until a user changes it. The end of an access is known weeks ahead, and shown when a post is scheduled:
 * it needs no mail and no message.
 */
export const DEFAULTS: Readonly<Record<NotificationKind, Delivery>> = {
  post_failed: { page: true, mail: true, push: true },
  post_trouble: { page: true, mail: true, push: true },
  account_reconnect: { page: true, mail: true, push: true },
  access_ends: { page: true, mail: false, push: false },
  source_unread: { page: true, mail: true, push: true },
};
