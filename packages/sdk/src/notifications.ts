/** Notifications of the signed-in user. All methods require a session. */
import type { components } from './generated/schema.ts';
import type { PageOptions } from './posts.ts';
import { dataOf, jsonOf, type Transport } from './transport.ts';

export type Notification = components['schemas']['Notification'];
export type NotificationKind = components['schemas']['NotificationKind'];
export type NotificationSettings = components['schemas']['NotificationSettings'];
export type NotificationChannel = components['schemas']['NotificationChannel'];
export type NotificationChannelKind = components['schemas']['NotificationChannelKind'];
export type AddNotificationChannel = components['schemas']['AddNotificationChannel'];
export type NotificationChange = components['schemas']['EditNotificationSettings'];

export interface NotificationPage {
  data: Notification[];
  /** The cursor of the next page; null if this is the last. */
  next: string | null;
}

export interface NotificationChannels {
  data: NotificationChannel[];
  /** As the Push API takes it (`applicationServerKey`, base64url); null if the service cannot read it. */
  publicKey: string | null;
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
  /** Changes where one kind is delivered, or the quiet hours. What is not given stays unchanged. */
  editSettings(change: NotificationChange): Promise<NotificationSettings>;
  /** Devices and chats, oldest first, and the key with which browsers subscribe. */
  channels(): Promise<NotificationChannels>;
  addChannel(channel: AddNotificationChannel): Promise<NotificationChannel>;
  deleteChannel(id: string): Promise<void>;
  /** Sends a message at once. `failure` of the result says why it was not delivered. */
  testChannel(id: string): Promise<NotificationChannel>;
}

const PATH = '/dashboard/notifications';
const SETTINGS = '/user/notifications';
const CHANNELS = '/user/notification-channels';

const channelPath = (id: string) => `${CHANNELS}/${encodeURIComponent(id)}`;

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
    async channels() {
      const { data, publicKey } = await jsonOf<NotificationChannels>(transport, { method: 'GET', path: CHANNELS });
      return { data, publicKey };
    },
    addChannel: (json) => dataOf(transport, { method: 'POST', path: CHANNELS, json }),
    async deleteChannel(id) {
      await transport({ method: 'DELETE', path: channelPath(id) });
    },
    testChannel: (id) => dataOf(transport, { method: 'POST', path: `${channelPath(id)}/test` }),
  };
}
