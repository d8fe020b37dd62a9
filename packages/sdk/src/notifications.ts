/** Notifications of the signed-in user. All methods require a session. */
import type { components } from './generated/schema.ts';
import type { PageOptions } from './posts.ts';
import { dataOf, jsonOf, type Transport } from './transport.ts';

export type Notification = components['schemas']['Notification'];
export type NotificationKind = components['schemas']['NotificationKind'];
export type NotificationSettings = components['schemas']['NotificationSettings'];
export type NotificationChange = components['schemas']['EditNotificationSettings'];

export interface NotificationPage {
  data: Notification[];
  /** The cursor of the next page; null if this is the last. */
  next: string | null;
}

export interface Notifications {
  /** One page, last changed first. */
  list(options?: PageOptions): Promise<NotificationPage>;
  /** The number of unread notifications. */
  unread(): Promise<number>;
  /**
   * Marks a notification as read.
   * @param options.all also every earlier one
   * @returns the number that is still unread
   */
  read(id: string, options?: { all?: boolean }): Promise<number>;
  settings(): Promise<NotificationSettings>;
  /** Changes where one kind is delivered. What is not given stays unchanged. */
  editSettings(change: NotificationChange): Promise<NotificationSettings>;
}

const PATH = '/dashboard/notifications';
const SETTINGS = '/user/notifications';

export function createNotifications(transport: Transport): Notifications {
  return {
    async list({ cursor, limit, signal } = {}) {
      const call = { method: 'GET', path: PATH, query: { cursor, limit }, signal } as const;
      const { data, next } = await jsonOf<NotificationPage>(transport, call);
      return { data, next };
    },
    unread: async () => (await dataOf<{ unread: number }>(transport, { method: 'GET', path: `${PATH}/unread` })).unread,
    read: async (id, { all = false } = {}) =>
      (await dataOf<{ unread: number }>(transport, { method: 'POST', path: `${PATH}/read`, json: { id, all } })).unread,
    settings: () => dataOf(transport, { method: 'GET', path: SETTINGS }),
    editSettings: (json) => dataOf(transport, { method: 'PATCH', path: SETTINGS, json }),
  };
}
